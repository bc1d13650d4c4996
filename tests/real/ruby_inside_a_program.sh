#!/bin/sh
# A C program that is linked to Ruby, or loads it while it runs, and has a thread of its own that Ruby
# knows nothing of: it evaluates, forks and collects garbage in turns, and ends Ruby, then goes on. What
# it prints is as without us, and what lives is counted to its line each time.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_libruby

cat >inside.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void ruby_sysinit(int *, char ***);
void ruby_init_stack(volatile void *);
void ruby_init(void);
void ruby_init_loadpath(void);
unsigned long rb_eval_string_protect(const char *, int *);
int ruby_cleanup(int);
long pmem_snapshot(const char *) __attribute__((weak));

static const char code[] =
	"$kept ||= []\n"
	"def keep(n)\n"
	"  $kept << 'a' * n\n"
	"end\n"
	"100.times { keep(4000) }\n"
	"begin\n"
	"  Integer('x')\n"
	"rescue ArgumentError\n"
	"  keep(4001)\n"
	"end\n"
	"Thread.new { keep(4003) }.join\n"
	"GC.start\n"
	"child = fork { keep(4002); exit!(3) }\n"
	"Process.wait(child)\n"
	"puts $kept.size, $?.exitstatus\n"
	"$stdout.flush\n";

static void *library;
#define RUBY(name) ((__typeof__(&name))dlsym(library, #name))

static void *
thread(void *unused)
{
	static void *volatile kept[1000];
	for (int i = 0; i < 1000; i++)
		kept[i] = malloc(5000);
	return unused;
}

int
main(int count, char **arguments)
{
	int status = 0;
	pthread_t other;

	library = arguments[1] ? dlopen(arguments[1], RTLD_NOW) : RTLD_DEFAULT;
	if (arguments[1] && !library)
		return 2;
	RUBY(ruby_sysinit)(&count, &arguments);
	RUBY(ruby_init_stack)(&status);
	RUBY(ruby_init)();
	RUBY(ruby_init_loadpath)();
	if (pthread_create(&other, NULL, thread, NULL) != 0)
		return 1;
	for (int i = 0; i < 3; i++) {
		RUBY(rb_eval_string_protect)(code, &status);
		printf("%d\n", status);
		fflush(stdout);
	}
	pthread_join(other, NULL);
	if (pmem_snapshot)
		pmem_snapshot("before the end");
	printf("%d\n", RUBY(ruby_cleanup)(0));
	free(malloc(6000));
	return 5;
}
END
$CC -O1 -g -D_GNU_SOURCE -o inside inside.c -Wl,--no-as-needed "$library" -lpthread -ldl \
	&& $CC -O1 -g -D_GNU_SOURCE -o outside inside.c -lpthread -ldl || fail "inside.c does not compile"

# judge NAME COMMAND...
judge() {
	same 5 "$@"
	log=$(log_of "$1")
	agree 2 "$log"
	# Up to where it still has all.
	sed '/label=before\\x20the\\x20end/,/^\[/!b; /^\[/Q' "$log" >part.log
	lines_of part.log
	holds 300 4001 'eval:3 in Object#keep'
	holds 3 4002 'eval:3 in Object#keep'
	holds 3 4004 'eval:3 in Object#keep'
	if grep -q ' 5000000 ' held; then
		fail "a thread of the program's has lines" held
	fi
	[ "$(blocks_at_exit "$log" 5000)" -ge 1000 ] || fail "not 1000 blocks of the thread" "$log"
}
judge inside ../inside
judge outside ../outside "$library"
