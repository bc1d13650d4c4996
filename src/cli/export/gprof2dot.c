// gprof2dot's own JSON: functions once, then an event a source: its stack, innermost first, as
// numbers of functions, and its cost.

#include <inttypes.h>
#include <stdio.h>

#include "base/intern.h"
#include "export/text.h"
#include "export/export.h"

// Functions are one by name and module.
struct function {
	size_t name, module; // numbers of texts
};

static struct {
	struct intern texts, functions;
} seen;

static size_t
function_number(FILE *to, const struct step *step)
{
	const struct module *module = step->frame ? step->frame->module : NULL;
	struct function key = {
		.name = intern_text(&seen.texts, step->name),
		.module = intern_text(&seen.texts, module ? module->path : ""),
	};
	bool is_new;
	size_t number = intern_number(&seen.functions, &key, sizeof(key), &is_new);
	if (to && is_new) {
		fputs(number ? ",\n {\"name\":" : "\n {\"name\":", to);
		json_text(to, step->name);
		if (module) {
			fputs(",\"module\":", to);
			json_text(to, module->path);
		}
		fputc('}', to);
	}
	return number;
}

static void
print_event(FILE *to, const struct row *row, uint64_t weight, bool is_first)
{
	size_t count;
	const struct step *steps = export_steps(row, &count);

	fputs(is_first ? "\n {\"callchain\":[" : ",\n {\"callchain\":[", to);
	for (size_t i = count; i-- > 0;)
		fprintf(to, "%zu%s", function_number(NULL, &steps[i]), i > 0 ? "," : "");
	fprintf(to, "],\"cost\":[%" PRIu64 "]}", weight);
}

void
export_gprof2dot(FILE *to, const struct export *what)
{
	const struct profile *profile = what->profile;
	bool is_first = true;

	fprintf(to, "{\"version\":0,\n\"costs\":[{\"description\":\"%s\",\"unit\":\"%s\"}],\n",
		value_names[what->value], value_is_bytes(what->value) ? "bytes" : "count");
	fputs("\"functions\":[", to);
	for (size_t i = 0; i < profile->row_count; i++) {
		if (export_weight(&profile->rows[i], what->value) == 0)
			continue;
		size_t count;
		const struct step *steps = export_steps(&profile->rows[i], &count);
		for (size_t k = 0; k < count; k++)
			function_number(to, &steps[k]);
	}
	fputs("],\n\"events\":[", to);
	for (size_t i = 0; i < profile->row_count; i++) {
		uint64_t weight = export_weight(&profile->rows[i], what->value);
		if (weight == 0)
			continue;
		print_event(to, &profile->rows[i], weight, is_first);
		is_first = false;
	}
	fputs("]}\n", to);
	intern_free(&seen.texts);
	intern_free(&seen.functions);
}
