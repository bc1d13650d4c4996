// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/message.h"

const char *assert_log;

void
assert_failed(const char *file, int line, const char *condition)
{
	static bool is_failing;

	// A second failure can occur in a function that exit() runs after the first one. The second
	// failure ends the process without a message.
	if (is_failing)
		_exit(EXIT_FAULT);
	is_failing = true;
	__fpurge(stdout);
	// die() calls exit(). So the functions given to atexit() run, one of which restores the
	// terminal.
	die(EXIT_FAULT, "%s:%d: %s does not hold: this is a fault of pmem; please report it with the log%s%s",
		file, line, condition, assert_log ? ": " : "", assert_log ? assert_log : "");
}
