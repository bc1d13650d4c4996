// SPDX-License-Identifier: BSD-2-Clause
// Parses the line that begins with time= and has a snapshot's totals.

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

static bool
parse_mapped(const char **at, struct counts *mapped)
{
	return !begins(*at, mapped_field) || (pair(at, mapped_field, &mapped->live, &mapped->blocks)
		&& pair(at, " map=", &mapped->alloc, &mapped->allocs)
		&& pair(at, " unmap=", &mapped->free, &mapped->frees));
}

// Parses the fields after hidden=N, each of which may be absent.
static bool
parse_memory(const char **at, struct summary *summary)
{
	uint64_t percent;

	summary->has_emptied = pair(at, " emptied=", &summary->empty_shown, &summary->empty);
	summary->has_inherited = pair(at, " inherited=", &summary->inherited,
		&summary->inherited_blocks);
	if (!**at || begins(*at, FORMAT_LABEL) || parse_sample(at, summary))
		return true;
	bool is_without = begins(*at, mapped_field);
	summary->has_memory = !is_without && named(at, " rss=", &summary->rss)
		&& named(at, " file=", &summary->file) && named(at, " outside=", &summary->outside)
		&& named(at, " malloc=", &percent) && skip(at, "%");
	named(at, " hwm=", &summary->hwm);
	named(at, " threads=", &summary->alive);
	summary->has_shared = named(at, " shmem=", &summary->shared);
	if ((!summary->has_memory && !is_without) || !parse_mapped(at, &summary->mapped))
		return false;
	parse_limit(at, &summary->limit);
	parse_sample(at, summary);
	return !**at || **at == ' ';
}

// Parses the field peak=, which may be absent.
static bool
parse_peak(const char **at, struct summary *summary)
{
	char time[32];

	if (!skip(at, " peak="))
		return true;
	if (!number(at, &summary->peak) || !skip(at, "@"))
		return false;
	size_t length = strcspn(*at, " ");
	snprintf(time, sizeof(time), "%.*s", (int)length, *at);
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
		|| !pair(&at, " alloc=", &total->alloc, &total->allocs)
		|| !pair(&at, " free=", &total->free, &total->frees))
		return "live=BYTES/BLOCKS alloc=BYTES/CALLS free=BYTES/CALLS";
	if (!parse_peak(&at, summary))
		return "peak=BYTES@TIME";
	if (!pair(&at, " sources=", &summary->sources, &summary->sources_max)
		|| !named(&at, " shown=", &summary->shown) || !named(&at, " hidden=", &summary->hidden))
		return "sources=N/MAX shown=N hidden=N";
	if (!parse_memory(&at, summary))
		return "rss=BYTES file=BYTES outside=BYTES malloc=N% mapped=BYTES/N map=BYTES/N unmap=BYTES/N";
	take_label(next, summary);
	if ((summary->peak | summary->inherited | summary->inherited_blocks | summary->rss
			| summary->file | summary->outside | summary->hwm | summary->alive | summary->shared
			| summary->limit.used | summary->limit.most | summary->limit.oom_kills
			| summary->limit.swap_used | summary->limit.swap_most) >= LINE_COUNT_MOST
			|| !line_is_possible(&summary->exact))
		return "numbers that a process can come to";
	if (!line_agrees(&summary->mapped))
		return "mapped to be what is mapped and not unmapped";
	return line_agrees(total) ? NULL : "live to be what is allocated and not freed";
}
