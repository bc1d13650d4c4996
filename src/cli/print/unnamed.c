// SPDX-License-Identifier: BSD-2-Clause
// Advises how to get names for code made at run time. A user who sees only addresses may not know
// that the runtime can write names.

#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "log/run.h"
#include "print/unnamed.h"

// Returns true if no advice is needed, because the run has run-time code with names. Also returns
// true if the library's table of modules was full. Then the advice could be wrong: frames in
// modules that are not in the table look like frames in run-time code without names.
static bool
has_names(const struct run *run)
{
	for (size_t i = 0; i < run->loss_count; i++)
		if (strcmp(run->losses[i].name, "modules_full") == 0 && run->losses[i].count > 0)
			return true;
	for (size_t i = 0; i < run->frame_count; i++)
		if (frame_is_code(run->frames[i]))
			return true;
	return false;
}

static bool
leads_through_code(const struct source *source)
{
	for (unsigned i = 1; i < source->depth; i++) {
		const struct frame *frame = source->frames[i];
		if (!frame->language && !frame->module && frame->address && !frame->function[0])
			return true;
	}
	return false;
}

bool
unnamed_words(char words[UNNAMED_TEXT], const struct run *run)
{
	char count[UNIT_TEXT];
	uint64_t sources = 0;

	if (run->is_seeds || run->module_count == 0 || has_names(run))
		return false;
	for (size_t i = 0; i < run->source_count; i++)
		sources += leads_through_code(run->sources[i]);
	if (sources > 0)
		snprintf(words, UNNAMED_TEXT,
			"%s source%s in code made at run time, without names: node writes them with "
			"--perf-basic-prof --interpreted-frames-native-stack",
			unit_count(count, sources), sources == 1 ? " is" : "s are");
	return sources > 0;
}
