// SPDX-License-Identifier: BSD-2-Clause
// The C library's functions on bytes and strings that we use. They have the C library's names, so
// that calls which the compiler inserts find them, too. They are hidden: no function of the
// program's replaces them, and they work before our relocations are done. They are made for short
// pieces. On x86-64 memset(), and memcpy() of more than SHORT_BYTES, use the processor's string
// instructions.

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define OURS __attribute__((visibility("hidden"), used))

// Stands in the body of each loop here. Without it the compiler might replace the loop by a call to
// the very function that the loop is in.
#define STEP() __asm__ volatile("" ::: "memory")

#ifdef __x86_64__

static inline void
copy_forwards(unsigned char *to, const unsigned char *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static inline void
fill(unsigned char *to, unsigned char byte, size_t bytes)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
}

#else

static inline void
copy_forwards(unsigned char *to, const unsigned char *from, size_t bytes)
{
	for (; bytes > 0; bytes--) {
		*to++ = *from++;
		STEP();
	}
}

static inline void
fill(unsigned char *to, unsigned char byte, size_t bytes)
{
	for (; bytes > 0; bytes--) {
		*to++ = byte;
		STEP();
	}
}

#endif

enum {
	WORD = sizeof(uint64_t),
	SHORT_BYTES = 256, // up to this size copying by words is faster than `rep movsb`
};

static inline uint64_t
load(const unsigned char *at)
{
	uint64_t word;
	__builtin_memcpy(&word, at, sizeof(word));
	return word;
}

static inline void
store(unsigned char *at, uint64_t word)
{
	__builtin_memcpy(at, &word, sizeof(word));
}

// Copies from the lowest byte up. Also correct if the source begins inside the target.
static inline void
copy_words(unsigned char *to, const unsigned char *from, size_t bytes)
{
	for (; bytes >= WORD; bytes -= WORD, to += WORD, from += WORD) {
		store(to, load(from));
		STEP();
	}
	for (; bytes > 0; bytes--) {
		*to++ = *from++;
		STEP();
	}
}

OURS void *
memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	if (bytes > SHORT_BYTES)
		copy_forwards(to, from, bytes);
	else
		copy_words(to, from, bytes);
	return to;
}

OURS void *
memmove(void *to, const void *from, size_t bytes)
{
	unsigned char *at = to;
	const unsigned char *source = from;

	if ((uintptr_t)at - (uintptr_t)source >= bytes) {
		copy_words(at, source, bytes);
		return to;
	}
	while (bytes >= WORD) {
		bytes -= WORD;
		store(at + bytes, load(source + bytes));
		STEP();
	}
	while (bytes > 0) {
		bytes--;
		at[bytes] = source[bytes];
		STEP();
	}
	return to;
}

OURS void *
memset(void *to, int byte, size_t bytes)
{
	fill(to, (unsigned char)byte, bytes);
	return to;
}

OURS int
memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *one = a;
	const unsigned char *other = b;

	for (; bytes >= WORD && load(one) == load(other); bytes -= WORD, one += WORD, other += WORD)
		STEP();
	for (; bytes > 0; bytes--, one++, other++) {
		if (*one != *other)
			return *one - *other;
		STEP();
	}
	return 0;
}

// clang replaces a memcmp() for equality by this function.
OURS int
bcmp(const void *a, const void *b, size_t bytes)
{
	return memcmp(a, b, bytes);
}

OURS void *
(memchr)(const void *in, int byte, size_t bytes)
{
	const unsigned char *at = in;
	for (; bytes > 0; bytes--, at++) {
		if (*at == (unsigned char)byte)
			return (void *)(uintptr_t)at;
		STEP();
	}
	return NULL;
}

OURS size_t
strlen(const char *string)
{
	const char *end = string;
	for (; *end; end++)
		STEP();
	return (size_t)(end - string);
}

OURS size_t
strnlen(const char *string, size_t limit)
{
	size_t length = 0;
	for (; length < limit && string[length]; length++)
		STEP();
	return length;
}

OURS int
strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		STEP();
	return (unsigned char)*a - (unsigned char)*b;
}

OURS char *
(strrchr)(const char *string, int byte)
{
	const char *found = NULL;
	for (;; string++) {
		if (*string == (char)byte)
			found = string;
		if (!*string)
			return (char *)(uintptr_t)found;
		STEP();
	}
}
