// pmem: -DPMEM_CHURN_THRESH=1000000000
// on each allocator
// of glibc
// What the allocator beneath tells of itself when main() begins lies between what it tells without
// us and what it tells where each block has a tag and nothing else is so (tests/lib/tagged.c): on
// glibc that is one and the same. glibc maps blocks from the same size on. What a program gives
// back is given back: the memory that stays is within 300 KiB of that without us.

#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { NEAR_KIB = 300 };

// Nothing here may allocate, but for what is to be looked at.
static void
tell(const char *what, uint64_t number)
{
	char line[100];
	int bytes = snprintf(line, sizeof(line), "%s %" PRIu64 "\n", what, number);
	expect(write(1, line, (size_t)bytes) == bytes);
}

// Anonymous memory of the process that is in pages, in KiB; walked, and not estimated.
static uint64_t
resident(void)
{
	static char text[8192];
	int file = open("/proc/self/smaps_rollup", O_RDONLY);
	ssize_t bytes = read(file, text, sizeof(text) - 1);
	expect(bytes > 0);
	text[bytes] = '\0';
	close(file);
	char *field = strstr(text, "Anonymous:");
	expect(field != NULL);
	return strtoul(field + strlen("Anonymous:"), NULL, 10);
}

#pragma weak mallctl
#pragma weak MallocExtension_GetNumericProperty
#pragma weak mi_process_info
int mallctl(const char *name, void *old, size_t *old_bytes, void *new, size_t new_bytes);
int MallocExtension_GetNumericProperty(const char *name, size_t *value);
void mi_process_info(size_t *elapsed, size_t *user, size_t *system, size_t *resident, size_t *peak,
	size_t *commit, size_t *peak_commit, size_t *faults);

static void
tell_jemallocs(void)
{
	static const char *const names[] = {"stats.allocated", "stats.active", "stats.mapped"};
	uint64_t epoch = 1;
	size_t number, bytes = sizeof(number);
	expect(mallctl("epoch", NULL, NULL, &epoch, sizeof(epoch)) == 0);
	for (int i = 0; i < 3; i++) {
		expect(mallctl(names[i], &number, &bytes, NULL, 0) == 0);
		tell(names[i], number);
	}
}

static void
tell_tcmallocs(void)
{
	static const char *const names[] = {
		"generic.current_allocated_bytes", "generic.heap_size", "tcmalloc.pageheap_free_bytes"};
	size_t number;
	for (int i = 0; i < 3; i++) {
		expect(MallocExtension_GetNumericProperty(names[i], &number));
		tell(names[i], number);
	}
}

static void
tell_mimallocs(void)
{
	size_t unused, commit, peak_commit;
	mi_process_info(&unused, &unused, &unused, &unused, &unused, &commit, &peak_commit, &unused);
	tell("commit", commit);
	tell("peak_commit", peak_commit);
}

static void
tell_glibcs(void)
{
	struct mallinfo2 info = mallinfo2();
	tell("arena", info.arena);
	tell("ordblks", info.ordblks);
	tell("smblks", info.smblks);
	tell("hblks", info.hblks);
	tell("hblkhd", info.hblkhd);
	tell("fsmblks", info.fsmblks);
	tell("uordblks", info.uordblks);
	tell("fordblks", info.fordblks);
	tell("keepcost", info.keepcost);
}

static void
tell_statistics(void)
{
	if (mallctl)
		tell_jemallocs();
	else if (MallocExtension_GetNumericProperty)
		tell_tcmallocs();
	else if (mi_process_info)
		tell_mimallocs();
	else
		tell_glibcs();
}

static bool
is_mapped(size_t bytes)
{
	enum { CHUNK_MMAPPED = 2 };
	size_t *block = malloc(bytes);
	expect(block != NULL);
	return block[-1] & CHUNK_MMAPPED;
}

// Blocks are kept, since glibc changes its mind with what is freed; and what would come from the
// top of the heap, whatever its size, finds no room there.
static void
tell_threshold(void)
{
	size_t heap = 64 << 10, mapped = 64 << 20;
	while (mapped - heap > 1) {
		size_t middle = heap + (mapped - heap) / 2;
		while (mallinfo2().keepcost > 32 << 10)
			use(malloc(1000));
		if (is_mapped(middle))
			mapped = middle;
		else
			heap = middle;
	}
	tell("largest of the heap", heap);
}

