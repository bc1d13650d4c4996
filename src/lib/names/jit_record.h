// SPDX-License-Identifier: BSD-2-Clause
// jit_record: a line of a perf map, or a record of a jitdump: where a piece of code lies, and its
// name. Formats: Linux, tools/perf/Documentation, jit-interface.txt and jitdump-specification.txt.
//
// Who may call: any thread. The bytes are not trusted.

#ifndef PMEM_JIT_RECORD_H
#define PMEM_JIT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	JIT_RECORD_NAME_MAX = 257, // bytes, one more than the log shows; the rest is cut off
	JIT_RECORD_HEAD_BYTES = 64, // first bytes of a dump that jit_record_begin() needs
};

struct jit_record {
	uintptr_t start;
	uintptr_t end;    // past the code; equal to `start` if the record describes no code
	const char *name; // in the given bytes, without a NUL
	size_t length;    // 0 if the record has no name, as for moved code
	uint64_t at;      // the record's offset in the file
	uint64_t when;    // equal to `at`; in a dump: when the code was made, by the monotonic clock
};

typedef void jit_record_taker(const struct jit_record *record);

// Reads the first record of the bytes, which are at offset `at` of the file. Returns its length, or
// 0 if the record is damaged or not whole. In a dump a record ends with a copy of the code: that
// copy may be missing.
size_t jit_record_read(bool is_dump, const char *bytes, size_t length, uint64_t at,
	struct jit_record *record);

// Returns the offset of the first record in a dump that begins with these bytes. Returns 0 if the
// dump is another process's, or if its first record is from before `since`.
uint64_t jit_record_begin(const char *bytes, size_t length, pid_t pid, uint64_t since);

#endif
