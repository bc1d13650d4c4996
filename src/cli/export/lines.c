// SPDX-License-Identifier: BSD-2-Clause
// Formats that are lines of text.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/plain.h"
#include "rows/attribution.h"
#include "export/export.h"

// Returns "'" if a spreadsheet would take the text for a formula, otherwise "". With "'" before it,
// the text is not taken for a formula.
static const char *
text_mark(const char *text)
{
	return *text && strchr("=+-@\t\r", *text) ? "'" : "";
}

// Prints the functions of the row, outermost first, with `;` between them. A `;` in a name becomes
// a colon. An example is the Rust type `[u8; 4]`. With is_quoted, doubles each quote in a name.
static void
print_stack(FILE *to, const struct row *row, bool is_quoted)
{
	size_t count;
	const struct resolved_frame *frames = export_frames(row, &count);

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputc(';', to);
		else if (is_quoted)
			fputs(text_mark(export_name(frames)), to);
		for (const char *at = utf8_plain(export_name(&frames[i])); *at; at++) {
			if (is_quoted && *at == '"')
				fputc('"', to);
			fputc(*at == ';' ? ':' : *at, to);
		}
	}
}

// Prints a line for each stack. The value comes after the line's last blank.
void
export_collapsed(FILE *to, const struct export *what)
{
	const struct row *row;
	uint64_t weight;

	for (size_t i = 0; (row = export_next(what, &i, &weight));) {
		print_stack(to, row, false);
		fprintf(to, " %" PRIu64 "\n", weight);
	}
}

static void
print_counts(FILE *to, const struct counts *counts)
{
	// Signed, because a count of {rest} may be negative. {rest} has the total less the known
	// counts of sources. These counts may add up to more than the total.
	fprintf(to, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",",
		(int64_t)counts->live, (int64_t)counts->blocks, (int64_t)counts->alloc,
		(int64_t)counts->allocs, (int64_t)counts->free, (int64_t)counts->frees);
}

static void
print_quoted(FILE *to, const char *text)
{
	fprintf(to, "\"%s", text_mark(text));
	for (const char *at = utf8_plain(text); *at; at++) {
		if (*at == '"')
			fputc('"', to);
		fputc(*at, to);
	}
	fputc('"', to);
}

// Prints the thread that allocated most of a source. Prints empty fields if the thread is not
// known.
static void
print_share(FILE *to, const struct share *by)
{
	fputc(',', to);
	if (by->name)
		print_quoted(to, by->name);
	fputc(',', to);
	if (by->name && by->id)
		fprintf(to, "%" PRIu64, by->id);
	fputc(',', to);
	if (by->name)
		fprintf(to, "%u", by->percent);
}

// Prints the script line that is in the field `where`. Prints empty fields if `where` has no script
// line.
static void
print_line(FILE *to, const struct resolved_frame *frames, size_t count)
{
	const struct resolved_frame *resolved = attribution_own(frames, count);

	if (!resolved_is_line(resolved)) {
		fputs(",,,,", to);
		return;
	}
	fputc(',', to);
	print_quoted(to, resolved->frame->file);
	fprintf(to, ",%u,", resolved->frame->line);
	print_quoted(to, resolved->frame->function);
	fprintf(to, ",%s", resolved->frame->language);
}

static void
print_row(FILE *to, const struct row *row, bool is_sampled, bool has_lines)
{
	size_t count;

	if (row->kind == SOURCE_STACK)
		fprintf(to, "%016" PRIx64 ",", row->id);
	else
		fprintf(to, "%s,", row->kind == SOURCE_OTHER ? "other" : "rest");
	print_counts(to, &row->now);
	print_counts(to, &row->before);
	fprintf(to, "%" PRId64 ",%" PRId64 ",%u,%d,", row_value(row, VALUE_GROWTH),
		row_value(row, VALUE_CHURN), row->processes, row->uncertain == CERTAIN);
	const struct resolved_frame *frames = export_frames(row, &count);
	print_quoted(to, export_where(frames, count));
	fputs(",\"", to);
	print_stack(to, row, true);
	fputc('"', to);
	print_share(to, &row->by);
	if (is_sampled)
		fprintf(to, ",%.0f,%.0f", row_error(row, false), row_error(row, true));
	if (has_lines)
		print_line(to, frames, count);
	fprintf(to, ",%" PRIu64 ",%" PRIu64 "\r\n", row_older(row, false), row_older(row, true));
}

