#!/bin/sh
# of x86-64
# pmem: -DPMEM_CHURN_THRESH=1000000000
# An allocation under code made at run time that keeps a frame pointer and describes itself nowhere, as V8's:
# what its bytes are is looked at once, after the kernel was asked whether they can be read. Four such frames, of
# two pages, each time elsewhere on the stack, cost no system call; it was three, and twelve before. Nor is the
# C++ runtime asked, where it is loaded and has nothing registered: that were twelve more. The stacks are whole.

. "$PMEM_ROOT/tests/lib/calls.sh"
cat >host.c <<'HOST'
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, DEPTH = 4 };

// push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
static const char bytes[] = "\x55\x48\x89\xe5\xff\xd7\x5d\xc3";
static char *code;
static int depth;

static void
inwards(void)
{
	if (--depth == 0)
		free(malloc(100));
	else
		((void (*)(void (*)(void)))(code + (depth > DEPTH / 2 ? PAGE : 0)))(inwards);
	__asm__ volatile("" ::: "memory");
}

static void
elsewhere(int i)
{
	volatile char *room = alloca(16 * (i + 1));
	room[0] = 0;
	depth = DEPTH + 1;
	inwards();
}

int
main(int count, char **arguments)
{
	code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, bytes, sizeof(bytes));
	memcpy(code + PAGE, bytes, sizeof(bytes));
	for (int i = 0; i < atoi(arguments[1]); i++)
		elsewhere(i);
	return 0 * count;
}
HOST
build() {
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -fno-builtin -fno-omit-frame-pointer -o host host.c "$@"
}

whole() {
	last=$(grep -n '^\[' pmem.*.log | tail -n 1 | cut -d: -f1)
	tail -n "+$last" pmem.*.log >last
	if grep stacks_ended= last; then return 1; fi
	[ "$(grep -c '^  {[0-9]*} \[0x' last)" -ge 4 ]
	grep -q '(__libc_start_main+' last
}
build
more_for stacks -20 20
whole
build -Wl,--no-as-needed -lgcc_s
more_for "stacks beside the runtime" -20 20
whole
