// each: -DPMEM_SAMPLE_BYTES=0; -DPMEM_SAMPLE_BYTES=1000
// A tag says what it was given, at every slack, and nothing else passes for one. Of one that
// was written over from its lowest byte up, two bytes are mended and six still known for ours. Where
// blocks are sampled, noise never passes for what is left of one.

#include <string.h>

#include "unit.h"
#include "base/tag.h"

enum {
	SOURCES = 1000, // as if so many were known
};

static _Alignas(16) char memory[8 << 20];

static void
round_trip(size_t bytes, size_t usable, uint32_t source)
{
	struct tag tag;
	memset(memory, 0xee, 64);
	tag_write(memory, usable, source, bytes);
	expect(tag_read(memory, usable, &tag));
	expect(tag.source == source && tag.bytes == bytes);
	expect(tag.usable >= bytes && tag.usable < usable);
	// All that the program may use does not touch it.
	memset(memory, 0xff, tag.usable);
	expect(tag_read(memory, usable, &tag) && tag.bytes == bytes);
	tag_wipe(&tag);
	struct tag none;
	expect(!tag_read(memory, usable, &none));
	expect(tag_judge(memory, usable, PMEM_SOURCES, &none) == TAG_NONE);
	tag_restore(&tag);
	expect(tag_read(memory, usable, &none) && none.source == source);
	memset(memory + usable - TAG_BYTES, 0, TAG_BYTES);
}

// Writes `overrun` bytes of the tag over, each to something else than it was.
static void
overrun_by(size_t bytes, size_t slack, uint32_t source, size_t overrun, unsigned char with)
{
	size_t usable = bytes + slack + TAG_BYTES;
	struct tag tag;

	tag_write(memory, usable, source, bytes);
	char *word = memory + usable - TAG_BYTES;
	for (size_t i = 0; i < overrun; i++)
		word[i] = (char)(word[i] == (char)with ? with + 1 : with);
	expect(!tag_read(memory, usable, &tag));
	enum tag_state state = tag_judge(memory, usable, SOURCES, &tag);
	if (overrun <= 2)
		expect(state == TAG_MENDED && tag.source == source && tag.bytes == bytes);
	else if (overrun <= 6)
		expect(state == TAG_DAMAGED && tag.usable == usable - TAG_BYTES);
	else if (TAG_CHECK_BYTES > 0 || (overrun == 8 && with < 0x7f))
		expect(state == TAG_NONE);
	else
		expect(state != TAG_MENDED);
}

// How many of a million words of noise at one place pass; and none that begins with bit 0.
static void
noise(unsigned *whole, unsigned *mended, unsigned *damaged)
{
	uint64_t random = 88172645463325252;
	struct tag tag;

	for (unsigned i = 0; i < 1000000; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		memcpy(memory + 32 - TAG_BYTES, &random, 8);
		*whole += tag_read(memory, 32, &tag);
		enum tag_state state = tag_judge(memory, 32, SOURCES, &tag);
		*mended += state == TAG_MENDED;
		*damaged += state == TAG_DAMAGED;
		expect(state == TAG_NONE || random >> 63 == 1);
	}
}

int
main(void)
{
	static const size_t slacks[] = {0, 1, 7, 8, 15, 16, 100, TAG_WIDE - 1, TAG_WIDE,
		TAG_WIDE + 1, 4096, 2 << 20, 4 << 20};
	struct tag tag;

	for (size_t i = 0; i < sizeof(slacks) / sizeof(*slacks); i++) {
		for (size_t bytes = 0; bytes < 100; bytes++) {
			round_trip(bytes, bytes + slacks[i] + TAG_BYTES, 0);
			round_trip(bytes, bytes + slacks[i] + TAG_BYTES, PMEM_SOURCES - 1);
		}
		for (size_t overrun = 1; overrun <= 8; overrun++) {
			overrun_by(40, slacks[i], 5, overrun, 0);
			overrun_by(40, slacks[i], SOURCES - 1, overrun, 'A');
			overrun_by(41, slacks[i], 1, overrun, 0xff);
		}
	}

	// An overrun that took the size before a wide tag: ours, but of what size?
	tag_write(memory, 4096, 5, 100);
	memset(memory + 4096 - TAG_BYTES - 8, 'A', 8);
	expect(!tag_read(memory, 4096, &tag));
	expect(tag_judge(memory, 4096, SOURCES, &tag) == TAG_DAMAGED);

	// Too small, zeros, a tag at another address, noise.
	for (size_t usable = 0; usable < TAG_BYTES; usable++)
		expect(!tag_read(memory, usable, &tag)
			&& tag_judge(memory, usable, SOURCES, &tag) == TAG_NONE);
	memset(memory, 0, 4096);
	expect(!tag_read(memory, 64, &tag) && tag_judge(memory, 64, SOURCES, &tag) == TAG_NONE);
	for (size_t moved = 16; moved < sizeof(memory) - 64; moved += 16) {
		tag_write(memory, 64, 5, 40);
		memmove(memory + moved, memory, 64);
		expect(!tag_read(memory + moved, 64, &tag));
	}
	unsigned whole = 0, mended = 0, damaged = 0;
	noise(&whole, &mended, &damaged);
	// 2^-36, 2^-30, and with 1000 sources 4 in 65536.
	expect(whole == 0 && mended == 0);
	expect(TAG_CHECK_BYTES > 0 ? damaged == 0 : damaged > 20 && damaged < 120);
	return 0;
}
