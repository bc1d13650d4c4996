// SPDX-License-Identifier: BSD-2-Clause
// Parses the line that begins with time= and has a snapshot's totals. Also parses the line after
// it, about the process's memory.

#include <stdio.h>
#include <string.h>

#include "format.h"
#include "base/unit.h"
#include "log/lexer.h"
#include "log/line.h"

bool
line_is_possible(const struct counts *counts)
{
	return (counts->live | counts->blocks | counts->alloc | counts->allocs | counts->free
		| counts->frees) < LINE_COUNT_MOST;
}

// Returns true if live is alloc - free, and blocks is allocs - frees.
bool
line_agrees(const struct counts *counts)
{
	return line_is_possible(counts) && counts->alloc - counts->free == counts->live
		&& counts->alloc >= counts->free
		&& counts->allocs - counts->frees == counts->blocks && counts->allocs >= counts->frees;
}

// Parses the fields that a sampled log has in addition: exact counts of all blocks.
static bool
parse_sample(const char **at, struct summary *summary)
{
	uint64_t mean;

	if (!named(at, " sampled=", &mean))
		return false;
	summary->has_exact = pair(at, " exact=", &summary->exact.alloc, &summary->exact.allocs)
		&& named(at, "/", &summary->exact.frees);
	return summary->has_exact;
}

static void
parse_limit(const char **at, struct limit *limit)
{
	limit->is_machine = begins(*at, " machine=");
	if (!pair(at, limit->is_machine ? " machine=" : " cgroup=", &limit->used, &limit->most))
		return;
	named(at, " oom_kills=", &limit->oom_kills);
	if (!pair(at, " swap=", &limit->swap_used, &limit->swap_most))
		limit->swap_used = limit->swap_most = 0;
}

static const char mapped_field[] = " mapped=";

// Parses the memory that the program has mapped itself. Up to format 4 (is_old), all fields are present.
// From format 5 on unmap= is absent, and so is map= if nothing was unmapped.
static bool
parse_mapped(const char **at, struct counts *mapped, bool is_old)
{
	if (!begins(*at, mapped_field))
		return true;
	if (!pair(at, mapped_field, &mapped->live, &mapped->blocks))
		return false;
	mapped->alloc = mapped->live;
	mapped->allocs = mapped->blocks;
	if ((is_old || begins(*at, " map=")) && !pair(at, " map=", &mapped->alloc, &mapped->allocs))
		return false;
	mapped->free = mapped->alloc - mapped->live;
	mapped->frees = mapped->allocs - mapped->blocks;
	return !is_old || pair(at, " unmap=", &mapped->free, &mapped->frees);
}

// Parses the fields about the process's memory, each of which may be absent.
static bool
parse_memory(const char **at, struct summary *summary, bool is_old)
{
	uint64_t percent;
	bool is_without = begins(*at, mapped_field) || begins(*at, " cgroup=")
		|| begins(*at, " machine=");

	summary->has_memory = !is_without && named(at, " rss=", &summary->rss)
		&& named(at, " file=", &summary->file) && named(at, " outside=", &summary->outside)
		&& named(at, " malloc=", &percent) && skip(at, "%");
	named(at, " hwm=", &summary->hwm);
	named(at, " threads=", &summary->alive);
	summary->has_shared = !skip(at, " shmem=-") && named(at, " shmem=", &summary->shared);
	if ((!summary->has_memory && !is_without) || !parse_mapped(at, &summary->mapped, is_old))
		return false;
	parse_limit(at, &summary->limit);
	return true;
}

// Parses the fields after shown=N, each of which may be absent.
static bool
parse_rest(const char **at, struct summary *summary)
{
	named(at, " hidden=", &summary->hidden);
	summary->has_emptied = pair(at, " emptied=", &summary->empty_shown, &summary->empty);
	summary->has_inherited = pair(at, " inherited=", &summary->inherited,
		&summary->inherited_blocks);
	if (!**at || begins(*at, FORMAT_LABEL) || parse_sample(at, summary))
		return true;
	if (!parse_memory(at, summary, true))
		return false;
	parse_sample(at, summary);
	return !**at || **at == ' ';
}

