// SPDX-License-Identifier: BSD-2-Clause
// The whole file is one block of deflate. Its window begins anew with each chunk of bytes. A match begins
// and ends in one chunk, so nothing of an earlier chunk is kept. RFC 1951, 4, has the hash chains.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/crc32.h"
#include "base/memory.h"
#include "base/message.h"
#include "export/gzip.h"

enum {
	CHUNK = 1 << 18,
	HASH_BITS = 15,
	MIN_MATCH = 4, // shorter matches are not looked for, though deflate has them from 3 bytes on
	MAX_MATCH = 258,
	WINDOW = 1 << 15,
	TRIES = 32, // how many places of a hash chain are compared
	END_OF_BLOCK = 256,
};

struct gzip {
	FILE *to;
	uint32_t checksum, bytes; // of what was written so far
	uint32_t bits;            // the last bits, if they are no whole byte yet
	unsigned bit_count;
	uint32_t latest[1 << HASH_BITS]; // latest[h] is the latest place of hash h in the chunk, from 1 on
	uint32_t previous[CHUNK];        // previous[p] is the place before p in its hash chain, from 1 on
	char room[CHUNK];                // of the stream
};

static void
put_bits(struct gzip *gzip, uint32_t bits, unsigned count)
{
	gzip->bits |= bits << gzip->bit_count;
	gzip->bit_count += count;
	for (; gzip->bit_count >= 8; gzip->bit_count -= 8, gzip->bits >>= 8)
		putc((int)(gzip->bits & 255), gzip->to);
}

// Codes are written from their highest bit on, and numbers from their lowest on.
static void
put_code(struct gzip *gzip, uint32_t code, unsigned count)
{
	uint32_t reversed = 0;

	for (unsigned i = 0; i < count; i++)
		reversed |= (code >> i & 1) << (count - 1 - i);
	put_bits(gzip, reversed, count);
}

// Puts a byte, END_OF_BLOCK or a length's symbol: RFC 1951, 3.2.6.
static void
put_symbol(struct gzip *gzip, uint32_t symbol)
{
	if (symbol < 144)
		put_code(gzip, 0x30 + symbol, 8);
	else if (symbol < 256)
		put_code(gzip, 0x190 + symbol - 144, 9);
	else if (symbol < 280)
		put_code(gzip, symbol - 256, 7);
	else
		put_code(gzip, 0xc0 + symbol - 280, 8);
}

// Returns a number's symbol: RFC 1951, 3.2.5. There are 2 ^ kept symbols for each power of two, and the
// *extra lowest bits of the number come behind its symbol.
static uint32_t
symbol_of(uint32_t number, unsigned kept, unsigned *extra)
{
	for (*extra = 0; number >> *extra >> (kept + 1) != 0;)
		++*extra;
	return (*extra << kept) + (number >> *extra);
}

static void
put_match(struct gzip *gzip, uint32_t length, uint32_t distance)
{
	unsigned extra;
	uint32_t number = length - 3, symbol = symbol_of(number, 2, &extra);

	if (length == MAX_MATCH) {
		put_symbol(gzip, 285);
	} else {
		put_symbol(gzip, 257 + symbol);
		put_bits(gzip, number & ((1u << extra) - 1), extra);
	}
	number = distance - 1;
	symbol = symbol_of(number, 1, &extra);
	put_code(gzip, symbol, 5);
	put_bits(gzip, number & ((1u << extra) - 1), extra);
}

// Adds the place to its hash chain. Returns the place before it in the chain, from 1 on; 0 if there is
// none.
static uint32_t
add_place(struct gzip *gzip, const unsigned char *bytes, uint32_t place)
{
	uint32_t word;

	memcpy(&word, &bytes[place], sizeof(word));
	uint32_t *latest = &gzip->latest[word * UINT32_C(0x9e3779b1) >> (32 - HASH_BITS)];
	gzip->previous[place] = *latest;
	*latest = place + 1;
	return gzip->previous[place];
}

static void
compress_chunk(struct gzip *gzip, const unsigned char *bytes, uint32_t count)
{
	memset(gzip->latest, 0, sizeof(gzip->latest));
	for (uint32_t place = 0; place < count;) {
		uint32_t best = 0, distance = 0, most = count - place < MAX_MATCH ? count - place : MAX_MATCH;
		uint32_t from = most >= MIN_MATCH ? add_place(gzip, bytes, place) : 0;
		for (int i = 0; i < TRIES && from > 0 && place - (from - 1) <= WINDOW; i++) {
			uint32_t length = 0;
			while (length < most && bytes[from - 1 + length] == bytes[place + length])
				length++;
			if (length > best) {
				best = length;
				distance = place - (from - 1);
			}
			from = gzip->previous[from - 1];
		}
		if (best < MIN_MATCH) {
			put_symbol(gzip, bytes[place++]);
			continue;
		}
		put_match(gzip, best, distance);
		for (uint32_t end = place + best; ++place < end;)
			if (count - place >= MIN_MATCH)
				add_place(gzip, bytes, place);
	}
}

static ssize_t
gzip_write(void *cookie, const char *bytes, size_t count)
{
	struct gzip *gzip = cookie;

	gzip->checksum = crc32_add(gzip->checksum, bytes, count);
	gzip->bytes += (uint32_t)count;
	for (size_t done = 0, part; done < count; done += part) {
		part = count - done < CHUNK ? count - done : CHUNK;
		compress_chunk(gzip, (const unsigned char *)bytes + done, (uint32_t)part);
	}
	return (ssize_t)count;
}

static void
put_word(struct gzip *gzip, uint32_t word)
{
	put_bits(gzip, word & 0xffff, 16);
	put_bits(gzip, word >> 16, 16);
}

static int
gzip_close(void *cookie)
{
	struct gzip *gzip = cookie;

	put_symbol(gzip, END_OF_BLOCK);
	put_bits(gzip, 0, -gzip->bit_count & 7);
	put_word(gzip, gzip->checksum);
	put_word(gzip, gzip->bytes);
	free(gzip);
	return 0;
}

FILE *
gzip_open(FILE *to)
{
	struct gzip *gzip = memory_get(1, sizeof(*gzip));
	FILE *stream = fopencookie(gzip, "w", (cookie_io_functions_t){.write = gzip_write, .close = gzip_close});

	if (!stream)
		die(EXIT_DATA, "gzip:");
	setvbuf(stream, gzip->room, _IOFBF, sizeof(gzip->room));
	gzip->to = to;
	// deflate; no flags and no time; made on Unix.
	fwrite("\x1f\x8b\x08\0\0\0\0\0\0\x03", 1, 10, to);
	// The last block, with fixed codes.
	put_bits(gzip, 1, 1);
	put_bits(gzip, 1, 2);
	return stream;
}
