// Which snapshot is the moment of a profile, and what is said where there is none.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/unit.h"
#include "rows/profile.h"

bool
profile_is_moment(const struct moment *moment, const struct summary *now,
	const struct summary *so_far)
{
	switch (moment->kind) {
	case MOMENT_LAST:
		return true;
	case MOMENT_FIRST:
		return so_far->place == 0;
	case MOMENT_PEAK:
		return so_far->place == 0 || now->total.live > so_far->total.live;
	case MOMENT_NUMBER:
		return now->number == moment->number;
	case MOMENT_TIME:
		return now->time_ms != 0 && now->time_ms <= moment->time_ms;
	case MOMENT_LABEL:
	case MOMENT_RESET:
		return summary_is_named(now, moment);
	case MOMENT_BEGIN:
		return so_far->place == 0 || summary_is_reset(now);
	default:
		return false;
	}
}

void
profile_no_moment(const struct log *log, const struct moment *moment)
{
	const struct run *last = log_last_run(log);
	char time[UNIT_TEXT];

	switch (moment->kind) {
	case MOMENT_NUMBER:
		die(EXIT_DATA, "%s: no snapshot [%" PRIu64 "] in this log: it has [%" PRIu64
			"] to [%" PRIu64 "]", log_path(log), moment->number, last->first_number,
			last->last_number);
	case MOMENT_LABEL:
		die(EXIT_DATA, "%s: no snapshot in this log has the label '%s': expected "
			MOMENT_FORMS, log_path(log), moment->label);
	case MOMENT_RESET:
		die(EXIT_DATA, "%s: no snapshot of a pmem_reset() in this log", log_path(log));
	default:
		die(EXIT_DATA, "%s: no snapshot of that time, %s, in this log: its last run begins later",
			log_path(log), unit_time(time, moment->time_ms));
	}
}

void
profile_no_base(const struct log *log, const struct moment *base, uint64_t at)
{
	if (base->kind == MOMENT_NUMBER)
		die(EXIT_DATA, "%s: no snapshot [%" PRIu64 "] to compare with in the run of snapshot [%"
			PRIu64 "]", log_path(log), base->number, at);
	if (base->kind == MOMENT_LABEL)
		die(EXIT_DATA, "%s: no snapshot with the label '%s' to compare with in the run of snapshot "
			"[%" PRIu64 "]", log_path(log), base->label, at);
	if (base->kind == MOMENT_RESET)
		die(EXIT_DATA, "%s: no pmem_reset() in the run of snapshot [%" PRIu64 "]", log_path(log),
			at);
}

void
profile_tell_late(const struct profile *profile, const struct moment *at)
{
	char time[UNIT_TEXT];

	if (profile->late == 0)
		return;
	if (at->kind == MOMENT_LABEL)
		warn("no snapshot with the label '%s' in %zu of the logs: left out", at->label,
			profile->late);
	else
		warn("no snapshot by %s in %zu of the logs, which begin later: left out",
			unit_time(time, at->time_ms), profile->late);
}
