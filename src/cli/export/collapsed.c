// A stack a line, outermost function first, and its weight. `;` divides functions, and the
// last blank the weight: a Rust array's type, `[u8; 4]`, has the one in its name, so it becomes
// a colon.

#include <inttypes.h>
#include <stdio.h>

#include "export/text.h"
#include "export/export.h"

static void
print_name(FILE *to, const char *name)
{
	for (name = utf8_plain(name); *name; name++)
		fputc(*name == ';' ? ':' : *name, to);
}

void
export_collapsed(FILE *to, const struct export *what)
{
	for (size_t i = 0; i < what->profile->row_count; i++) {
		const struct row *row = &what->profile->rows[i];
		uint64_t weight = export_weight(row, what->value);
		if (weight == 0)
			continue;
		size_t count;
		const struct step *steps = export_steps(row, &count);
		for (size_t k = 0; k < count; k++) {
			if (k > 0)
				fputc(';', to);
			print_name(to, steps[k].name);
		}
		fprintf(to, " %" PRIu64 "\n", weight);
	}
}
