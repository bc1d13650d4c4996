// SPDX-License-Identifier: BSD-2-Clause
// Lines to be printed are on an explicit stack. Recursion is avoided, because a tree is as deep as
// the program's stacks. A line's share is split among the lines one level below. So their shares
// add up to the line's.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "rows/name.h"
#include "rows/script_line.h"
#include "rows/wrapper.h"
#include "print/table.h"
#include "print/tree.h"

enum {
	TEXT_BYTES = 128,
	WIDE = 100, // on a narrower terminal, levels are indented less
	COLUMNS = 4,
};

struct item {
	// NULL for two kinds of items: the sum of small nodes, and the stacks that end at the parent
	const struct node *node;
	// The last node on the line. A line with several nodes begins with `node`, and each further
	// node is the only child of the one before it.
	const struct node *last;
	char text[TEXT_BYTES];   // the words for an item without a node
	int64_t value;
	uint64_t blocks, calls;
	unsigned tenths; // the item's share of the whole, in tenths of a percent
	unsigned indent;
	bool begins; // true if the item begins a branch: "- " is printed before it
};

struct items {
	struct item *items;
	size_t count;
	size_t room;
};

struct printing {
	const struct tree_style *style;
	int64_t all;
	struct items left; // items to be printed, as a stack: the last one is printed next
	struct text_table *table;
};

static struct item *
add(struct items *to, const struct node *node, int64_t value, uint64_t blocks, uint64_t calls)
{
	to->items = memory_grow(to->items, to->count, &to->room, sizeof(*to->items));
	struct item *item = &to->items[to->count++];
	*item = (struct item){.node = node, .last = node, .value = value, .blocks = blocks,
		.calls = calls};
	return item;
}

// Returns the node's only child if the child has all of the node's value. Returns NULL otherwise.
static const struct node *
heir(const struct node *node)
{
	const struct node *child = node->children;
	bool is_alone = child && !child->next && child->value == node->value
		&& child->blocks == node->blocks && child->calls == node->calls;
	return is_alone ? child : NULL;
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
	const struct tree_style *style = printing->style;

	// A row without a stack, such as {rest}, has a line however small it is.
	if (!node->resolved.frame)
		return false;
	return (double)node->value * 100 < style->threshold * (double)printing->all
		|| (uint64_t)node->value < style->min;
}

static void
name_small(const struct printing *printing, struct item *item, uint64_t count)
{
	const struct tree_style *style = printing->style;
	char min[UNIT_TEXT + sizeof(" or ")] = "";

	if (style->min > 0) {
		strcpy(min, " or ");
		unit_bytes(min + strlen(min), style->min);
	}
	char number[UNIT_TEXT];
	snprintf(item->text, sizeof(item->text), "%s more below %g%%%s", unit_count(number, count),
		style->threshold, min);
}

// Adds an item for each child of the node that is not small. Another item has the sum of the small
// children, and another the stacks that end at the node.
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

// Pushes the items one level below `above`: they are printed next.
static void
expand(struct printing *printing, const struct item *above)
{
	const struct tree_style *style = printing->style;
	const struct row *others = &style->others_sum;
	struct items items = {0};

	gather(printing, above->last, &items);
	if (!above->last->parent && style->others)
		snprintf(add(&items, NULL, row_value(others, style->value), others->now.blocks,
			others->now.allocs)->text, TEXT_BYTES, "%s", style->others);
	split(&items, above->tenths);
	bool goes_on = items.count == 1 && items.items[0].node;
	for (size_t i = items.count; i-- > 0;) {
		struct item *item = &items.items[i];
		struct item *pushed = add(&printing->left, NULL, 0, 0, 0);
		*pushed = *item;
		pushed->begins = !goes_on;
		pushed->indent = above->indent + (goes_on ? 0 : 1);
		while (pushed->node && heir(pushed->last))
			pushed->last = heir(pushed->last);
	}
	free(items.items);
}

// Writes how many blocks are live, if the value is live, growth or allocs. For other values, writes
// how many calls allocated.
static void
calls_text(char text[UNIT_TEXT + 8], enum value value, const struct item *item)
{
	bool blocks = value == VALUE_LIVE || value == VALUE_GROWTH || value == VALUE_ALLOCS;
	uint64_t count = blocks ? item->blocks : item->calls;

	unit_count(text, count);
	strcat(text, blocks ? " block" : " call");
	strcat(text, count == 1 ? "" : "s");
}

