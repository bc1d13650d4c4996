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
	// The last node on the line. A line with several nodes begins with `node`. Each further node is
	// the only child of the one before it.
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
	const struct profile *profile;
	enum value by;
	uint64_t min;
	bool inverted;
	double threshold;
	// rows that are not in the tree: those not asked for, and those with negative values. Only the
	// first count in the whole
	struct others unwanted, negative;
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
		// A row without a stack, such as {rest}, has a line however small it is.
		if (!child->resolved.frame || ((uint64_t)child->value >= printing->min
				&& (double)child->value * 100 >= printing->threshold * (double)printing->all)) {
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
		snprintf(add(items, NULL, small.value, small.blocks, small.calls)->text, TEXT_BYTES,
			"%s more below %g%%%s%s", unit_count(UNIT_ROOM, smalls), printing->threshold,
			printing->min > 0 ? " or " : "",
			printing->min > 0 ? unit_bytes(UNIT_ROOM, printing->min) : "");
}

// Pushes the items one level below `above`: they are printed next.
static void
expand(struct printing *printing, const struct item *above)
{
	const struct others *others = &printing->unwanted;
	struct items items = {0};

	gather(printing, above->last, &items);
	if (!above->last->parent && others->count > 0)
		others_text(add(&items, NULL, row_value(&others->sum, printing->by), others->sum.now.blocks,
			others->sum.now.allocs)->text, TEXT_BYTES, others, " not asked for");
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

// Prints a frame. A function of V8's has its file's name without folders. `module` is the module of
// the previous frame on the line. It is not printed again.
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
			fputs(printing->inverted ? " < " : " > ", to);
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
	bool is_sampled = printing->profile->is_sampled;
	char value[UNIT_TEXT + 1] = "~";
	char calls[UNIT_TEXT + 9];
	// Blocks are live. For other values, calls that allocated are counted.
	bool has_blocks = printing->by == VALUE_LIVE || printing->by == VALUE_GROWTH
		|| printing->by == VALUE_ALLOCS;
	uint64_t count = has_blocks ? item->blocks : item->calls;
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
	value_text(value + is_sampled, printing->by, item->value);
	snprintf(calls, sizeof(calls), "%s%s %s%s", is_sampled ? "~" : "", unit_count(UNIT_ROOM, count),
		has_blocks ? "block" : "call", count == 1 ? "" : "s");
	const char *cells[COLUMNS] = {share, value, printing->profile->is_seeds ? "" : calls, name};
	table_add(printing->table, style, cells);
	free(name);
}

// Prints the tree from its root on, and the line below it.
static void
print_nodes(struct printing *printing, const struct node *root)
{
	const struct row *unwanted = &printing->unwanted.sum, *negative = &printing->negative.sum;
	struct item all = {.node = root, .last = root, .value = printing->all, .tenths = SHARE_WHOLE,
		.blocks = root->blocks + unwanted->now.blocks, .calls = root->calls + unwanted->now.allocs,
		.begins = true};

	strcpy(all.text, printing->profile->mapped.now.allocs > 0 ? "all, live and mapped" : "all");
	print_item(printing, &all, STYLE_BOLD, true);
	expand(printing, &all);
	while (printing->left.count > 0) {
		struct item item = printing->left.items[--printing->left.count];
		print_item(printing, &item, item.node ? STYLE_PLAIN : STYLE_DIM, true);
		if (item.node)
			expand(printing, &item);
	}
	if (printing->negative.count > 0) {
		struct item item = {.value = row_value(negative, printing->by), .begins = true,
			.blocks = negative->now.blocks, .calls = negative->now.allocs};
		others_text(item.text, sizeof(item.text), &printing->negative, " that shrank");
		print_item(printing, &item, STYLE_DIM, false);
	}
}

void
tree_print(FILE *to, const struct rows_table *of, const struct profile *profile, bool inverted,
	double threshold)
{
	struct printing printing = {.profile = profile, .by = (enum value)of->by, .min = of->min,
		.inverted = inverted, .threshold = threshold};
	struct column columns[COLUMNS] = {{"share", false}, {value_names[printing.by], false},
		{"", false}, {"  function", false}};
	struct profile shown = {.rows = memory_get(profile->row_count, sizeof(struct row))};
	uint64_t guesses = 0;

	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		if (row_value(row, printing.by) < 0)
			others_add(&printing.negative, row);
		else if (!match_row(&of->match, row))
			others_add(&printing.unwanted, row);
		else if (row_value(row, printing.by) > 0)
			shown.rows[shown.row_count++] = *row;
		guesses += row->uncertain && row->kind == SOURCE_STACK;
	}
	profile_resolve(&shown);
	struct node *root = tree_build(&shown, printing.by, inverted);
	printing.all = root->value + row_value(&printing.unwanted.sum, printing.by);
	printing.table = table_open(columns, COLUMNS);
	table_wrap(printing.table, inverted ? "<" : ">");
	print_nodes(&printing, root);
	if (profile->is_sampled)
		table_add_text(printing.table, "~: estimated by sampling");
	table_print(to, printing.table);
	if (guesses > 0 && (printing.by == VALUE_GROWTH || printing.by == VALUE_CHURN))
		fprintf(to, "~: %s not certain of %s source%s\n", value_names[printing.by],
			unit_count(UNIT_ROOM, guesses), guesses == 1 ? "" : "s");
	tree_free(root);
	free(printing.left.items);
	free(shown.rows);
}
