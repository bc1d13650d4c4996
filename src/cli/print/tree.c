// SPDX-License-Identifier: BSD-2-Clause
// The tree is built row by row. One hash table for all nodes finds a node's child, by parent and
// frame. So finding a child takes the same time however many children a node has. No function here
// recurses, because a stack may have any depth.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "rows/attribution.h"
#include "rows/library.h"
#include "rows/wrapper.h"
#include "print/tree.h"

struct builder {
	// `keys` gives each pair of a parent and a frame a number; nodes[n] is the node of number n
	struct intern texts, keys;
	struct node **nodes;
	size_t room;
};

// Compares the frames' names, modules, files and lines. Returns a number as strcmp() does. Frames
// that compare as equal become one node.
static int
compare_frames(const struct resolved_frame *a, const struct resolved_frame *b)
{
	int order = strcmp(a->name, b->name);
	if (order == 0)
		order = strcmp(resolved_module(a), resolved_module(b));
	if (order == 0 && (!a->call || !b->call))
		return (a->call != NULL) - (b->call != NULL);
	if (order == 0)
		order = strcmp(a->call->file, b->call->file);
	if (order == 0)
		order = (a->call->line > b->call->line) - (a->call->line < b->call->line);
	return order;
}

static struct node *
child(struct builder *builder, struct node *parent, const struct resolved_frame *resolved)
{
	const struct inline_call *call = resolved->call;
	uint64_t key[] = {
		(uintptr_t)parent,
		intern_text(&builder->texts, resolved->name),
		intern_text(&builder->texts, resolved_module(resolved)),
		call ? intern_text(&builder->texts, call->file) + 1 : 0,
		call ? call->line : 0,
	};
	bool is_new;
	size_t number = intern_number(&builder->keys, key, sizeof(key), &is_new);

	if (is_new) {
		builder->nodes = memory_grow(builder->nodes, number, &builder->room,
			sizeof(*builder->nodes));
		struct node *node = memory_get(1, sizeof(*node));
		*node = (struct node){.resolved = *resolved, .parent = parent, .next = parent->children};
		parent->children = builder->nodes[number] = node;
	}
	return builder->nodes[number];
}

static void
count_row(struct node *node, const struct row *row, int64_t value)
{
	node->value += value;
	node->blocks += row->now.blocks;
	node->calls += row->now.allocs;
	node->rows++;
}

// Gives C++ functions their short names: std::map<>::at. The tree's nodes have these names.
static void
shorten(struct resolved_stack *stack)
{
	// Names are found by the addresses of whole names. Both stay until this program ends.
	static struct intern known;
	static char **names;
	static size_t room;

	for (size_t i = 0; i < stack->count; i++) {
		struct resolved_frame *resolved = &stack->frames[i];
		struct compose text;
		bool is_new;
		if (!resolved_is_function(resolved) || resolved_is_line(resolved) || resolved_is_code(resolved))
			continue;
		size_t number = intern_number(&known, &resolved->name, sizeof(resolved->name), &is_new);
		if (is_new) {
			names = memory_grow(names, number, &room, sizeof(*names));
			compose_begin(&text);
			name_print(text.to, resolved->name, NAME_SHORT);
			names[number] = compose_end(&text);
		}
		resolved->name = names[number];
	}
}

// Leaves out what a library's function calls within the library. Of std::map::at() and the
// functions by which it allocates, only std::map::at() stays. Leaves out code without a name,
// unless the stack has nothing else.
static void
fold(struct resolved_stack *stack)
{
	size_t count = 0, last = stack->count - 1;
	bool was_inside = false;

	for (size_t i = 0; i <= last; i++) {
		const struct resolved_frame *resolved = &stack->frames[i];
		bool is_inside = library_is_inside(resolved);
		// V8 has many copies of code without a name, so one function has several of these as callers.
		bool is_nameless = resolved->frame && !resolved->frame->module && !resolved_is_function(resolved);
		bool is_left_out = is_nameless && (count > 0 || i < last);
		if ((!is_inside || !was_inside) && !is_left_out)
			stack->frames[count++] = *resolved;
		was_inside = is_inside;
	}
	stack->count = count;
}

static int
by_value(const void *left, const void *right)
{
	const struct node *a = *(struct node *const *)left;
	const struct node *b = *(struct node *const *)right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return compare_frames(&a->resolved, &b->resolved);
}

static void
sort_children(struct node *parent, struct node ***items, size_t *room)
{
	size_t count = 0;
	uint64_t rows = 0;

	for (struct node *node = parent->children; node; node = node->next) {
		rows += node->rows;
		*items = memory_grow(*items, count, room, sizeof(**items));
		(*items)[count++] = node;
	}
	ASSERT(rows <= parent->rows);
	if (count < 2)
		return;
	qsort(*items, count, sizeof(**items), by_value);
	for (size_t i = 0; i + 1 < count; i++)
		(*items)[i]->next = (*items)[i + 1];
	(*items)[count - 1]->next = NULL;
	parent->children = (*items)[0];
}

// Returns the next node of a walk in which each parent comes before its children. Returns NULL
// after the last node.
static struct node *
after(struct node *node)
{
	if (node->children)
		return node->children;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

struct node *
tree_build(const struct profile *profile, enum value value, bool inverted)
{
	struct builder builder = {0};
	struct resolved_stack stack = {0};
	struct node *root = memory_get(1, sizeof(*root));
	struct node **items = NULL;
	size_t room = 0;

	root->resolved.name = "";
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		int64_t its_value = row_value(row, value);
		struct node *node = root;

		count_row(root, row, its_value);
		resolved_stack_take(&stack, row);
		stack.count = attribution_leave_out(stack.frames, stack.count);
		if (!wrapper_shows_all()) {
			fold(&stack);
			shorten(&stack);
		}
		for (size_t j = 0; j < stack.count; j++) {
			size_t at = inverted ? stack.count - 1 - j : j;
			node = child(&builder, node, &stack.frames[at]);
			count_row(node, row, its_value);
		}
	}
	ASSERT(root->rows == profile->row_count);
	for (struct node *node = root; node; node = after(node))
		sort_children(node, &items, &room);
	free(items);
	free(stack.frames);
	free(builder.nodes);
	intern_free(&builder.texts);
	intern_free(&builder.keys);
	return root;
}

void
tree_free(struct node *root)
{
	while (root) {
		struct node *node = root;

		// Puts the node's children into the list of nodes to free, in the node's place.
		if (node->children) {
			struct node *last = node->children;
			while (last->next)
				last = last->next;
			last->next = node->next;
			node->next = node->children;
		}
		root = node->next;
		free(node);
	}
}
