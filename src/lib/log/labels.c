// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "format.h"
#include "base/table.h"
#include "base/text.h"
#include "threads/label.h"
#include "log/entries.h"
#include "log/labels.h"

enum {
	// Upper bound of a line's bytes: a name, the words, and 10 numbers of 20 digits each.
	LINE_BYTES = 320 + 4 * FORMAT_LABEL_BYTES,
};

static TABLE_STATIC struct change sums[LABELS];

void
labels_begin(void)
{
	// The counters of labels that do not exist yet are 0 already.
	memset(sums, 0, label_count() * sizeof(*sums));
}

void
labels_add(uint32_t label, const struct counter *now, const struct counter *before)
{
	counter_add(&sums[label].now, now);
	counter_add(&sums[label].before, before);
}

size_t
labels_bytes(void)
{
	return (label_count() - 1) * LINE_BYTES;
}

static void
write_label(struct text *text, const char *name, const struct change *change)
{
	text_string(text, FORMAT_LABEL_LINE);
	text_word(text, name, 4 * FORMAT_LABEL_BYTES);
	entries_write_blocks(text, change);
	text_string(text, "\n");
}

// A new label gets its number first, and its name a moment later. A label without a name is left
// out.
void
labels_write(struct text *text, bool all)
{
	uint32_t count = label_count();

	for (uint32_t i = 1; i < count; i++) {
		const char *name = label_name(i);
		bool is_due = all ? sums[i].now.allocs > 0
			: counter_moved(&sums[i].now, &sums[i].before);
		if (name && is_due)
			write_label(text, name, &sums[i]);
	}
}
