// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/term.h"
#include "base/unit.h"
#include "print/ellipsis.h"
#include "print/leaks_words.h"
#include "print/row_text.h"
#include "render/leaks_text.h"
#include "service/remarks.h"

// Prints by how much live memory grew in all, and where most, of sources with the process's verdict.
static void
print_growth(FILE *to, const struct report_process *process)
{
	enum { COLUMNS = 40 }; // so that most lines fit 80 columns
	const struct report_finding *most = NULL;
	char growth[UNIT_TEXT], lasts[UNIT_TEXT];

	fprintf(to, ": %s", unit_signed_bytes(growth, llround(process->growth)));
	if (process->has_times)
		fprintf(to, " in %s", unit_duration(lasts, process->last - process->first));
	for (size_t i = 0; i < process->leaks; i++)
		if (process->findings[i].word.verdict == process->word.verdict
				&& (!most || process->findings[i].growth > most->growth))
			most = &process->findings[i];
	if (most) {
		char *where = row_text(&most->row);
		char *part = ellipsis_cut(where, NULL, 0, COLUMNS);
		fprintf(to, ", %s in %s", unit_signed_bytes(growth, llround(most->growth)), part);
		free(part);
		free(where);
	}
	if (process->ask_in > 0)
		fprintf(to, "; ask again in %s", unit_duration(lasts, process->ask_in));
}

// Returns true if a line says that the process has this verdict. A process that leaks has one, too,
// if memory outside of blocks surely grows beside.
static bool
has_remark(const struct report_process *process, enum report_verdict verdict)
{
	// The table of what leaks has rates by the hour alone.
	if (process->severity == SEVERITY_LEAKS && verdict == REPORT_LEAKS)
		return !process->has_times;
	// What the program mapped itself is in the table of what leaks.
	if (process->severity == SEVERITY_LEAKS)
		return verdict == REPORT_OUTSIDE && process->outside.mapped < process->outside.bytes
			&& process->gauges[GAUGE_OUTSIDE].word.verdict == REPORT_LEAKS;
	return process->severity == SEVERITY_REMARK && process->word.verdict == verdict
		&& process->job == 0;
}

void
remarks_print(FILE *to, const struct report *report, enum report_verdict verdict)
{
	enum { MOST = 3 };
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		if (!has_remark(process, verdict) || ++count > MOST)
			continue;
		if (verdict == REPORT_OUTSIDE || verdict == REPORT_NOT_JUDGED) {
			leaks_text_remark(to, process, verdict);
			continue;
		}
		fprintf(to, "%s%s%s: %s %ld", term_style(STYLE_YELLOW), report_verdict_words[verdict],
			term_style(STYLE_PLAIN), process->program, process->pid);
		if (verdict <= REPORT_STOPPED)
			print_growth(to, process);
		else
			fprintf(to, ": %s", process->word.detail);
		fputc('\n', to);
	}
	if (count > MOST)
		fprintf(to, "%s%s%s: %zu more (-v)\n", term_style(STYLE_YELLOW),
			verdict == REPORT_OUTSIDE ? "outside malloc" : report_verdict_words[verdict],
			term_style(STYLE_PLAIN), count - MOST);
}
