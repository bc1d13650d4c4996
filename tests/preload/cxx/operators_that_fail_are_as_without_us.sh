#!/bin/sh
# operator new that cannot be had throws through our frames, or asks a new_handler that
# frees memory, gives up, throws, allocates or jumps out: all as without us; a block that
# the second try gives is counted once, and what is allocated meanwhile and after, exactly.

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >program.cc <<'END2'
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

typedef std::size_t size;
using std::align_val_t;
static const size LARGE = 128 << 20, RESERVE = 512 << 20;
static void *reserve, *kept[1000];
static int count, calls;
static std::jmp_buf back;

#define SITE extern "C" __attribute__((noinline)) void
SITE keep(void *block) { kept[count++] = block; }
SITE in_catch(void) { keep(::operator new(64)); }
SITE after(void) { keep(new char[33]); }
SITE in_handler(void) { keep(std::malloc(48)); keep(::operator new(50)); }
SITE second_try(void) { keep(::operator new(LARGE)); }
SITE second_try_nothrow(void) { keep(::operator new[](LARGE, std::nothrow)); }
SITE second_try_aligned(void) { keep(::operator new(LARGE, align_val_t(4096))); }

static void frees() { calls++, in_handler(); munmap(reserve, RESERVE); }
static void gives_up() { if (++calls % 3 == 0) std::set_new_handler(nullptr); }
static void throws() { calls++, in_handler(); throw std::runtime_error("handler"); }
static void throws_bad_alloc() { calls++, in_handler(); throw std::bad_alloc(); }
static void jumps() { calls++, in_handler(); std::longjmp(back, 1); }

// From here on there is no more memory than the reserve, which a handler frees.
static void limit()
{
	struct rlimit limit;
	long pages = 0;
	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
	reserve = mmap(nullptr, RESERVE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	std::FILE *file = std::fopen("/proc/self/statm", "r");
	if (reserve == MAP_FAILED || !file || std::fscanf(file, "%ld", &pages) != 1)
		std::abort();
	std::fclose(file);
	limit.rlim_cur = (size)pages * 4096 + (32 << 20);
	setrlimit(RLIMIT_AS, &limit);
}

static void fail(size n, int form)
{
	void *block = &block;
	try {
		switch (form) {
		case 0: block = ::operator new(n); break;
		case 1: block = ::operator new[](n); break;
		case 2: block = ::operator new(n, align_val_t(64)); break;
		case 3: block = ::operator new[](n, align_val_t(4096)); break;
		case 4: block = ::operator new(n, std::nothrow); break;
		case 5: block = ::operator new[](n, std::nothrow); break;
		case 6: block = ::operator new(n, align_val_t(64), std::nothrow); break;
		case 7: block = ::operator new[](n, align_val_t(64), std::nothrow); break;
		}
		std::printf("form %d of %zx: %s\n", form, n, block ? "a block" : "NULL");
	} catch (const std::bad_alloc &error) {
		in_catch();
		std::printf("form %d of %zx: %s\n", form, n, error.what());
	} catch (const std::runtime_error &error) {
		in_catch();
		std::printf("form %d of %zx: %s\n", form, n, error.what());
	}
	after();
}

static void with_handler(const char *name, std::new_handler handler, size n, int forms)
{
	for (int form = 0; form < forms; form++) {
		calls = 0;
		std::set_new_handler(handler);
		if (setjmp(back) == 0)
			fail(n, form);
		else
			after();
		std::printf("%s was called %d times\n", name, calls);
	}
	std::set_new_handler(nullptr);
}

int main(int argc, char **argv)
{
	char *which = argc > 1 ? argv[1] : argv[0];
	for (size n : {(size)1 << 60, (size)-1, (size)-8, (size)-9, (size)-1 / 2, (size)-1 / 2 - 7})
		for (int form = which[0] == 'n' ? 4 : 0; form < 8; form++)
			fail(n, form);
	if (which[0] == 'n')
		return 0;
	limit();
	with_handler("gives_up", gives_up, LARGE, 8);
	with_handler("throws_bad_alloc", throws_bad_alloc, LARGE, 8);
	// What is no bad_alloc ends the program in a form that must not throw, on some.
	with_handler("throws", throws, LARGE, 4);
	with_handler("jumps", jumps, LARGE, 8);
	for (void (*site)() : {second_try, second_try_nothrow, second_try_aligned}) {
		calls = 0;
		std::set_new_handler(frees);
		site();
		std::printf("frees was called %d times: %s\n", calls, kept[count - 1] ? "a block" : "NULL");
		limit();
	}
}
END2
g++ -std=c++17 -O1 -rdynamic -o program program.cc

# expected BLOCKS BYTES SITE: what by_site() has to have of blocks of so many bytes.
expected() {
	echo "$1 $(($1 * $2)) $3"
}

failed() {
	case $1 in
	# Its operator new that may throw ends the program when it fails, without us as well.
	mimalloc)
		same 134 mimalloc.throws ../program
		same 0 mimalloc ../program nothrow
		;;
	*) same 0 "$1" ../program ;;
	esac
	log=$(log_of program)
	agree 1 "$log" >>figures
	caught=$(grep -c -e 'bad_alloc$' -e ': handler$' "$1.plain.out") || true
	{
		expected "$(grep -c -e '^form' -e '^jumps' "$1.plain.out")" 33 \
			'operator new[](unsigned long)|after'
		[ "$caught" -eq 0 ] || {
			expected "$caught" 64 'operator new(unsigned long)|in_catch'
			expected 23 48 'malloc|in_handler'
			expected 23 50 'operator new(unsigned long)|in_handler'
			expected 1 134217728 'operator new(unsigned long)|second_try'
			expected 1 134217728 \
				'operator new(unsigned long, std::align_val_t)|second_try_aligned'
			expected 1 134217728 \
				'operator new[](unsigned long, std::nothrow_t const&)|second_try_nothrow'
		}
	} | sort >expected
	by_site "$log" '^(in_|after|second_)' >found
	cmp -s expected found || fail "$1: $(diff expected found)" "$log"
	at_most "$1: live" "$(total "$log" live)" $((3 * 134217728 + 200000))
	rm -r logged
	mkdir logged
}
on_each_allocator failed
echo "figure: $(wc -l <figures) logs agree"
