#include <stdlib.h>

#include "base/memory.h"
#include "rows/where.h"
#include "export/export.h"

uint64_t
export_weight(const struct row *row, enum value value)
{
	int64_t amount = row_value(row, value);
	return amount > 0 ? (uint64_t)amount : 0;
}

const struct step *
export_steps(const struct row *row, size_t *count)
{
	static struct steps steps;

	steps_take(&steps, row);
	*count = steps.count;
	return steps.steps;
}

const char *
export_where(const struct step *steps, size_t count)
{
	static char *text;
	const struct step *step = where_step(steps, count, NULL);
	const char *file = step->call ? step->call->file : "";

	if (file[0] == '\0')
		return step->name;
	free(text);
	text = step->call->line > 0
		? memory_format("%s (%s:%u)", step->name, file, step->call->line)
		: memory_format("%s (%s)", step->name, file);
	return text;
}
