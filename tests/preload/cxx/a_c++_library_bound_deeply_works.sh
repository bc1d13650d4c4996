#!/bin/sh
# long
# A C++ library opened with RTLD_DEEPBIND reaches libstdc++'s operators, and perhaps libc's
# malloc, and not ours: it works as without us in a C program and in one of C++. What crosses
# over is an untracked free, or an unseen one, or stays live; nothing else is lost.

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >plugin.cc <<'END2'
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>
extern "C" void *made(int how) { return how ? ::operator new(1009) : std::malloc(1013); }
extern "C" void taken(void *block, int how) { how ? ::operator delete(block) : std::free(block); }
extern "C" unsigned long run(void)
{
	std::vector<std::string> strings;
	for (int i = 0; i < 100; i++)
		strings.push_back(std::string(i, 'x'));
	try {
		return strings[50].at(60);
	} catch (const std::out_of_range &error) {
		strings.clear();
		return error.what()[0] != '\0';
	}
}
END2
cat >program.c <<'END2'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <string>
static void *object(void) { return new std::string(77, 'x'); }
static void no_object(void *object) { delete (std::string *)object; }
#else
static void *object(void) { return malloc(77); }
static void no_object(void *object) { free(object); }
#endif
int main(int count, char **words)
{
	int crosses = count > 2 && words[2][0] == 'c';
	unsigned long sum = 0;
	for (int i = 0; i < 100; i++) {
		void *plugin = dlopen(words[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
		unsigned long (*run)(void) = (unsigned long (*)(void))dlsym(plugin, "run");
		void *(*made)(int) = (void *(*)(int))dlsym(plugin, "made");
		void (*taken)(void *, int) = (void (*)(void *, int))dlsym(plugin, "taken");
		void *ours = object();
		sum += run();
		taken(made(0), 0);
		taken(made(1), 1);
		if (crosses) {
			free(made(0));
			taken(malloc(1021), 0);
		}
		no_object(ours);
		dlclose(plugin);
	}
	printf("%lu\n", sum);
	return 0;
}
END2
g++ -std=c++17 -O1 -fPIC -shared -o plugin.so plugin.cc
gcc -O1 -rdynamic -o of_c program.c -ldl
g++ -x c++ -O1 -rdynamic -o of_c++ program.c -ldl

# works ALLOCATOR PROGRAM CROSSINGS [WORD]
works() {
	same 0 "$2.$1" "../$2" ../plugin.so ${4:-}
	log=$(log_of "$2")
	"$LOGCHECK" "$log" >check.out || fail "$2 on $1" check.out
	# Without our unwinder stacks from before our constructor are short.
	lost=$(sed -n 's/^losses //p' "$log" | tail -n 1 | sed 's/ *stacks_short=[1-9][0-9]\{0,1\}$//')
	unseen=$(echo "$lost" | sed -n 's/.* unseen_frees=\([0-9]*\)$/\1/p')
	[ "$lost" = "${3:+untracked_frees=$3${unseen:+ unseen_frees=$unseen}}" ] ||
		fail "$2 on $1 lost $lost" "$log"
	kept=$(sources "$log" | awk -F '|' '$2 == 1021 * $5 { n += $5 } END { print n + 0 }')
	[ $((kept + ${unseen:-0})) -eq "${3:-0}" ] || fail "$2 on $1: $kept blocks stay live" "$log"
	rm -r logged
	mkdir logged
}

both_work() {
	works "$1" of_c ''
	works "$1" of_c++ ''
}
on_each_allocator both_work
# Where both sides' malloc is the same.
works glibc of_c 100 cross
works glibc of_c++ 100 cross
