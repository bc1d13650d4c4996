// SPDX-License-Identifier: BSD-2-Clause
// table: memory whose pages become resident at their first use. A program that locks its memory,
// or forks, does not pay for unused parts.
//
// Who may call: stated at each function. Allocates only by our own mmap(), never blocks. If there
// is no memory, the functions return NULL or false, and the caller does without.

#ifndef PMEM_TABLE_H
#define PMEM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An attribute for static data of a page or more, which then gets pages of its own. So its unused
// pages are not resident, and all small data is together on few pages (compile.sh sorts them).
#define TABLE_STATIC __attribute__((aligned(4096)))

// What a table is for. The log tells of large tables in this order (lines.c).
enum table_kind {
	TABLE_STACKS,   // sources, their frames, and what finds them
	TABLE_COUNTERS, // of threads, and their sums
	TABLE_WALKS,    // the unwinder's memos
	TABLE_LINES,    // of interpreters
	TABLE_TAGS,     // of blocks that have no room for one
	TABLE_NAMES,    // and all else that grows for a snapshot
	TABLE_KINDS,
};

// Bytes that are mapped for tables of each kind. Not all of them are resident. Atomic.
extern uint64_t table_bytes[TABLE_KINDS];

// Returns zeroed memory in small pages that become resident at their first use. Huge pages are
// switched off, since a huge page is resident as a whole, however little of it is used. Returns
// NULL if there is no memory. These mappings mostly lie side by side and are alike, so the kernel
// merges them into one. A fork() then has fewer mappings to copy.
void *table_map(enum table_kind kind, size_t bytes);

// Gives back what table_map() has returned.
void table_unmap(enum table_kind kind, void *at, size_t bytes);

enum {
	TABLE_CHUNK_BITS = 16, // 64 KiB
	TABLE_CHUNK_BYTES = 1 << TABLE_CHUNK_BITS,
};

// An array of items for any number of threads. It consists of chunks, which are mapped as they are
// used, and never move.
struct table {
	void **chunks;  // each is NULL until it is mapped; atomic
	unsigned shift; // 2^shift items in a chunk
	unsigned item_bytes;
	void *first; // static memory for the first chunk; NULL if that chunk is mapped like the others
	enum table_kind kind;
};

#define TABLE_CHUNKS(items, shift) (((size_t)(items) + (1 << (shift)) - 1) >> (shift))

// Returns the chunk, and maps it if need be. Returns NULL if there is no memory. Any thread may
// call this at any moment.
void *table_chunk(enum table_kind kind, void **chunk, size_t bytes);

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
	// The static chunk's address is stored in the array at its first use. If the array were
	// initialized with that address, the loader would relocate it. The array's page would then be
	// resident in each program.
	if (table->first && place == table->chunks && !*place)
		__atomic_store_n(place, table->first, __ATOMIC_RELEASE);
	void *chunk = table_chunk(table->kind, place, bytes);
	return chunk ? table_get(table, item) : NULL;
}

// An array that moves as it grows. Only one thread at a time may use it, and must block signals
// meanwhile.
struct growing {
	void *at;
	size_t bytes;
	bool is_mapped; // false if the memory is static
};

// Upper bound of the memory of an array that grows up to `bytes` bytes. When the array moves, its
// old memory still exists. The old memory is half as large as the new.
#define TABLE_GROWING_MAX(bytes) ((uint64_t)(bytes) + (uint64_t)(bytes) / 2)

// Makes the array at least `bytes` large. Keeps its content; new bytes are 0. Returns false, with
// the array unchanged, if there is no memory.
bool table_grow(struct growing *growing, size_t bytes);

// Returns the number of the first item whose key is not below `key`, or `count` if all are
// below. Each item begins with its key, a 64-bit number. The items are sorted by key.
size_t table_first_from(const void *items, size_t count, size_t item_bytes, uint64_t key);

#endif