static char *blocks[200];

static void
fill(int count, size_t bytes, bool with_small)
{
	for (int i = 0; i < count; i++) {
		blocks[i] = malloc(bytes);
		memset(blocks[i], 1, bytes);
		if (with_small)
			use(malloc(100));
	}
}

static void
empty(int count)
{
	for (int i = 0; i < count; i++)
		free(blocks[i]);
}

// Blocks that are filled and then freed, each with a small one that is kept, or without.
static void
tell_what_stays(int count, size_t bytes, bool with_small)
{
	// Our tables are in use from the first block of a place on.
	fill(1, bytes, with_small);
	empty(1);
	uint64_t before = resident();
	fill(count, bytes, with_small);
	tell("full", resident() - before);
	empty(count);
	tell("stays", resident() - before);
}

void
host(void)
{
	if (strcmp(host_role(), "statistics") == 0)
		tell_statistics();
	else if (strcmp(host_role(), "threshold") == 0)
		tell_threshold();
	else if (strcmp(host_role(), "top") == 0)
		tell_what_stays(112, 64 << 10, false);
	else if (strcmp(host_role(), "large") == 0)
		tell_what_stays(40, 1000000, true);
}

// Names of one length, as some allocators keep a copy of LD_PRELOAD. The first does nothing.
static const char nothing[] = "./nothing.so";
static const char tag_alone[] = "./the_tag.so";
static const char with_us[] = "./libpmem.so";

static const char *
told(const char *preload, const char *role)
{
	expect_equal((uint64_t)run_preloaded(role, preload, "told"), 0);
	const char *text = read_file("told");
	fprintf(stderr, "%s %s:\n%s", role, preload, text);
	return text;
}

static uint64_t
next_number(const char **text)
{
	*text += strcspn(*text, "0123456789");
	return strtoull(*text, (char **)text, 10);
}

// What the allocator asks of itself is not tagged, so that it may be less than with the tag; by
// one tag more on tcmalloc, whose object for being asked is made by the tag's own preload, too.
static void
check_statistics(void)
{
	const char *without = told(nothing, "statistics");
	const char *tagged = told(tag_alone, "statistics");
	const char *with = told(with_us, "statistics");
	while (strchr(without, '\n')[1]) {
		uint64_t one = next_number(&without), other = next_number(&tagged);
		uint64_t ours = next_number(&with);
		uint64_t least = one < other ? one : other;
		uint64_t most = one < other ? other : one;
		uint64_t object = host_allocator_is("tcmalloc") ? sizeof(uint64_t) : 0;
		expect(ours + object >= least && ours <= most);
	}
}

// The least of a few: tcmalloc's heap has a huge page more in one run than in another.
static uint64_t
what_stays(const char *preload, const char *role)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 4; i++) {
		const char *text = told(preload, role);
		uint64_t full = next_number(&text);
		uint64_t stays = next_number(&text);
		// Or its settings (see check()) were not understood.
		expect(!host_allocator_is("mimalloc") || stays < full / 4);
		least = stays < least ? stays : least;
	}
	return least;
}

static void
check_what_stays(const char *role)
{
	uint64_t without = what_stays(nothing, role);
	uint64_t with = what_stays(with_us, role);
	expect(with <= without + NEAR_KIB && without <= with + NEAR_KIB);
}

void
check(const struct logfile *log)
{
	char flags[1000];

	(void)log;
	// mimalloc gives back pages that were free for 25 ms, and segments after 500: a slow run would
	// keep less than a fast one. With 0 it does so when they are freed, whatever the clock says.
	setenv("MIMALLOC_DECOMMIT_DELAY", "0", 1);
	setenv("MIMALLOC_SEGMENT_DECOMMIT_DELAY", "0", 1);
	expect(symlink(host_library(), with_us) == 0);
	build_c(nothing, "-shared -fPIC", "");
	snprintf(flags, sizeof(flags), "-shared -fPIC '%s/tests/lib/tagged.c' -ldl", getenv("PMEM_ROOT"));
	build_c(tag_alone, flags, "");
	check_what_stays("top");
	check_what_stays("large");
	if (!host_allocator())
		expect(strcmp(told(nothing, "threshold"), told(with_us, "threshold")) == 0);
	check_statistics();
}
