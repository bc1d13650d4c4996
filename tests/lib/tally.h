// tally: figures of a whole run. Tests add to them from any process; the runner, which names
// the file in TEST_TALLY, adds them up in its last line but one. Without it nothing happens.

#ifndef TESTS_TALLY_H
#define TESTS_TALLY_H

#include <stdint.h>

// Names that the runner shows:
//	faults       injected: a call that was made to fail, a process that was killed
//	snapshots    parsed, by log_read()
//	blocks       of memory whose allocation a parsed log accounts for, by log_read()
//	differences  found: log_read()'s complaints, and unequal numbers
// Allocates nothing, so that a host under the library can call it.
void tally(const char *name, uint64_t count);

#endif
