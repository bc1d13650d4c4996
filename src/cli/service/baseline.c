// SPDX-License-Identifier: BSD-2-Clause
// Leaks of two releases are compared for equal work: per byte allocated and freed. Rates by time
// would mislead: another machine may be faster, and another night may have more requests.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "rows/grouping.h"
#include "rows/resolved_frame.h"
#include "service/baseline.h"

struct leak {
	// `most` is the highest rate of all processes so far, `now` that of the process being added
	struct work_rate most, now;
	size_t process;             // number of the process that `now` belongs to
	// is_unnamed: true if some function on the source's stack has no name. is_met: true if the
	// source leaks in the judged release, too
	bool is_unnamed, is_met;
};

// File names of programs, each once.
struct programs {
	char **names;
	size_t count, room;
};

static struct {
	// before: programs of the earlier release. strange: judged programs that are not among these
	struct programs before, strange;
	bool is_same; // some judged program is a program of the earlier release, too
	struct leak *leaks; // leaks[n] is the leak of the sources in group n (rows/grouping.h)
	size_t count, room;
	size_t processes;
	bool has_new; // a source leaks now that did not leak in the earlier release
	struct grouping grouping;
} baseline = {.grouping = {.by = GROUPING_BY_NAME}};

static struct leak *
leak_of(const struct row *row)
{
	bool is_new;
	size_t number = grouping_number(&baseline.grouping, row, &is_new);

	if (is_new) {
		ASSERT(number == baseline.count);
		baseline.leaks = memory_grow(baseline.leaks, baseline.count, &baseline.room,
			sizeof(*baseline.leaks));
		baseline.leaks[baseline.count++] = (struct leak){0};
	}
	return &baseline.leaks[number];
}

// Returns the length of a program's name without a version at its end. So python3.11 and python3.12
// are one program, as are two releases server-1.2 and server-1.3.
static size_t
name_length(const char *name)
{
	size_t length = path_undeleted(name);

	while (length > 0 && strchr("0123456789.-_", name[length - 1]))
		length--;
	return length > 0 ? length : path_undeleted(name);
}

static bool
programs_have(const struct programs *programs, const char *name)
{
	size_t length = name_length(name);

	for (size_t i = 0; i < programs->count; i++)
		if (name_length(programs->names[i]) == length
				&& strncmp(programs->names[i], name, length) == 0)
			return true;
	return false;
}

static void
programs_add(struct programs *programs, const char *name)
{
	if (programs_have(programs, name))
		return;
	programs->names = memory_grow(programs->names, programs->count, &programs->room,
		sizeof(*programs->names));
	programs->names[programs->count++] = memory_text(name, path_undeleted(name));
}

// Returns "nginx", "nginx and sh" or "nginx, sh and 3 other programs". The caller frees it.
static char *
programs_text(const struct programs *programs)
{
	const char *const *names = (const char *const *)programs->names;

	if (programs->count == 1)
		return memory_format("%s", names[0]);
	if (programs->count == 2)
		return memory_format("%s and %s", names[0], names[1]);
	return memory_format("%s, %s and %zu other program%s", names[0], names[1],
		programs->count - 2, programs->count > 3 ? "s" : "");
}

// Adds a source's rate to the leak. Several sources of one process may have the same function
// names. They are one leak, so their rates are summed up.
static void
add(struct leak *leak, const struct work_rate *rate)
{
	if (leak->process != baseline.processes)
		leak->now = (struct work_rate){0};
	leak->process = baseline.processes;
	leak->now.rate += rate->rate;
	leak->now.low += rate->low;
	leak->now.high += rate->high;
	if (leak->now.high > leak->most.high)
		leak->most = leak->now;
}

static bool
is_named(const struct row *row, const struct run *run)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	for (size_t i = 0; i < stack.count; i++)
		if (stack.frames[i].frame && !resolved_is_function(&stack.frames[i])
				&& strcmp(resolved_module(&stack.frames[i]), path_last(run->exe)) == 0)
			return false;
	return true;
}

void
baseline_add(const struct findings *findings, const struct history *history)
{
	const struct run *run = history_run(history);

	baseline.processes++;
	if (*run->exe)
		programs_add(&baseline.before, path_last(run->exe));
	for (size_t i = 0; i < findings_leaks(findings); i++) {
		const struct finding *finding = &findings->sources[i];
		struct row row = row_of_source(finding->source);
		struct leak *leak = leak_of(&row);
		add(leak, &finding->by_work);
		leak->is_unnamed |= !is_named(&row, run);
	}
}

// Programs are compared by file names without folders, since releases often have folders of their
// own. The script that an interpreter runs is not compared. On the command line it follows the
// interpreter's options. Each interpreter has other options, so it cannot be found reliably.
void
baseline_meet(const struct run *run)
{
	const char *name = path_last(run->exe);

	if (!*name || baseline.before.count == 0)
		return;
	if (programs_have(&baseline.before, name))
		baseline.is_same = true;
	else
		programs_add(&baseline.strange, name);
}

struct work_rate
baseline_of(const struct source *source)
{
	struct row row = row_of_source(source);
	size_t number = grouping_find(&baseline.grouping, &row);

	baseline.has_new |= number == INTERN_NONE;
	if (number == INTERN_NONE)
		return (struct work_rate){0};
	baseline.leaks[number].is_met = true;
	return baseline.leaks[number].most;
}

// Warns if none of the judged programs is in the earlier release. If only some are not, this is no
// reason to warn. The service may have gained a program since, or a process may be a shell that
// only starts another program.
static void
warn_of_programs(void)
{
	if (baseline.is_same || baseline.strange.count == 0)
		return;
	char *before = programs_text(&baseline.before);
	char *strange = programs_text(&baseline.strange);
	warn("--baseline is of another program, %s, and not of %s: what is called new here may be new "
		"for that reason alone", before, strange);
	free(before);
	free(strange);
}

void
baseline_warn(void)
{
	size_t count = 0;

	warn_of_programs();
	for (size_t i = 0; baseline.has_new && i < baseline.count; i++)
		count += baseline.leaks[i].is_unnamed && !baseline.leaks[i].is_met;
	if (count > 0)
		warn("--baseline: of %zu source%s that leaked there not all functions have names here, so "
			"what is called new may be %s: try --debug-dir or --sysroot, with the files of that "
			"build", count, count > 1 ? "s" : "", count > 1 ? "one of these" : "this one");
}
