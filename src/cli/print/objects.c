// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "print/objects.h"

// The evidence is in the stacks: a name of a program or of a library proves nothing.
static const struct runtime {
	const char *function; // how the name of one of the runtime's functions begins, as in the log
	bool is_mapped;       // true if the runtime maps the memory itself
	const char *words;
} runtimes[] = {
	{"_ZN2v88internal", true,
		"V8 keeps JavaScript's objects in memory that it maps. A stack that mapped memory needed room; "
		"other code may keep what is in it. With --heapsnapshot-signal=SIGUSR2 node writes at each such "
		"signal what is in it"},
	{"Perl_runops_", false,
		"Nothing outside of Perl tells its lines, so rows have Perl's own functions. With "
		"PERL5OPT=-MDevel::MAT::Dumper=-dump_at_SIGQUIT in its environment Perl writes at each such "
		"signal what its memory holds"},
};

static bool
leads_through(const struct source *source, const char *function)
{
	for (unsigned i = 0; i < source->depth; i++)
		if (strncmp(source->frames[i]->function, function, strlen(function)) == 0)
			return true;
	return false;
}

static double
held_by(const struct runtime *runtime, const struct run *run)
{
	double held = 0;

	for (size_t i = 0; i < run->source_count; i++)
		if (leads_through(run->sources[i], runtime->function))
			held += (double)run->sources[i]->now.counts.live;
	return held;
}

const char *
objects_words(const struct run *run)
{
	double whole = (double)run->total.live + (double)run->mapped->total.live;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		double held = held_by(&runtimes[i], runtimes[i].is_mapped ? run->mapped : run);
		if (held > 0 && held >= whole / 2)
			return runtimes[i].words;
	}
	return NULL;
}
