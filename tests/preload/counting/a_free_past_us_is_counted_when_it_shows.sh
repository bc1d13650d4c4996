#!/bin/sh
# A block of ours that a library loaded with RTLD_DEEPBIND frees, or __libc_free(), is counted as freed
# once its place is used again, and as a loss; nothing grows by it. A note names the library, also where
# its calls are bound as they come, or go through its variables; and no library whose calls come to us, or
# whose variables the program has set, as CPython does. Sources whose blocks were freed
# so have `unseen` in their entries, and so has what the C library allocates for such a library, whose
# free() is not seen and may never show; no other has it.

. "$PMEM_ROOT/tests/lib/real.sh"

cat >plugin.c <<'END'
#include <stdlib.h>
#include <string.h>
void *(*volatile plugin_take)(size_t) = malloc;
void (*volatile plugin_give)(void *) = free;
void *plugin_address(void) { return (void *)free; }
#ifdef VARIABLES
void plugin_free(void *block) { plugin_give(block); }
void *plugin_malloc(void) { return plugin_take(3333); }
#else
void plugin_free(void *block) { free(block); }
void *plugin_malloc(void) { return malloc(3333); }
#endif
void *plugin_strdup(const char *text) { return strdup(text); }
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __libc_free(void *);
__attribute__((noinline)) void *plain(void) { return malloc(2000); }
__attribute__((noinline)) void *resized(void) { return realloc(malloc(10), 2000); }
__attribute__((noinline)) void *seen(void) { return malloc(5000); }
void give(void *block) { free(block); }
void *(*volatile taken)(size_t);
void (*volatile given_back)(void *);
int main(int count, char **words)
{
	int flags = RTLD_NOW * (words[1][0] == 'n') | RTLD_LAZY * (words[1][0] != 'n');
	void *other = dlopen("../other.so", RTLD_NOW);
	void *plugin = dlopen("../plugin.so", flags | RTLD_DEEPBIND * (words[2][0] == 'd'));
	void (*past)(void *) = (void (*)(void *))dlsym(plugin, "plugin_free");
	void *(*unseen)(void) = (void *(*)(void))dlsym(plugin, "plugin_malloc");
	char *(*copied)(const char *) = (char *(*)(const char *))dlsym(plugin, "plugin_strdup");
	void (*past_plugin)(void *) = (void (*)(void *))dlsym(plugin, "plugin_free");
	void (**given)(void *) = (void (**)(void *))dlsym(other, "plugin_give");
	char text[400] = "";
	memset(text, 'a', sizeof(text) - 1);
	if (!other || words[2][0] == 'l')
		past = __libc_free;
	*given = give;
	taken = malloc;
	given_back = free;
	for (int i = 0; i < 1000; i++) {
		past(plain());
		past(resized());
		past(unseen());
		free(seen());
		// What is freed so goes back to the plugin's malloc(), and never shows.
		char *copy = copied(text);
		past_plugin(copy);
	}
	return count != 3;
}
END
"${CC:-gcc}" -O1 -fPIC -shared -Wl,-z,lazy -o plugin.so plugin.c
"${CC:-gcc}" -O1 -fPIC -shared -o other.so plugin.c
"${CC:-gcc}" -O1 -fPIC -shared -DVARIABLES -o variables.so plugin.c
"${CC:-gcc}" -O1 -rdynamic -o program program.c -ldl

# flagged LOG FUNCTION WHETHER: its entries in the last snapshot that has any say `unseen`, or do not.
flagged() {
	said=$(awk -v name="($2+" '
		/^\{[0-9a-f]*\} live:/ { id = $1; is[id] = / unseen( < |$)/ ? "yes" : "no" }
		index($0, name) { of = id }
		END { print of in is ? is[of] : "none" }' "$1")
	[ "$said" = "$3" ] || fail "$2: unseen: $said, not $3" "$1"
}

# works BIND HOW LEAST NOTE FREED COPIED: so many unseen frees, at least, whether there is a note, and
# whether the program's sources are told to be freed unseen, and the plugin's strdup().
works() {
	same 0 "$1$2" ../program "$1" "$2"
	log=$(log_of program)
	"$LOGCHECK" "$log" >check.out || fail "$1 $2" check.out
	unseen=$(sed -n 's/^losses.*unseen_frees=\([0-9]*\).*/\1/p' "$log" | tail -n 1)
	[ "${unseen:-0}" -ge "$3" ] || fail "$1 $2: $unseen unseen frees" "$log"
	flagged "$log" plain "$5"
	flagged "$log" resized "$5"
	flagged "$log" plugin_strdup "$6"
	flagged "$log" seen no
	live=$(total "$log" live)
	[ "$live" -lt 40000 ] || fail "$1 $2: $live bytes are live" "$log"
	noted=$(grep -c '^# note these call malloc and free past the library: .*plugin\.so; what' "$log") || :
	[ "$noted" -eq "$4" ] || fail "$1 $2: $noted notes" "$log"
	[ "$4" -gt 0 ] || [ "$2" = l ] || [ -z "$unseen" ] || fail "$1 $2: $unseen unseen frees" "$log"
	grep -q '^# note.*other\.so' "$log" && fail "$1 $2: another library is named" "$log"
	rm -r logged
	mkdir logged
}
works now d 1900 1 yes yes
works lazy d 1900 1 yes yes
works now s 0 0 no no
works lazy l 1900 0 yes no
mv variables.so plugin.so
works now d 1900 1 yes yes
works now s 0 0 no no
# All objects know these functions by the addresses of this program's stubs.
"${CC:-gcc}" -O1 -fno-pie -no-pie -rdynamic -o program program.c -ldl
works now s 0 0 no no
exit 0
