// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/system.h"
#include "rows/attribution.h"
#include "rows/script_line.h"
#include "print/print.h"

char *
row_text(const struct row *row)
{
	struct steps steps = {0};
	struct compose text;

	steps_take(&steps, row);
	const char *word = step_word(&steps.steps[0]);
	compose_begin(&text);
	if (word[0])
		fprintf(text.to, "%s  %s", steps.steps[0].name, word);
	else
		attribution_print(text.to, steps.steps, steps.count, NULL);
	free(steps.steps);
	return compose_end(&text);
}

// As it stands in the log.
static char *
whole_line(const struct frame *frame)
{
	char *text = script_line_text(frame);
	char *whole = memory_format("%s [%s]", text, frame->language);

	free(text);
	return whole;
}

char *
row_text_step(const struct step *step)
{
	const char *module = step_module(step);

	if (step_is_line(step))
		return whole_line(step->frame);
	if (step->call && step->call->file[0])
		return memory_format("%s %s:%u", step->name, path_last(step->call->file),
			step->call->line);
	if (step_is_function(step) && module[0])
		return memory_format("%s (%s)", step->name, module);
	return memory_format("%s", step->name);
}

static void
print_step(FILE *to, const struct step *step)
{
	if (step_is_line(step)) {
		char *line = whole_line(step->frame);
		fprintf(to, "      %s", line);
		free(line);
		return;
	}
	fprintf(to, "      %s", step->name);
	if (step->call && step->call->file[0])
		fprintf(to, "  %s:%u", step->call->file, step->call->line);
	if (step->frame->module)
		fprintf(to, "  %s", step->frame->module->path);
}

static void
add_step(struct text_table *table, const struct step *step)
{
	struct compose text;

	compose_begin(&text);
	print_step(text.to, step);
	char *line = compose_end(&text);
	table_add_text(table, line);
	free(line);
}

void
row_text_stack(struct text_table *table, const struct row *row)
{
	struct steps steps = {0};
	char id[32];

	if (row->depth == 0)
		return;
	steps_take(&steps, row);
	snprintf(id, sizeof(id), "    {%016" PRIx64 "}", row->id);
	table_add_text(table, id);
	for (size_t i = steps.count; i-- > 0;)
		add_step(table, &steps.steps[i]);
	table_add_text(table, "");
	free(steps.steps);
}
