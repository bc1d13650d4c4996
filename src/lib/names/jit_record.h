// SPDX-License-Identifier: BSD-2-Clause
// jit_record: a line of a perf map, or a record of a jitdump: where a piece of code lies, and its
// name. Linux, tools/perf/Documentation: jit-interface.txt and jitdump-specification.txt.
//
// Who may call: any thread. The bytes are not trusted.

#ifndef PMEM_JIT_RECORD_H
#define PMEM_JIT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	JIT_RECORD_NAME_MAX = 257, // bytes: one more than the log shows; the rest is cut off
	JIT_RECORD_HEAD_BYTES = 64, // of a dump, for jit_record_begin()
};

struct jit_record {
	uintptr_t start;
	uintptr_t end;    // behind the code; `start`: the record tells of no code
	const char *name; // in the given bytes; without an end
	size_t length;    // 0: the code has no name, as where it was moved to
	uint64_t at;      // where the record stands in the file
	uint64_t when;    // the same; of a dump: when the code was made, by the monotonic clock
};

typedef void jit_record_taker(const struct jit_record *record);

// Reads the first record of the bytes, which stand at `at` in the file. Returns how many bytes it
// has; 0: it is not whole, or damaged. The code in a dump's record need not be there.
size_t jit_record_read(bool is_dump, const char *bytes, size_t length, uint64_t at,
	struct jit_record *record);

// Where in a dump the first record stands. 0: it is not this process's, or from before `since`.
uint64_t jit_record_begin(const char *bytes, size_t length, pid_t pid, uint64_t since);

#endif
