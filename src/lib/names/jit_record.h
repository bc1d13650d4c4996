// SPDX-License-Identifier: BSD-2-Clause
// jit_record: what a perf map or a jitdump tells of one piece of code made at run time.
//
// A perf map has a line for each: START SIZE NAME, the numbers in base 16 (Linux,
// tools/perf/Documentation/jit-interface.txt). A jitdump has records, with the code itself and the
// time when it was made (jitdump-specification.txt, beside it).
//
// Who may call: any thread. Reads only the bytes it is given, and trusts none of them.

#ifndef PMEM_JIT_RECORD_H
#define PMEM_JIT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	JIT_RECORD_NAME_MAX = 257,  // bytes of a name: one more than is shown; the rest is cut off
	JIT_RECORD_BYTES_MAX = 336, // up to the end of such a name
	JIT_RECORD_HEAD_BYTES = 64, // what jit_record_begin() wants to see
};

// Whoever saw no map at a time of the clock has seen none of its lines.
#define JIT_RECORD_LINE (UINT64_C(1) << 63)

struct jit_record {
	uintptr_t start; // and the address behind it
	uintptr_t end;
	uint64_t at;      // its offset in the file; the caller sets it
	uint64_t when;    // it was told: by the monotonic clock; of a line its offset and JIT_RECORD_LINE
	const char *name; // in the bytes given; without an end
	size_t length;    // 0: it is not known what lies there
};

// Returns where the records of a dump begin. 0: it is no dump, another process's, or was begun
// before `since`.
uint64_t jit_record_begin(const char *bytes, size_t length, pid_t pid, uint64_t since);

// Returns the bytes of the first line or record, more perhaps than were given. 0: it is not whole,
// or it is damaged. *tells: it tells of code, whole or not.
uint64_t jit_record_read(bool is_dump, const char *bytes, size_t length,
	struct jit_record *record, bool *tells);

#endif