// Parses the field peak=, which may be absent. If it has no date, it has that of the line's time.
static bool
parse_peak(const char **at, struct summary *summary, const char *line_time)
{
	char time[32];
	const size_t date = strlen("2026-11-21T");

	if (!skip(at, " peak="))
		return true;
	if (!number(at, &summary->peak) || !skip(at, "@"))
		return false;
	size_t length = strcspn(*at, " ");
	bool is_whole = memchr(*at, 'T', length);
	snprintf(time, sizeof(time), "%.*s%.*s", is_whole ? 0 : (int)date, line_time, (int)length, *at);
	*at += length;
	return unit_parse_time(&summary->peak_ms, time);
}

// Takes the program's label, which is the last field of the line.
static void
take_label(char *at, struct summary *summary)
{
	char *label = strstr(at, FORMAT_LABEL);

	if (!label)
		return;
	label += strlen(FORMAT_LABEL);
	end_word(label);
	line_unescape(label);
	snprintf(summary->label, sizeof(summary->label), "%s", label);
}

// Returns what was expected if a number of the process's memory is impossible, or else NULL.
static const char *
check_memory(const struct summary *summary)
{
	if ((summary->rss | summary->file | summary->outside | summary->hwm | summary->alive
			| summary->shared | summary->limit.used | summary->limit.most
			| summary->limit.oom_kills | summary->limit.swap_used | summary->limit.swap_most)
			>= LINE_COUNT_MOST)
		return "numbers that a process can come to";
	return line_agrees(&summary->mapped) ? NULL : "mapped to be what is mapped and not unmapped";
}

const char *
line_parse_memory(const char *text, struct summary *summary)
{
	const char *at = text + strlen(FORMAT_MEMORY);

	*summary = (struct summary){0};
	if (!parse_memory(&at, summary, false) || (*at && *at != ' '))
		return "rss=BYTES file=BYTES outside=BYTES malloc=N% mapped=BYTES/N map=BYTES/N";
	if (!strstr(text, " shmem=")) // absent if 0
		summary->has_shared = summary->has_memory;
	if (summary->hwm == 0)
		summary->hwm = summary->rss;
	return check_memory(summary);
}

const char *
line_parse_time(char *line, struct summary *summary)
{
	struct counts *total = &summary->total;

	*summary = (struct summary){0};
	char *word = line + strlen("time=");
	char *next = end_word(word);
	if (!unit_parse_time(&summary->time_ms, word))
		return "time=TIME, ISO 8601 in UTC";
	if (!begins(next, "reason="))
		return "reason=WORD";
	word = next + strlen("reason=");
	next = end_word(word);
	strncpy(summary->reason, word, sizeof(summary->reason) - 1);
	const char *at = next;
	if (!pair(&at, "live=", &total->live, &total->blocks)
		|| !pair(&at, " alloc=", &total->alloc, &total->allocs))
		return "live=BYTES/BLOCKS alloc=BYTES/CALLS";
	// Only formats up to 4 have free=.
	bool is_old = begins(at, " free=");
	total->free = total->alloc - total->live;
	total->frees = total->allocs - total->blocks;
	if (is_old && !pair(&at, " free=", &total->free, &total->frees))
		return "free=BYTES/CALLS";
	if (!parse_peak(&at, summary, line + strlen("time=")))
		return "peak=BYTES@TIME";
	if (!pair(&at, " sources=", &summary->sources, &summary->sources_max)
		|| !named(&at, " shown=", &summary->shown))
		return "sources=N/MAX shown=N";
	if (!parse_rest(&at, summary))
		return "rss=BYTES file=BYTES outside=BYTES malloc=N% mapped=BYTES/N map=BYTES/N unmap=BYTES/N";
	summary->has_emptied |= !is_old;
	take_label(next, summary);
	if ((summary->peak | summary->inherited | summary->inherited_blocks | summary->sources
			| summary->sources_max | summary->shown) >= LINE_COUNT_MOST
			|| !line_is_possible(&summary->exact))
		return "numbers that a process can come to";
	const char *expected = check_memory(summary);
	return expected || line_agrees(total) ? expected
		: "live to be what is allocated and not freed";
}