// Writes a table for spreadsheets and databases. By RFC 4180, lines end in CR LF, and a quote
// within quotes is doubled. Numbers have no units.
//
// base_exact is 0 if the log does not prove what the source had at the base. In that case base_*,
// growth and churn are best estimates. thread is the thread that allocated thread_percent of the
// source's bytes, if that is more than half. In a sampled log all numbers are estimates: live_error
// and growth_error are standard errors. The fields file, line, function and language are written if
// the profile has lines of source code. They describe the line in `where`. older and older_blocks
// are lower bounds of the bytes and blocks that have been live since the base.
void
export_csv(FILE *to, const struct export *what)
{
	fputs("id,live,blocks,alloc,allocs,free,frees,base_live,base_blocks,base_alloc,"
		"base_allocs,base_free,base_frees,growth,churn,processes,base_exact,where,"
		"stack,thread,thread_id,thread_percent", to);
	bool has_lines = false;
	for (size_t i = 0; i < what->profile->row_count; i++)
		for (unsigned k = 0; k < what->profile->rows[i].depth; k++)
			has_lines |= what->profile->rows[i].frames[k]->language != NULL;
	fputs(what->profile->is_sampled ? ",live_error,growth_error" : "", to);
	fputs(has_lines ? ",file,line,function,language" : "", to);
	fputs(",older,older_blocks\r\n", to);
	for (size_t i = 0; i < what->profile->row_count; i++)
		print_row(to, &what->profile->rows[i], what->profile->is_sampled, has_lines);
}

struct location {
	const char *name;
	int64_t bytes, calls;
};

static int
by_bytes(const void *left, const void *right)
{
	const struct location *a = left, *b = right;
	return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

static void
add_location(struct location *place, const struct row *row, enum value value)
{
	const struct counts *now = &row->now, *base = &row->before;

	switch (value) {
	case VALUE_LIVE:
	case VALUE_BLOCKS:
		place->bytes += now->live;
		place->calls += now->blocks;
		return;
	case VALUE_FREE:
	case VALUE_FREES:
		place->bytes += now->free;
		place->calls += now->frees;
		return;
	case VALUE_CHURN:
		place->bytes += row_value(row, VALUE_CHURN);
		place->calls += now->allocs - base->allocs + now->frees - base->frees;
		return;
	case VALUE_GROWTH:
		place->bytes += row_value(row, VALUE_GROWTH);
		place->calls += now->blocks - base->blocks;
		return;
	case VALUE_OLDER:
		place->bytes += row_value(row, VALUE_OLDER);
		place->calls += (int64_t)row_older(row, true);
		return;
	default:
		place->bytes += now->alloc;
		place->calls += now->allocs;
	}
}

// Returns the location of the innermost script line, as mwrap prints it: "/srv/app.rb:42". If the
// stack has no script line, returns export_where(). The text is valid until the next call.
static const char *
mwrap_name(const struct resolved_frame *frames, size_t count)
{
	static char *text;
	const struct resolved_frame *line = attribution_line(frames, count);

	if (!line || !line->frame->file[0])
		return export_where(frames, count);
	if (line->frame->line == 0)
		return line->frame->file;
	free(text);
	text = memory_format("%s:%u", line->frame->file, line->frame->line);
	return text;
}

// Prints three columns: bytes, calls, and the location that requested them. Lines are sorted by
// bytes, the largest first. mwrap counts all that was ever allocated at a location. So the default
// value is alloc. Sources with the same location are summed up in one line.
void
export_mwrap(FILE *to, const struct export *what)
{
	const struct profile *profile = what->profile;
	struct location *places = memory_get(profile->row_count, sizeof(*places));
	struct intern names = {0};

	for (size_t i = 0; i < profile->row_count; i++) {
		size_t count;
		const struct resolved_frame *frames = export_frames(&profile->rows[i], &count);
		size_t number = intern_text(&names, utf8_plain(mwrap_name(frames, count)));
		ASSERT(number <= i);
		places[number].name = names.keys[number].bytes;
		add_location(&places[number], &profile->rows[i], what->has_value ? what->value : VALUE_ALLOC);
	}
	qsort(places, names.count, sizeof(*places), by_bytes);
	for (size_t i = 0; i < names.count; i++)
		fprintf(to, "%16" PRId64 " %12" PRId64 " %s\n", places[i].bytes, places[i].calls,
			places[i].name);
	free(places);
	intern_free(&names);
}
