// SPDX-License-Identifier: BSD-2-Clause
// The time of a log's end, a label or a reset is known only after the whole log was read. So this
// module reads the logs to their ends. After that the command reads them again.

#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "log/log.h"

static bool
can_be_read_again(const char *path)
{
	struct stat status;
	return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || !S_ISFIFO(status.st_mode));
}

// Returns the time of the latest snapshot in all logs. If `named` is given, only snapshots with
// that label or reset count. Returns 0 if no snapshot counts.
static int64_t
end_of(char **paths, const struct moment *named)
{
	int64_t end_ms = 0;
	const char *without = NULL;

	for (; *paths; paths++) {
		if (!can_be_read_again(*paths))
			die(EXIT_USAGE, "%s: can be read once, so %s",
				strcmp(*paths, "-") == 0 ? "standard input" : *paths,
				named ? "where a label is is not known before: give a snapshot's number, or a time"
				: "its end is not known before: a time such as -5m or 02:13 needs a file, or its "
				"date");
		struct log *log = log_open(*paths);
		const struct snapshot *snapshot;
		while (log && (snapshot = log_next_told(log))) {
			int64_t time_ms = snapshot->summary.time_ms;
			if (named && !summary_is_named(&snapshot->summary, named))
				continue;
			end_ms = time_ms > end_ms ? time_ms : end_ms;
			without = time_ms == 0 ? *paths : without;
		}
		if (log)
			log_close(log);
	}
	if (end_ms == 0 && without)
		die(EXIT_DATA, "%s: its snapshots do not say when they were written, so there is no end to "
			"count from: give a snapshot's number", without);
	return end_ms;
}

void
log_resolve_relative(char **paths, struct moment *one, struct moment *other)
{
	if (!moment_is_relative(one) && !moment_is_relative(other))
		return;
	// Errors of a log are reported later, when the log is read for the command.
	message_is_quiet = true;
	int64_t end_ms = end_of(paths, NULL);
	message_is_quiet = false;
	if (moment_is_relative(one))
		moment_resolve(one, end_ms);
	if (moment_is_relative(other))
		moment_resolve(other, end_ms);
}

void
log_resolve_named(char **paths, struct moment *moment)
{
	if (moment->kind != MOMENT_LABEL && moment->kind != MOMENT_RESET)
		return;
	message_is_quiet = true;
	int64_t time_ms = end_of(paths, moment);
	message_is_quiet = false;
	if (time_ms == 0 && moment->kind == MOMENT_RESET)
		die(EXIT_DATA, "no snapshot of a pmem_reset() in what there is to read");
	if (time_ms == 0)
		die(EXIT_DATA, "no snapshot has the label '%s': expected " MOMENT_FORMS, moment->label);
	*moment = (struct moment){.kind = MOMENT_TIME, .time_ms = time_ms};
}
