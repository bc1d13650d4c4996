#!/bin/sh
# The log says once why there are no lines: of a Ruby whose version is not known, and which shows no
# rb_vm_exec, as from 3.3 on; of a Python whose loop is none, since each instruction is a function, as in
# some builds from 3.14 on.
# of whole stacks

set -eu
# allocates NAME DECLARATION FUNCTION: a library of this name whose function allocates, and a program
# that calls it; the log's notes are in notes.
allocates() {
	cat >library.c <<CODE
#include <stdlib.h>

$2
void *$3(size_t bytes);

__attribute__((noipa)) void *
$3(size_t bytes)
{
	char *block = malloc(bytes);
	return block ? block + 1 - 1 : NULL;
}
CODE
	cat >program.c <<CODE
#include <stdlib.h>

void *$3(size_t bytes);
void *kept[100];

int
main(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = $3(5000);
	return 0;
}
CODE
	${CC:-cc} -shared -fPIC -O1 -o "lib$1.so" library.c
	${CC:-cc} -O1 -o program program.c -L. "-l$1" -Wl,-rpath,"$PWD"
	rm -f pmem.*.log
	LD_PRELOAD=$PMEM_LIBRARY ./program
	grep '^# note' pmem.*.log >notes || true
}

# says TEXT: the one note begins so.
says() {
	[ "$(grep -c "^# note $1" notes)" -eq 1 ] || {
		echo "the log does not say, once, that $1:"
		cat pmem.*.log
		exit 1
	}
}

allocates ruby-3.9 'const int ruby_api_version[3] = {3, 9, 0};' ruby_allocate
says 'this version of Ruby is not known'
allocates python3.14 'const unsigned long Py_Version = 0x030e0af0;' _PyEval_EvalFrameDefault
says 'this interpreter runs each instruction in a function of its own'
