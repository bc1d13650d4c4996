// SPDX-License-Identifier: BSD-2-Clause
// rates: adds rates of processes. Processes that come and go are not all there at one time, so a sum
// over all of them would be too high. The sum is the highest that there was at any time.

#ifndef PMEM_CLI_RATES_H
#define PMEM_CLI_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


// A zeroed struct has no rates.
struct report_rates {
	struct rate_of_process {
		size_t process;
		int64_t first, last; // when the process was seen; INT64_MAX if it has not ended
		double rate; // in bytes an hour
	} *all;
	size_t count, room;
};

// Adds a rate. All rates of one process must be added one after another. Returns true if this is the
// first one of its process.
bool report_rates_add(struct report_rates *rates, const struct rate_of_process *rate);

// Returns the highest sum of rates of processes that ran at one time. Frees the rates.
double report_rates_highest(struct report_rates *rates);

#endif
