// SPDX-License-Identifier: BSD-2-Clause

#include "base/term.h"
#include "render/leaks_text.h"
#include "service/remarks.h"

bool
remarks_has(const struct report_process *process, enum report_verdict verdict)
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
		if (remarks_has(process, verdict) && ++count <= MOST)
			leaks_text_remark(to, process, verdict, false);
	}
	if (count > MOST)
		fprintf(to, "%s%s%s: %zu more (-v)\n", term_style(STYLE_YELLOW),
			verdict == REPORT_OUTSIDE ? "outside malloc" : report_verdict_words[verdict],
			term_style(STYLE_PLAIN), count - MOST);
}