// Prints a frame. A name of V8's has its file without the folders. `module` is that of the frame
// before on the line: the same name is not printed again.
static void
print_frame(FILE *to, const struct resolved_frame *resolved, const char *module)
{
	const char *word = resolved_word(resolved);

	if (name_is_js(resolved->name) && !wrapper_shows_all())
		name_print(to, resolved->name, NAME_SHORT);
	else
		fputs(resolved->name, to);
	if (word[0])
		fprintf(to, "  %s", word);
	else if (resolved_is_line(resolved))
		script_line_print_place(to, resolved->frame);
	else if (resolved->call && resolved->call->file[0])
		fprintf(to, "  %s:%u", path_last(resolved->call->file), resolved->call->line);
	else if (resolved_is_function(resolved) && resolved_module(resolved)[0]
			&& strcmp(resolved_module(resolved), module) != 0)
		fprintf(to, "  %s", resolved_module(resolved));
}

// Prints the names of all nodes on a line: "main server.c:12 > serve server.c:40".
static void
print_names(const struct printing *printing, FILE *to, const struct item *item)
{
	const char *module = "";

	for (const struct node *node = item->node; node; node = heir(node)) {
		if (node != item->node)
			fputs(printing->style->inverted ? " < " : " > ", to);
		print_frame(to, &node->resolved, module);
		module = resolved_module(&node->resolved);
		if (node == item->last)
			break;
	}
}

static void
print_item(struct printing *printing, const struct item *item, enum style style, bool has_share)
{
	char share[UNIT_TEXT] = "-";
	bool is_sampled = printing->style->is_sampled;
	char value[UNIT_TEXT + 1] = "~";
	char calls[UNIT_TEXT + 9] = "~";
	struct compose text;
	unsigned width = term_width();
	int indent = (int)item->indent * (width > 0 && width < WIDE ? 1 : 2);

	if (has_share && printing->all > 0)
		unit_tenths(share, item->tenths);
	compose_begin(&text);
	fprintf(text.to, "%*s%s", indent, "", item->begins ? "- " : "  ");
	if (item->node && item->node->resolved.name[0])
		print_names(printing, text.to, item);
	else
		fputs(item->text, text.to);
	char *name = compose_end(&text);
	value_text(value + is_sampled, printing->style->value, item->value);
	calls_text(calls + is_sampled, printing->style->value, item);
	const char *cells[COLUMNS] = {share, value, printing->style->no_calls ? "" : calls, name};
	table_add(printing->table, style, cells);
	free(name);
}

void
tree_print(FILE *to, const struct tree_style *style, const struct node *root)
{
	const struct row *others = &style->others_sum;
	const struct row *negative = &style->negative_sum;
	struct column columns[COLUMNS] = {{"share", false}, {value_names[style->value], false},
		{"", false}, {"  function", false}};
	struct printing printing = {
		.style = style,
		.all = root->value + (style->others ? row_value(others, style->value) : 0),
		.table = table_open(columns, COLUMNS),
	};
	struct item all = {.node = root, .last = root, .text = "all", .value = printing.all,
		.tenths = SHARE_WHOLE, .blocks = root->blocks + others->now.blocks,
		.calls = root->calls + others->now.allocs, .begins = true};
	if (style->has_mapped)
		strcpy(all.text, "all, live and mapped");

	table_wrap(printing.table, style->inverted ? "<" : ">");
	print_item(&printing, &all, STYLE_BOLD, true);
	expand(&printing, &all);
	while (printing.left.count > 0) {
		struct item item = printing.left.items[--printing.left.count];
		print_item(&printing, &item, item.node ? STYLE_PLAIN : STYLE_DIM, true);
		if (item.node)
			expand(&printing, &item);
	}
	if (style->negative) {
		struct item item = {.value = row_value(negative, style->value), .begins = true,
			.blocks = negative->now.blocks, .calls = negative->now.allocs};
		snprintf(item.text, sizeof(item.text), "%s", style->negative);
		print_item(&printing, &item, STYLE_DIM, false);
	}
	if (style->is_sampled)
		table_add_text(printing.table, "~: estimated by sampling");
	table_print(to, printing.table);
	free(printing.left.items);
}
