#!/bin/sh
# A block of ours that a library loaded with RTLD_DEEPBIND frees, or __libc_free(), is counted as freed
# once its place is used again, and as a loss; nothing grows by it. A note names the library, also where
# its calls are bound as they come, and no library whose calls come to us.

. "$PMEM_ROOT/tests/lib/real.sh"

cat >plugin.c <<'END'
#include <stdlib.h>
void plugin_free(void *block) { free(block); }
void *plugin_malloc(void) { return malloc(3333); }
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __libc_free(void *);
static __attribute__((noinline)) void *plain(void) { return malloc(2000); }
static __attribute__((noinline)) void *resized(void) { return realloc(malloc(10), 2000); }
int main(int count, char **words)
{
	int flags = RTLD_NOW * (words[1][0] == 'n') | RTLD_LAZY * (words[1][0] != 'n');
	void *other = dlopen("../other.so", RTLD_NOW);
	void *plugin = dlopen("../plugin.so", flags | RTLD_DEEPBIND * (words[2][0] == 'd'));
	void (*past)(void *) = (void (*)(void *))dlsym(plugin, "plugin_free");
	void *(*unseen)(void) = (void *(*)(void))dlsym(plugin, "plugin_malloc");
	if (!other || words[2][0] == 'l')
		past = __libc_free;
	for (int i = 0; i < 1000; i++) {
		past(plain());
		past(resized());
		past(unseen());
	}
	return count != 3;
}
END
gcc -O1 -fPIC -shared -Wl,-z,lazy -o plugin.so plugin.c
gcc -O1 -fPIC -shared -o other.so plugin.c
gcc -O1 -rdynamic -o program program.c -ldl

# works BIND HOW LEAST NOTE: so many unseen frees, at least, and whether there is a note.
works() {
	same 0 "$1$2" ../program "$1" "$2"
	log=$(log_of program)
	"$LOGCHECK" "$log" >check.out || fail "$1 $2" check.out
	unseen=$(sed -n 's/^losses.*unseen_frees=\([0-9]*\).*/\1/p' "$log" | tail -n 1)
	[ "${unseen:-0}" -ge "$3" ] || fail "$1 $2: $unseen unseen frees" "$log"
	live=$(sources "$log" | awk -F '|' '{ n += $2 } END { print n + 0 }')
	[ "$live" -lt 40000 ] || fail "$1 $2: $live bytes are live" "$log"
	noted=$(grep -c '^# note these call malloc and free past the library: .*plugin\.so; what' "$log") || :
	[ "$noted" -eq "$4" ] || fail "$1 $2: $noted notes" "$log"
	[ "$4" -gt 0 ] || [ "$2" = l ] || [ -z "$unseen" ] || fail "$1 $2: $unseen unseen frees" "$log"
	grep -q '^# note.*other\.so' "$log" && fail "$1 $2: another library is named" "$log"
	rm -r logged
	mkdir logged
}
works now d 1900 1
works lazy d 1900 1
works now s 0 0
works lazy l 1900 0
exit 0
