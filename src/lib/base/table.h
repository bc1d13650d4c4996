// SPDX-License-Identifier: BSD-2-Clause
// table: memory that is mapped as it is used. Unused parts are not resident: a program that
// locks its memory, or forks, does not pay for them.
//
// Who may call: see at each. Never allocates but by mmap() of our own, never blocks. Where
// there is no memory the answer says so, and the caller steps down.

#ifndef PMEM_TABLE_H
#define PMEM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is static and takes a page or more: on pages of its own, so that those which are not used
// are no part of the process either, and what is small lies on few (compile.sh sorts them).
#define TABLE_STATIC __attribute__((aligned(4096)))

// Zeroed memory that is touched as it is used, in small pages: a huge one would make all of it
// resident for the little in use. NULL: there is none. What is mapped so lies mostly side by
// side, and as it is all alike the kernel takes it for one mapping: fork() copies each of them.
void *table_map(size_t bytes);

enum {
	TABLE_CHUNK_BITS = 16, // 64 KiB
	TABLE_CHUNK_BYTES = 1 << TABLE_CHUNK_BITS,
};

// Items for any number of threads, in chunks that stay where they are for ever.
struct table {
	void **chunks;  // NULL if not mapped yet; atomic
	unsigned shift; // 2^shift items in a chunk
	unsigned item_bytes;
	void *first; // the first chunk if it is static; NULL if it is mapped, too
};

#define TABLE_CHUNKS(items, shift) (((size_t)(items) + (1 << (shift)) - 1) >> (shift))

// Returns the chunk, and maps it if need be. Returns NULL if there is no memory. Any thread, at
// any moment.
void *table_chunk(void **chunk, size_t bytes);

// Returns an item, or NULL if its chunk has not been mapped.
static inline void *
table_get(const struct table *table, size_t item)
{
	char *chunk = __atomic_load_n(&table->chunks[item >> table->shift], __ATOMIC_ACQUIRE);
	size_t at = item & (((size_t)1 << table->shift) - 1);
	return chunk ? chunk + at * table->item_bytes : NULL;
}

// Returns an item, and maps its chunk if need be. Returns NULL if there is no memory.
static inline void *
table_reach(const struct table *table, size_t item)
{
	size_t bytes = (size_t)table->item_bytes << table->shift;
	void **place = &table->chunks[item >> table->shift];
	// Not from the start: an address that the loader would have to put there is a page that each
	// program has to have.
	if (table->first && place == table->chunks && !*place)
		__atomic_store_n(place, table->first, __ATOMIC_RELEASE);
	void *chunk = table_chunk(place, bytes);
	return chunk ? table_get(table, item) : NULL;
}

// One array that moves as it grows. For one thread at a time, which holds all signals.
struct growing {
	void *at;
	size_t bytes;
	bool is_mapped; // false if the memory is static
};

// The most that one of so many bytes takes: for a moment it is there twice, a half and a whole.
#define TABLE_GROWING_MAX(bytes) ((uint64_t)(bytes) + (uint64_t)(bytes) / 2)

// Makes the array at least so large: its content is kept, the rest is 0. Returns false, with
// the array unchanged, if there is no memory.
bool table_grow(struct growing *growing, size_t bytes);

// Returns the number of the first item whose key is not below `key`, or `count` if all are
// below. Items begin with their keys of 64 bits and are sorted by them.
size_t table_first_from(const void *items, size_t count, size_t item_bytes, uint64_t key);

#endif
