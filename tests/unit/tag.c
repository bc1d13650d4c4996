// A tag says what it was given, at every slack, and nothing else passes for one.

#include <string.h>

#include "unit.h"
#include "tag.h"

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
	tag_restore(&tag);
	expect(tag_read(memory, usable, &none) && none.source == source);
	memset(memory + usable - TAG_BYTES, 0, TAG_BYTES);
}

int
main(void)
{
	static const size_t slacks[] = {0, 1, 7, 8, 15, 16, 1000, TAG_WIDE - 1, TAG_WIDE,
		TAG_WIDE + 1, 2 << 20, 4 << 20};
	struct tag tag;

	for (size_t i = 0; i < sizeof(slacks) / sizeof(*slacks); i++) {
		for (size_t bytes = 0; bytes < 100; bytes++) {
			round_trip(bytes, bytes + slacks[i] + TAG_BYTES, 0);
			round_trip(bytes, bytes + slacks[i] + TAG_BYTES, PMEM_SOURCES - 1);
		}
	}

	// Too small, zeros, noise, a tag at another address, one overrun by 1 to 8 bytes.
	expect(!tag_read(memory, 0, &tag) && !tag_read(memory, 7, &tag));
	memset(memory, 0, 4096);
	expect(!tag_read(memory, 64, &tag));
	unsigned passed = 0;
	for (unsigned i = 0; i < 1000000; i++) {
		uint64_t noise = i * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)i << 40;
		memcpy(memory + 24, &noise, 8);
		passed += tag_read(memory, 32, &tag);
	}
	expect(passed < 5);
	tag_write(memory, 64, 5, 40);
	memmove(memory + 16, memory, 64);
	expect(!tag_read(memory + 16, 64, &tag));
	for (size_t overrun = 1; overrun <= 8; overrun++) {
		tag_write(memory, 64, 5, 56);
		memset(memory + 56, 'A', overrun);
		expect(!tag_read(memory, 64, &tag));
	}
	return 0;
}
