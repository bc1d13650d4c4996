// Each node of the tree has what its rows have, from either end; frames that differ in name,
// module, file or line are told apart; code in no file without a name is left out; children come largest
// first; no depth is too deep.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/tree.h"

enum { NAMES = 48, MODULES = 3, ROWS = 1500, DEEP = 200000 };

static int bad;
static struct module modules[MODULES] = {
	{.path = "/usr/bin/server"}, {.path = "libx.so"}, {.path = "/a/libx.so"}};
static struct inline_call calls[NAMES][2];
static struct symbolized symbols[NAMES];
static struct frame frames[NAMES];

static uint64_t
next_random(void)
{
	static uint64_t state = 1;
	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 33;
}

// Names, files, lines and modules meet each other in all ways. Every third frame has a function
// inlined.
static void
make_frames(void)
{
	static const char *const names[] = {"a", "b", "c", ""};
	for (unsigned i = 0; i < NAMES; i++) {
		calls[i][0] = (struct inline_call){names[i % 4], i / 4 % 2 ? "x.c" : "", i / 8 % 2};
		calls[i][1] = (struct inline_call){"outer", "x.c", i % 8};
		symbols[i] = (struct symbolized){calls[i], i % 3 == 0 ? 2 : 1};
		frames[i] = (struct frame){.address = i, .function = "", .offset = i,
			.module = i % 5 ? &modules[i % MODULES] : NULL, .symbolized = &symbols[i]};
	}
}

static struct row
make_row(unsigned depth)
{
	struct row row = {.frames = calloc(depth, sizeof(struct frame *)), .depth = depth};
	for (unsigned i = 0; i < depth; i++)
		row.frames[i] = &frames[next_random() % NAMES];
	row.now.live = next_random() % 100;
	row.now.blocks = next_random() % 10;
	row.now.allocs = next_random() % 1000;
	row.before.live = next_random() % 100;
	return row;
}

static bool
is_same(const struct resolved_frame *a, const struct resolved_frame *b)
{
	if (strcmp(a->name, b->name) != 0
			|| strcmp(resolved_module(a), resolved_module(b)) != 0)
		return false;
	if (!a->call || !b->call)
		return a->call == b->call;
	return a->call->line == b->call->line && strcmp(a->call->file, b->call->file) == 0;
}

// Leaves out code in no file that has no name, unless the stack has nothing else.
static void
take(struct resolved_stack *stack, const struct row *row)
{
	size_t count = 0;

	resolved_stack_take(stack, row);
	struct resolved_frame innermost = stack->frames[stack->count - 1];
	for (size_t i = 0; i < stack->count; i++)
		if (!stack->frames[i].frame || stack->frames[i].frame->module || stack->frames[i].call)
			stack->frames[count++] = stack->frames[i];
	if (count == 0)
		stack->frames[count++] = innermost;
	stack->count = count;
}

// Whether the row's frames, from the end that the tree begins at, lead through the node.
static bool
leads_through(const struct node *node, const struct resolved_stack *stack, bool inverted)
{
	size_t level = 0;

	for (const struct node *up = node->parent; up; up = up->parent)
		level++;
	if (level > stack->count)
		return false;
	for (; node->parent; node = node->parent) {
		level--;
		size_t at = inverted ? stack->count - 1 - level : level;
		if (!is_same(&stack->frames[at], &node->resolved))
			return false;
	}
	return true;
}

static void
check_node(const struct node *node, const struct profile *profile, enum value value, bool inverted)
{
	struct resolved_stack stack = {0};
	struct node sum = {0};
	int64_t below = 0;

	for (size_t i = 0; i < profile->row_count; i++) {
		take(&stack, &profile->rows[i]);
		if (!leads_through(node, &stack, inverted))
			continue;
		sum.value += row_value(&profile->rows[i], value);
		sum.blocks += profile->rows[i].now.blocks;
		sum.calls += profile->rows[i].now.allocs;
		sum.rows++;
	}
	free(stack.frames);
	if (sum.value != node->value || sum.blocks != node->blocks || sum.calls != node->calls
		|| sum.rows != node->rows)
		bad = printf("%s: %ld, should be %ld\n", node->resolved.name, node->value,
			sum.value);
	for (const struct node *child = node->children; child; child = child->next) {
		below += child->value;
		if (child->parent != node || (child->next && child->next->value > child->value))
			bad = printf("%s: out of order\n", child->resolved.name);
	}
	if (value != VALUE_GROWTH && below > node->value)
		bad = printf("%s: its children have more\n", node->resolved.name);
}

static unsigned
check(const struct profile *profile, enum value value, bool inverted)
{
	struct node *root = tree_build(profile, value, inverted);
	unsigned nodes = 0;

	for (struct node *node = root; node;) {
		if (nodes++ % 7 == 0)
			check_node(node, profile, value, inverted);
		if (node->children) {
			node = node->children;
			continue;
		}
		while (node && !node->next)
			node = node->parent;
		node = node ? node->next : NULL;
	}
	tree_free(root);
	return nodes;
}

static void
check_deep(void)
{
	struct row row = make_row(DEEP);
	struct profile profile = {.rows = &row, .row_count = 1};
	struct node *root = tree_build(&profile, VALUE_LIVE, false);
	struct resolved_stack stack = {0};
	size_t depth = 0;

	take(&stack, &row);
	for (struct node *node = root; node->children; node = node->children)
		depth++;
	if (depth != stack.count || depth < DEEP)
		bad = printf("a stack of %zu frames has %zu nodes\n", stack.count, depth);
	free(stack.frames);
	tree_free(root);
	free(row.frames);
}

int
main(void)
{
	static struct row rows[ROWS];
	struct profile profile = {.rows = rows, .row_count = ROWS};

	make_frames();
	for (unsigned i = 0; i < ROWS - 2; i++)
		rows[i] = make_row(1 + (unsigned)next_random() % 3);
	rows[ROWS - 2] = (struct row){.kind = SOURCE_OTHER, .now.live = 7};
	rows[ROWS - 1] = (struct row){.kind = SOURCE_REST, .now.live = 9};
	unsigned nodes = check(&profile, VALUE_LIVE, false) + check(&profile, VALUE_GROWTH, true);
	if (nodes < 1000)
		bad = printf("only %u nodes: nothing was tested\n", nodes);
	check_deep();
	for (unsigned i = 0; i < ROWS; i++)
		free(rows[i].frames);
	return bad != 0;
}
