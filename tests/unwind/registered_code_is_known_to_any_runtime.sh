#!/bin/sh
# of x86-64
# pmem: -DPMEM_CHURN_THRESH=1000000000
# However the C++ runtime keeps what is registered with it, the runtime is asked when anything is: runtimes that
# keep it in a list, beneath a root that was there before, in a table of their own, beside what looks like
# an address and is none, where that was, at an address like small numbers, or that have too much data to
# look at. Half of the stacks are of the time when the code, without frame pointers, is registered: these
# are whole.

set -eu
cat >runtime.c <<'RUNTIME'
#include <stdint.h>
#include <stdlib.h>

struct entry {
	uintptr_t start, end;
	char *fde;
	struct entry *next;
};

long asked; // a whole word: two of 32 bits may look like an address
#if DESIGN == 1 // a list
static struct entry *first;
#define ENTRY (first = calloc(1, sizeof(struct entry)))
#define FIRST first
#define CLEAR (free(first), first = NULL)
#elif DESIGN == 2 // beneath a root
static struct entry *root;
__attribute__((constructor)) static void begin(void) { root = calloc(1, sizeof(*root)); }
#define ENTRY (root->next = calloc(1, sizeof(struct entry)))
#define FIRST (root->next)
#define CLEAR (free(root->next), root->next = NULL)
#elif DESIGN == 3 // a table, by number
static struct entry entries[2];
static int count;
#define ENTRY (&entries[count++])
#define FIRST (count ? &entries[count - 1] : NULL)
#define CLEAR (entries[--count] = (struct entry){0})
#elif DESIGN == 4 // beside, and instead of, what is no address
static uintptr_t features = 0x1f2f3f4f5;
static struct entry *either = (struct entry *)0x1f2f3f4f5;
uintptr_t use_features(void) { return features++; }
#define ENTRY (either = calloc(1, sizeof(struct entry)))
#define FIRST (either == (void *)0x1f2f3f4f5 ? NULL : either)
#define CLEAR (free(either), either = (void *)0x1f2f3f4f5)
#elif DESIGN == 6 // a list at an address whose bytes are small
#include <sys/mman.h>
static struct entry *first;
#define ENTRY (first = mmap((void *)0x10101000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
#define FIRST first
#define CLEAR (munmap(first, 4096), first = NULL)
#else // much data
static struct entry *first;
volatile uintptr_t room[1000];
#define ENTRY (first = calloc(1, sizeof(struct entry)))
#define FIRST first
#define CLEAR (free(first), first = NULL)
#endif

void
fake_register(char *fde, uintptr_t start, uintptr_t end)
{
	struct entry *entry = ENTRY;
	*entry = (struct entry){start, end, fde, NULL};
}

void
fake_deregister(void)
{
	CLEAR;
}

const void *
_Unwind_Find_FDE(void *pc, void *bases)
{
	struct entry *entry = FIRST;
	asked++;
	(void)bases;
	return entry && (uintptr_t)pc - entry->start < entry->end - entry->start ? entry->fde : NULL;
}
RUNTIME
cat >host.c <<'HOST'
#include "barecode.h"

enum { ROUNDS = 200 };

extern long asked;
void fake_register(char *fde, uintptr_t start, uintptr_t end);
void fake_deregister(void);

static char *code;
static _Alignas(8) char frames[BARE_BYTES];

__attribute__((noinline)) void
give(void)
{
	*(volatile char *)malloc(16) = 1;
}

__attribute__((noinline)) void
registered(void)
{
	through(give, code);
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) void
bare(void)
{
	through(give, code);
	__asm__ volatile("" : : : "memory");
}

int
main(void)
{
	code = bare_code();
	bare_put_frames(frames, code);
	for (int i = 0; i < ROUNDS; i++) {
		bare();
		*(volatile char *)malloc(16) = 1; // as registering does mostly
		fake_register(frames + BARE_CIE_BYTES, (uintptr_t)code, (uintptr_t)code + BARE_PAGE);
		registered();
		fake_deregister();
	}
	printf("%ld\n", asked);
	return 0;
}
HOST
flags="-std=gnu11 -D_GNU_SOURCE -O1 -fno-builtin -I$PMEM_ROOT/tests/lib"
mkdir -p runtime
for design in 1 2 3 4 5 6; do
	rm -f pmem.*.log
	# shellcheck disable=SC2086
	${CC:-gcc} $flags -DDESIGN=$design -fPIC -shared -Wl,-soname,libgcc_s.so.1 -o runtime/libgcc_s.so.1 runtime.c
	# shellcheck disable=SC2086
	${CC:-gcc} $flags -rdynamic -Wl,-rpath,"$PWD/runtime" -o host host.c runtime/libgcc_s.so.1
	asked=$(LD_PRELOAD="$PMEM_LIBRARY" ./host)
	whole=$("$PMEM_BUILD/pmem" export --to collapsed --value blocks pmem.*.log \
		| sed -n 's/.*main;registered;through;.*give;malloc \([0-9]*\)$/\1/p')
	echo "figure: design $design was asked $asked times"
	[ "$whole" = 200 ] || { echo "design $design: $whole of 200 stacks are whole"; exit 1; }
	# Where its data show that nothing is registered nobody asks; a new source is looked at twice.
	case $design in
	1 | 3 | 4 | 6) [ "$asked" -le 210 ] ;;
	*) [ "$asked" -ge 400 ] ;;
	esac
done
