// SPDX-License-Identifier: BSD-2-Clause
// jit_record: reads a line of a perf map, or a record of a jitdump. Both say where a piece of
// run-time code lies, and its name. Formats: Linux, tools/perf/Documentation, jit-interface.txt and
// jitdump-specification.txt.
//
// Who may call: any thread. The bytes are checked, since anybody may have written them.

#ifndef PMEM_JIT_RECORD_H
#define PMEM_JIT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	JIT_RECORD_NAME_MAX = 257, // bytes read of a name at most: one more than the log shows
	JIT_RECORD_HEAD_BYTES = 64, // first bytes of a dump that jit_record_begin() needs
};

struct jit_record {
	uintptr_t start;
	uintptr_t end; // first address after the code; equal to `start` if the record describes no code
	const char *name; // the name, in the given bytes, without a NUL at its end
	size_t length;    // length of the name; 0 without a name, as for moved code
	uint64_t at;      // the record's offset in the file
	// Says which record is older. In a map `when` is equal to `at`. In a dump it is the time when
	// the code was made (ns on the monotonic clock).
	uint64_t when;
};

typedef void jit_record_taker(const struct jit_record *record);

// Reads the first record of the bytes, which are at offset `at` of the file. Returns the record's
// length, or 0 if the record is damaged or not whole. In a dump a record ends with a copy of the
// code. The bytes may end before that copy.
size_t jit_record_read(bool is_dump, const char *bytes, size_t length, uint64_t at,
	struct jit_record *record);

// Returns the offset of the first record in a dump that begins with these bytes. Returns 0 if the
// dump is another process's. Also returns 0 if its first record is older than `since` (ns on the
// monotonic clock).
uint64_t jit_record_begin(const char *bytes, size_t length, pid_t pid, uint64_t since);

#endif
