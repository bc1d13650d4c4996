// A table for spreadsheets and data bases: RFC 4180, so lines end in CR LF and a quote within
// quotes is doubled. Numbers are plain. `stack` is outermost first, as in the collapsed format.
// base_exact is 0 where the log does not tell what the source had at the base: base_, growth and
// churn count from what is known of it.

#include <inttypes.h>
#include <stdio.h>

#include "export/text.h"
#include "export/export.h"

static void
print_quoted(FILE *to, const char *text)
{
	for (text = utf8_plain(text); *text; text++) {
		if (*text == '"')
			fputc('"', to);
		fputc(*text, to);
	}
}

// A `;` in a name becomes a colon, so that a stack can be split.
static void
print_stack(FILE *to, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputc(';', to);
		for (const char *at = utf8_plain(steps[i].name); *at; at++) {
			if (*at == '"')
				fputc('"', to);
			fputc(*at == ';' ? ':' : *at, to);
		}
	}
}

static void
print_counts(FILE *to, const struct counts *counts)
{
	// Of {rest} less may be left than nothing, where of others more is known than of it.
	fprintf(to, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",",
		(int64_t)counts->live, (int64_t)counts->blocks, (int64_t)counts->alloc,
		(int64_t)counts->allocs, (int64_t)counts->free, (int64_t)counts->frees);
}

static void
print_row(FILE *to, const struct row *row)
{
	size_t count;
	const struct step *steps = export_steps(row, &count);

	if (row->kind == SOURCE_STACK)
		fprintf(to, "%016" PRIx64 ",", row->id);
	else
		fprintf(to, "%s,", row->kind == SOURCE_OTHER ? "other" : "rest");
	print_counts(to, &row->now);
	print_counts(to, &row->before);
	fprintf(to, "%" PRId64 ",%" PRId64 ",%u,%d,\"", row_value(row, VALUE_GROWTH),
		row_value(row, VALUE_CHURN), row->processes, row->uncertain == CERTAIN);
	print_quoted(to, export_where(steps, count));
	fputs("\",\"", to);
	print_stack(to, steps, count);
	fputs("\"\r\n", to);
}

void
export_csv(FILE *to, const struct export *what)
{
	fputs("id,live,blocks,alloc,allocs,free,frees,base_live,base_blocks,base_alloc,"
		"base_allocs,base_free,base_frees,growth,churn,processes,base_exact,where,"
		"stack\r\n", to);
	for (size_t i = 0; i < what->profile->row_count; i++)
		print_row(to, &what->profile->rows[i]);
}
