// What is compressed is read back by gzip to the byte: nothing, single bytes, each byte, runs, repetitions at
// each distance, noise, and what is longer than a chunk. It is small where it repeats itself, never much larger
// than what it is of, and the same each time.

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/gzip.h"

enum { MOST = 1000000 };
static unsigned char bytes[MOST];

// Writes the first `length` bytes, `step` at a time, and returns the file's size.
static long
compress(const char *path, size_t length, size_t step)
{
	FILE *file = fopen(path, "w");
	FILE *gzip = gzip_open(file);

	for (size_t at = 0; at < length; at += step)
		assert(fwrite(bytes + at, length - at < step ? length - at : step, 1, gzip) == 1);
	assert(fclose(gzip) == 0);
	long size = ftell(file);
	assert(fclose(file) == 0);
	return size;
}

static long
check(size_t length, size_t step)
{
	static unsigned char again[MOST + 1];

	long size = compress("a.gz", length, step);
	FILE *from = popen("gzip -dc a.gz", "r");
	size_t count = fread(again, 1, sizeof(again), from);
	assert(pclose(from) == 0);
	if (count != length || memcmp(again, bytes, length) != 0) {
		printf("%zu bytes, %zu at a time: got %zu\n", length, step, count);
		exit(1);
	}
	assert((size_t)size <= length + length / 8 + 32);
	return size;
}

static uint32_t
noise(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

int
main(void)
{
	check(0, 1);
	for (int i = 0; i < 256; i++)
		bytes[i] = (unsigned char)(255 - i);
	check(1, 1);
	check(256, 7);

	// A run of each length that has a code of its own, and longer ones.
	for (size_t length = 2; length < 600; length += length < 300 ? 29 : 1)
		check(length, length);
	memset(bytes, 'a', MOST);
	assert(check(MOST, 4096) < MOST / 100);

	// Twelve bytes again and again, with noise between that is as long as any distance.
	for (size_t i = 0; i < MOST; i++)
		bytes[i] = (unsigned char)noise();
	for (size_t at = 0, distance = 12; at + 12 < MOST; at += distance, distance = distance * 5 / 4)
		memcpy(bytes + at, "once and once again", 12);
	check(MOST, 100000);
	check(MOST, MOST);
	// The farthest distance, and one more.
	for (size_t distance = 32767; distance <= 32769; distance++) {
		memcpy(bytes + distance, bytes, 258);
		check(distance + 258, distance + 258);
	}
	// Around a chunk's end.
	for (size_t length = (1 << 18) - 2; length <= (1 << 18) + 2; length++)
		check(length, 12345);

	// Texts as they are in a profile.
	size_t at = 0;
	while (at < MOST - 64)
		at += (size_t)sprintf((char *)bytes + at, "/usr/lib/x86_64-linux-gnu/lib%u.so.%u(+0x%x)",
			noise() % 50, noise() % 9, noise());
	assert(check(at, 10) < (long)at / 3);
	long size = compress("b.gz", at, 10);
	assert(system("cmp a.gz b.gz") == 0 && size == check(at, 10));
	return 0;
}
