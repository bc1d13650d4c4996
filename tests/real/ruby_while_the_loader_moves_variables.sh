#!/bin/sh
# A thread runs Ruby, which the program has loaded while it ran, and another loads libraries with variables
# of threads' own: so many that the loader, as Ruby next looks for its own, moves what it knows of the
# thread's, and allocates for that. Ruby's functions are asked nothing then: they would look there. Then the
# thread itself loads some, and the first who looks after that is who asks Ruby for its lines: what the
# loader allocates then has a stack of its own.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_libruby

cat >late.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIBRARIES = 60, OWN = 30, TIMES = 2 };

static void *library;
static volatile int begun;
static void *volatile kept[TIMES * OWN];
static int own;

// At the first Ruby's own data are not known yet, and are looked for.
static const char code[] =
	"load_own\n"
	"def keep(n)\n"
	"  $kept = 'x' * n\n"
	"end\n"
	"20.times { keep(4000) }\n"
	"def turn\n"
	"  2000.times { |i| catch(:a) { throw :a } }\n"
	"end\n"
	"until File.exist?('opened')\n"
	"  turn\n"
	"  keep(5000)\n"
	"end\n"
	"load_own\n"
	"puts 'all'\n"
	"$stdout.flush\n";

static void
load(int number)
{
	char path[32];

	snprintf(path, sizeof(path), "../libraries/%d.so", number);
	if (!dlopen(path, RTLD_NOW))
		_exit(2);
}

static unsigned long
load_own(unsigned long object)
{
	for (int i = 0; i < OWN; i++, own++) {
		load(LIBRARIES + own);
		kept[own] = malloc(100000);
	}
	return object;
}

static void *
run_ruby(void *unused)
{
	char *words[] = {"late", NULL};
	char **arguments = words;
	int count = 1;
	int status = 0;

	((void (*)(int *, char ***))dlsym(library, "ruby_sysinit"))(&count, &arguments);
	((void (*)(void *))dlsym(library, "ruby_init_stack"))(&status);
	((void (*)(void))dlsym(library, "ruby_init"))();
	((void (*)(const char *, void *, int))dlsym(library, "rb_define_global_function"))(
		"load_own", (void *)load_own, 0);
	begun = 1;
	((void *(*)(const char *, int *))dlsym(library, "rb_eval_string_protect"))(code, &status);
	printf("%d\n", status);
	return unused;
}

int
main(int count, char **arguments)
{
	pthread_t thread;

	library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
	if (!library || pthread_create(&thread, NULL, run_ruby, NULL) != 0)
		return 1;
	while (!begun)
		usleep(1000);
	usleep(300000);
	for (int i = 0; i < LIBRARIES; i++) {
		load(i);
		usleep(10000);
	}
	fclose(fopen("opened", "w"));
	pthread_join(thread, NULL);
	return 4;
}
END
echo '__thread int own[4]; int *get(void) { return own; }' >library.c
$CC -O1 -o late late.c -lpthread -ldl && $CC -shared -fPIC -o library.so library.c \
	|| fail "late.c does not compile"
mkdir libraries
for i in $(seq 0 119); do
	cp library.so libraries/$i.so
done
same 4 late ../late "$library"
log=$(log_of late)
agree 2 "$log"
grep -q 'eval:3 in Object#keep' "$log" || fail "there are no lines" "$log"
lines_of "$log"
holds 30 100000 'eval:13 in <main>'
