// Without memory the index has its static entries, all of them, and each is found; then it says that it is
// full. Where a thread makes a part the largest in use while another does so with a larger one, at any moment,
// the larger one's memory remains, so that no mask is too large for it.

#include <sys/resource.h>

#include "unit.h"
#include "base/hash.h"
#include "base/libc.h"
#include "base/table.h"

static void loaded(const void *from);

// The module is compiled here, so that another thread's steps can come after each load.
#define __atomic_load_n(from, order) \
	({ \
		__typeof__(from) at = (from); \
		__typeof__(*at) word = __atomic_load_n(at, order); \
		loaded(at); \
		word; \
	})
#define index_largest largest
#define index_probe probe
#define index_near look_near
#define index_get get
#define index_publish publish_at
#define index_invert invert
#include "sources/index.c"

enum { TRIES = 100000 };

static struct other { uint32_t number; uint64_t *entry; } larger;
static int loads_left; // until the other thread publishes; 0: it does not

static uint64_t
hash_of(uint64_t number)
{
	return hash_step(HASH_SEED, number);
}

static void
loaded(const void *from)
{
	(void)from;
	if (loads_left == 0 || --loads_left > 0)
		return;
	expect(publish_at(hash_of(larger.number), larger.number, larger.entry) == larger.number);
}

// Lets the process map what it wants, or at most half of the index's third part.
static void
let_map(bool may)
{
	struct rlimit limit;
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	expect(file && fscanf(file, "%lu", &pages) == 1 && fclose(file) == 0);
	expect(getrlimit(RLIMIT_AS, &limit) == 0);
	limit.rlim_cur = may ? limit.rlim_max : pages * 4096 + INDEX_LARGE * sizeof(uint64_t) / 2;
	expect(setrlimit(RLIMIT_AS, &limit) == 0);
}

// Publishes this number, and returns its entry, or NULL if the index is full.
static uint64_t *
publish(uint32_t number)
{
	uint64_t word;
	uint64_t *entry = probe(hash_of(number), hash_of(number), &word);

	expect(word == 0);
	expect(!entry || publish_at(hash_of(number), number, entry) == number);
	return entry;
}

static bool
is_near(const uint64_t *entry)
{
	return entry >= near_words && entry < near_words + INDEX_NEAR;
}

static bool
is_static(const uint64_t *entry)
{
	return is_near(entry) || (entry >= static_words && entry < static_words + INDEX_STATIC);
}

static void
fill(void)
{
	uint64_t *entry;
	uint32_t number = 1;

	for (; (entry = publish(number)) != NULL; number++)
		expect(is_static(entry));
	expect(number == INDEX_NEAR + INDEX_STATIC + 1);
	for (uint32_t i = 1; i < number; i++)
		expect(index_number(get(hash_of(i))) == i);
	expect(get(hash_of(number)) == 0);
	expect(largest.words == static_words && largest.reach == INDEX_STATIC - 1);
	let_map(true);
	// For a while the kernel is not asked again.
	for (int i = 0; i < TRIES && !entry; i++)
		entry = publish(number);
	expect(entry && !is_static(entry));
	expect(!is_static(largest.words) && largest.reach >= INDEX_STATIC);
	larger = (struct other){number, entry};
}

int
main(void)
{
	struct other smaller = {0};
	int moments = 0;

	expect(libc_start());
	let_map(false);
	fill();
	while (!smaller.entry || is_near(smaller.entry)) {
		uint64_t word, hash = hash_of(++smaller.number);
		smaller.entry = probe(hash, hash, &word);
	}
	expect(is_static(smaller.entry));
	do {
		largest = (struct index_part){near_words, INDEX_NEAR - 1};
		loads_left = ++moments;
		expect(publish_at(hash_of(smaller.number), smaller.number, smaller.entry) == smaller.number);
		expect(loads_left > 0 || !is_static(largest.words));
	} while (loads_left == 0);
	expect(moments > 1);
	return 0;
}
