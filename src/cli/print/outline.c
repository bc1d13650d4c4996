// Lines yet to be printed are on a stack of our own: a tree is as deep as the stacks of the
// program. A line's share is split among the lines below it such that they add up to it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/memory.h"
#include "print/share.h"
#include "print/table.h"
#include "print/outline.h"

enum {
	TEXT_BYTES = 128,
	INDENT = 2,
	COLUMNS = 4,
};

struct item {
	const struct node *node; // NULL: several of them, or what ends at their parent
	char text[TEXT_BYTES];   // of such
	int64_t value;
	uint64_t blocks, calls;
	unsigned tenths; // its share of all
	unsigned indent;
	bool begins; // a branch
};

struct items {
	struct item *items;
	size_t count;
	size_t room;
};

struct printing {
	const struct outline *outline;
	int64_t all;
	struct items left; // the next one last
	struct table *table;
};

static struct item *
add(struct items *to, const struct node *node, int64_t value, uint64_t blocks, uint64_t calls)
{
	to->items = memory_grow(to->items, to->count, &to->room, sizeof(*to->items));
	struct item *item = &to->items[to->count++];
	*item = (struct item){.node = node, .value = value, .blocks = blocks, .calls = calls};
	return item;
}

static void
split(struct items *items, unsigned of)
{
	unsigned *tenths = memory_get(items->count, sizeof(*tenths));
	uint64_t *parts = memory_get(items->count, sizeof(*parts));

	for (size_t i = 0; i < items->count; i++)
		parts[i] = (uint64_t)items->items[i].value;
	share_split(tenths, of, parts, items->count);
	for (size_t i = 0; i < items->count; i++)
		items->items[i].tenths = tenths[i];
	free(parts);
	free(tenths);
}

static bool
is_small(const struct printing *printing, const struct node *node)
{
	const struct outline *outline = printing->outline;

	// What the log does not tell is not for us to hide.
	if (!node->step.frame)
		return false;
	return (double)node->value * 100 < outline->threshold * (double)printing->all
		|| (uint64_t)node->value < outline->min;
}

static void
name_small(const struct printing *printing, struct item *item, uint64_t count)
{
	const struct outline *outline = printing->outline;
	char min[UNIT_TEXT + sizeof(" or ")] = "";

	if (outline->min > 0) {
		strcpy(min, " or ");
		unit_bytes(min + strlen(min), outline->min);
	}
	char number[UNIT_TEXT];
	snprintf(item->text, sizeof(item->text), "%s more below %g%%%s", unit_count(number, count),
		outline->threshold, min);
}

// The lines below a node.
static void
gather(const struct printing *printing, const struct node *node, struct items *items)
{
	struct item small = {0};
	struct item own = {.value = node->value, .blocks = node->blocks, .calls = node->calls};
	uint64_t smalls = 0;

	for (const struct node *child = node->children; child; child = child->next) {
		own.value -= child->value;
		own.blocks -= child->blocks;
		own.calls -= child->calls;
		if (!is_small(printing, child)) {
			add(items, child, child->value, child->blocks, child->calls);
			continue;
		}
		smalls++;
		small.value += child->value;
		small.blocks += child->blocks;
		small.calls += child->calls;
	}
	if (node->children && own.value > 0)
		strcpy(add(items, NULL, own.value, own.blocks, own.calls)->text, "(stacks that end here)");
	if (smalls > 0)
		name_small(printing, add(items, NULL, small.value, small.blocks, small.calls), smalls);
}

// Puts the lines below a line where they are printed next.
static void
expand(struct printing *printing, const struct item *above)
{
	const struct outline *outline = printing->outline;
	const struct row *others = &outline->others_sum;
	struct items items = {0};

	gather(printing, above->node, &items);
	if (!above->node->parent && outline->others)
		snprintf(add(&items, NULL, row_value(others, outline->value), others->now.blocks,
			others->now.allocs)->text, TEXT_BYTES, "%s", outline->others);
	split(&items, above->tenths);
	bool goes_on = items.count == 1 && items.items[0].node;
	for (size_t i = items.count; i-- > 0;) {
		struct item *item = &items.items[i];
		struct item *pushed = add(&printing->left, NULL, 0, 0, 0);
		*pushed = *item;
		pushed->begins = !goes_on;
		pushed->indent = above->indent + (goes_on ? 0 : 1);
	}
	free(items.items);
}

// Blocks go with what is live, calls with what was allocated.
static char *
calls_text(char text[UNIT_TEXT + 8], enum value value, const struct item *item)
{
	bool blocks = value == VALUE_LIVE || value == VALUE_GROWTH || value == VALUE_ALLOCS;
	uint64_t count = blocks ? item->blocks : item->calls;

	unit_count(text, count);
	strcat(text, blocks ? " block" : " call");
	return strcat(text, count == 1 ? "" : "s");
}

static void
print_name(FILE *to, const struct item *item)
{
	const struct step *step = &item->node->step;
	const char *word = step_word(step);

	fputs(step->name, to);
	if (word[0])
		fprintf(to, "  %s", word);
	else if (step->call && step->call->file[0])
		fprintf(to, "  %s:%u", path_last(step->call->file), step->call->line);
	else if (step_is_function(step))
		fprintf(to, "  %s", step_module(step));
}

static void
print_item(struct printing *printing, const struct item *item, enum style style, bool has_share)
{
	char share[UNIT_TEXT] = "-";
	char value[UNIT_TEXT];
	char calls[UNIT_TEXT + 8];
	struct compose text;

	if (has_share && printing->all > 0)
		unit_tenths(share, item->tenths);
	compose_begin(&text);
	fprintf(text.to, "%*s%s", (int)item->indent * INDENT, "", item->begins ? "- " : "  ");
	if (item->node && item->node->step.name[0])
		print_name(text.to, item);
	else
		fputs(item->text, text.to);
	char *name = compose_end(&text);
	const char *cells[COLUMNS] = {share,
		value_text(value, printing->outline->value, item->value),
		printing->outline->no_calls ? "" : calls_text(calls, printing->outline->value, item),
		name};
	table_add(printing->table, style, cells);
	free(name);
}

void
outline_print(const struct outline *outline, const struct node *root)
{
	const struct row *others = &outline->others_sum;
	const struct row *negative = &outline->negative_sum;
	struct column columns[COLUMNS] = {{"share", false}, {value_names[outline->value], false},
		{"", false}, {"  function", false}};
	struct printing printing = {
		.outline = outline,
		.all = root->value + (outline->others ? row_value(others, outline->value) : 0),
		.table = table_open(columns, COLUMNS),
	};
	struct item all = {.node = root, .text = "all", .value = printing.all, .tenths = SHARE_WHOLE,
		.blocks = root->blocks + others->now.blocks,
		.calls = root->calls + others->now.allocs, .begins = true};

	print_item(&printing, &all, STYLE_BOLD, true);
	expand(&printing, &all);
	while (printing.left.count > 0) {
		struct item item = printing.left.items[--printing.left.count];
		print_item(&printing, &item, item.node ? STYLE_PLAIN : STYLE_DIM, true);
		if (item.node)
			expand(&printing, &item);
	}
	if (outline->negative) {
		struct item item = {.value = row_value(negative, outline->value), .begins = true,
			.blocks = negative->now.blocks, .calls = negative->now.allocs};
		snprintf(item.text, sizeof(item.text), "%s", outline->negative);
		print_item(&printing, &item, STYLE_DIM, false);
	}
	table_print(printing.table);
	free(printing.left.items);
}
