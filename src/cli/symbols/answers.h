// answers: what is known of the addresses in a module's file, so that none is asked for twice.

#ifndef PMEM_CLI_ANSWERS_H
#define PMEM_CLI_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/symbolizer.h"
#include "symbols/binary.h"

struct answer {
	uint64_t address;
	bool is_named;                // answers_name() was here
	struct symbolized symbolized; // before that maybe without a call
};

// Finds out about those of the addresses that are not known yet: by the tool, one process for
// all of them. Sorts them.
void answers_learn(struct binary *binary, uint64_t *addresses, size_t count);

// NULL: never learned.
struct answer *answers_at(struct binary *binary, uint64_t address);

// Puts in the function that the code is in: by the symbol table, else as the tool said, else
// `logged`. False: that has been done before.
bool answers_name(const struct binary *binary, struct answer *answer, const char *logged);

#endif
