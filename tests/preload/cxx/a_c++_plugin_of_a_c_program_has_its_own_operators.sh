#!/bin/sh
# long
# A C program loads C++ plugins and unloads them, a hundred times, in two threads: with
# libstdc++, with that linked in, with operators of their own over a pool. Each reaches the
# operator new and delete that it reaches without us, though ours stand before them, and no
# name is found that is not there without us.

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >plugin.cc <<'END2'
#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <vector>

typedef std::size_t size;
void *kept[4];

#ifdef POOL
// Its blocks are not to be given to free, and malloc's not to it.
static thread_local char pool[1 << 16];
static thread_local size used;

static void *take(size n)
{
	size at = used;
	if (n > sizeof(pool) - at - 16)
		return nullptr;
	used += (n + 15) / 16 * 16;
	return pool + at;
}

static void give(void *block)
{
	if (block && ((char *)block < pool || (char *)block >= pool + sizeof(pool)))
		std::abort();
}
void *operator new(size n)
{
	void *block = take(n);
	return block ? block : throw std::bad_alloc();
}
void operator delete(void *block) noexcept { give(block); }
// Of the others, the plain pair is what those of libstdc++ fall back on.
static size pool_used() { size was = used; used = 0; return was; }
#else
static size pool_used() { return 0; }
#endif

#define SITE extern "C" __attribute__((noinline)) void
SITE keep_new(void) { kept[0] = ::operator new(1009); }
SITE keep_array(void) { kept[1] = ::operator new[](1013, std::nothrow); }
SITE keep_aligned(void) { kept[2] = ::operator new(1216, std::align_val_t(64)); }
SITE keep_malloc(void) { kept[3] = std::malloc(1021); }

// What it returns tells whose operators they were, and that they worked.
extern "C" unsigned long run(void)
{
	unsigned long sum = 0;
	std::map<std::string, std::vector<int>> map;
	for (int i = 0; i < 50; i++) {
		map["a key that is not short: " + std::to_string(i)].resize(i);
		::operator delete(::operator new(20), 20);
		::operator delete[](::operator new[](21, std::nothrow), std::nothrow);
		::operator delete(::operator new(22, std::align_val_t(32)), std::align_val_t(32));
		::operator delete[](new char[23]);
	}
	sum += map.size();
	keep_new(), keep_array(), keep_aligned(), keep_malloc();
	// mimalloc's would end the program. The new-handler is the whole process's: one of ours
	// could go with this plugin.
	try {
		if (!std::getenv("THROWS_NOT"))
			sum += ((std::vector<char> *)::operator new(size(1) << 60))->size();
	} catch (const std::bad_alloc &) {
		sum += 1000;
	}
	try {
		sum += std::string("abc").at(50);
	} catch (const std::exception &error) {
		sum += 10000;
	}
	map.clear();
	sum += ::operator new[](size(1) << 60, std::nothrow) ? 100000 : 0;
	return sum + 1000000 * pool_used();
}
END2
cat >program.c <<'END2'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long run_once(const char *path, int flags)
{
	void *plugin = dlopen(path, flags);
	if (!plugin)
		return fprintf(stderr, "%s\n", dlerror()), 0;
	unsigned long (*run)(void) = (unsigned long (*)(void))dlsym(plugin, "run");
	unsigned long sum = run();
	dlclose(plugin);
	return sum;
}

static void *run_all(void *paths)
{
	unsigned long sum = 0;
	for (int i = 0; i < 100; i++) {
		char **path = (char **)paths + i % 2;
		sum += run_once(*path, RTLD_LOCAL | (i % 4 < 2 ? RTLD_NOW : RTLD_LAZY));
	}
	return (void *)sum;
}

int main(int count, char **paths)
{
	static const char *const names[] = {"_Znwm", "_ZnamRKSt9nothrow_t", "_ZdlPvm",
		"_ZdaPvSt11align_val_t", "mallocx", "sdallocx", "tc_malloc", "mi_malloc"};
	pthread_t threads[2];
	if (count < 5)
		return 2;
	// Some programs ask by such a name what allocator they are on.
	for (int i = 0; i < 8; i++)
		printf("%s: %d\n", names[i], dlsym(RTLD_DEFAULT, names[i]) != NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run_all, paths + 1 + 2 * i);
	for (int i = 0; i < 2; i++) {
		void *sum;
		pthread_join(threads[i], &sum);
		printf("%lu\n", (unsigned long)sum);
	}
	return 0;
}
END2
gcc -O1 -rdynamic -o program program.c -pthread -ldl
# Libraries that the program is linked to begin before a preload does.
cat >early.c <<'END2'
#include <dlfcn.h>
#include <stdio.h>
__attribute__((constructor)) static void start(void)
{
	static const char *const paths[] = {"../pool.so", "../static_pool.so"};
	for (int i = 0; i < 2; i++) {
		void *plugin = dlopen(paths[i], RTLD_NOW);
		printf("%lu\n", plugin ? ((unsigned long (*)(void))dlsym(plugin, "run"))() : 0);
	}
}
END2
gcc -O1 -shared -fPIC -o libearly.so early.c -ldl
echo 'int main(void) { return 0; }' | gcc -x c -o early - \
	-L. -Wl,--no-as-needed -learly -Wl,-rpath,"$PWD"

# plugin NAME FLAGS...: NAME.so, and a copy that another thread loads.
plugin() {
	name=$1
	shift
	g++ -std=c++17 -O1 -fPIC -shared -o "$name.so" plugin.cc "$@"
	cp "$name.so" "$name.2.so"
}
plugin shared
plugin static -static-libstdc++ -static-libgcc
plugin pool -DPOOL
plugin static_pool -DPOOL -static-libstdc++ -static-libgcc
plugin symbolic -Wl,-Bsymbolic

# works ALLOCATOR RUNS PLUGIN...: in so many of the 200 runs operator new asks malloc.
works() {
	name=$1
	runs=$2
	shift 2
	same 0 "$name" ../program "$@"
	{
		echo 200 1021
		echo 200 1216
		[ "$runs" -eq 0 ] || printf '%d 1009\n%d 1013\n' "$runs" "$runs"
	} | sort >expected
	log=$(log_of program)
	agree 1 "$log" >>figures
	# By their sizes: the functions of a plugin that is gone may have no names.
	sources "$log" | awk -F '|' '
		$5 > 0 && $2 % $5 == 0 && $2 / $5 ~ /^(1009|1013|1216|1021)$/ { blocks[$2 / $5] += $5 }
		END { for (size in blocks) print blocks[size], size }' | sort >found
	cmp -s expected found || fail "$* on $name: $(diff expected found)" "$log"
	rm -r logged
	mkdir logged
}

all_work() {
	case $1 in
	glibc)
		works "$1" 200 ../shared.so ../symbolic.so ../shared.2.so ../static.so
		same 0 early ../early
		# One libstdc++ falls back on the operators of one plugin only.
		works "$1" 50 ../pool.so ../static_pool.so ../static_pool.2.so ../static.so
		;;
	mimalloc)
		THROWS_NOT=1 works "$1" 200 ../shared.so ../static_pool.so ../pool.so ../static.so
		;;
	# Which come before the pools.
	*) works "$1" 200 ../shared.so ../static_pool.so ../pool.so ../static.so ;;
	esac
}
on_each_allocator all_work
echo "figure: 100 loads in each of 2 threads, $(wc -l <figures) logs agree"
