// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/unit.h"
#include "print/leaks_words.h"
#include "render/advice.h"

static const int64_t minute_ms = 60 * 1000;

void
advice_ask(FILE *to, const struct report_process *process)
{
	if (process->ask_in > 0 && report_is_old(process))
		fprintf(to, "; ask again after %s",
			leaks_clock_text(UNIT_ROOM, process->ask_again + minute_ms - 1));
	else if (process->ask_in > 0 && !report_is_over(process))
		fprintf(to, "; ask again in %s", unit_duration(UNIT_ROOM, process->ask_in));
}

size_t
advice_print(FILE *to, const struct report_process *process, const char *before, unsigned *said)
{
	// The first is for a process without rows: with rows, these name the lines of what is not in pools.
	static const struct {
		const char *key, *from; // words in the note, and where the advice begins; NULL: with the note
		const char *program;    // how the name of the program begins that it is for
		bool has_rows;
	} advice[] = {
		{"from pools of its own", "With ", "", false},
		{"in code made at run time", NULL, "node", true},
		{"Nothing outside of Perl tells its lines", NULL, "", true},
	};
	enum report_verdict verdict = process->word.verdict;
	const char *notes = process->notes ? process->notes : "";
	size_t whole = 0;

	for (unsigned i = 0; i < sizeof(advice) / sizeof(*advice); i++) {
		const char *at = strstr(notes, advice[i].key);
		bool is_of_rows = verdict == (advice[i].has_rows ? REPORT_LEAKS : REPORT_NOT_JUDGED);
		if (!at || *said & 1U << i || !(verdict == REPORT_EARLY || is_of_rows)
				|| strncmp(process->program, advice[i].program, strlen(advice[i].program)) != 0)
			continue;
		while (!advice[i].from && at > notes && at[-1] != '\n')
			at--;
		// Behind "note: ", which may have a colour.
		at = advice[i].from ? strstr(at, advice[i].from) : strchr(at, ' ') + 1;
		if (at)
			fprintf(to, "%s%.*s\n", before, (int)strcspn(at, "\n"), at);
		*said |= 1U << i;
		whole += !advice[i].from;
	}
	return whole;
}
