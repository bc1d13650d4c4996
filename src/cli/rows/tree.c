// The tree is built row by row: from a node to the next by one hash table of all nodes, keyed
// by parent and step, so that a function with thousands of callers costs no more than one with
// two. Nothing here recurses: a stack may be as deep as it likes.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rows/tree.h"

enum {
	SLOTS_AT_FIRST = 1024, // a power of 2
};

struct slot {
	uint64_t hash;
	struct node *node;
};

struct builder {
	struct slot *slots;
	size_t count;
	size_t size;
};

static uint64_t
hash_text(uint64_t hash, const char *text)
{
	// FNV-1a; the terminator as well, so that two texts never run into one.
	do
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	while (*text++);
	return hash;
}

static uint64_t
hash_step(const struct node *parent, const struct step *step)
{
	uint64_t hash = 0xcbf29ce484222325 ^ (uintptr_t)parent;

	hash = hash_text(hash * 0x100000001b3, step->name);
	hash = hash_text(hash, step_module(step));
	if (step->call) {
		hash = hash_text(hash, step->call->file);
		hash = (hash ^ step->call->line) * 0x100000001b3;
	}
	return hash ^ hash >> 29;
}

// Like strcmp(): by name, module, file and line; 0: they are one.
static int
compare_steps(const struct step *a, const struct step *b)
{
	int order = strcmp(a->name, b->name);
	if (order == 0)
		order = strcmp(step_module(a), step_module(b));
	if (order == 0 && (!a->call || !b->call))
		return (a->call != NULL) - (b->call != NULL);
	if (order == 0)
		order = strcmp(a->call->file, b->call->file);
	if (order == 0)
		order = (a->call->line > b->call->line) - (a->call->line < b->call->line);
	return order;
}

static void
grow(struct builder *builder)
{
	struct slot *old = builder->slots;
	size_t size = builder->size;

	builder->size = size ? size * 2 : SLOTS_AT_FIRST;
	builder->slots = memory_get(builder->size, sizeof(*builder->slots));
	for (size_t i = 0; i < size; i++) {
		if (!old[i].node)
			continue;
		size_t at = old[i].hash & (builder->size - 1);
		while (builder->slots[at].node)
			at = (at + 1) & (builder->size - 1);
		builder->slots[at] = old[i];
	}
	free(old);
}

static struct node *
make_child(struct node *parent, const struct step *step)
{
	struct node *node = memory_get(1, sizeof(*node));
	node->step = *step;
	node->parent = parent;
	node->next = parent->children;
	parent->children = node;
	return node;
}

static struct node *
child(struct builder *builder, struct node *parent, const struct step *step)
{
	uint64_t hash = hash_step(parent, step);

	if (builder->count * 2 >= builder->size)
		grow(builder);
	size_t at = hash & (builder->size - 1);
	for (; builder->slots[at].node; at = (at + 1) & (builder->size - 1)) {
		struct slot *slot = &builder->slots[at];
		if (slot->hash == hash && slot->node->parent == parent
			&& compare_steps(&slot->node->step, step) == 0)
			return slot->node;
	}
	builder->slots[at] = (struct slot){hash, make_child(parent, step)};
	builder->count++;
	return builder->slots[at].node;
}

static void
count_row(struct node *node, const struct row *row, int64_t value)
{
	node->value += value;
	node->blocks += row->now.blocks;
	node->calls += row->now.allocs;
	node->rows++;
}

static int
by_value(const void *left, const void *right)
{
	const struct node *a = *(struct node *const *)left;
	const struct node *b = *(struct node *const *)right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return compare_steps(&a->step, &b->step);
}

static void
sort_children(struct node *parent, struct node ***items, size_t *room)
{
	size_t count = 0;

	for (struct node *node = parent->children; node; node = node->next) {
		*items = memory_grow(*items, count, room, sizeof(**items));
		(*items)[count++] = node;
	}
	if (count < 2)
		return;
	qsort(*items, count, sizeof(**items), by_value);
	for (size_t i = 0; i + 1 < count; i++)
		(*items)[i]->next = (*items)[i + 1];
	(*items)[count - 1]->next = NULL;
	parent->children = (*items)[0];
}

// The node after this one, parents first; NULL: it was the last.
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
	struct steps steps = {0};
	struct node *root = memory_get(1, sizeof(*root));
	struct node **items = NULL;
	size_t room = 0;

	root->step.name = "";
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		int64_t its_value = row_value(row, value);
		struct node *node = root;

		count_row(root, row, its_value);
		steps_take(&steps, row);
		for (size_t j = 0; j < steps.count; j++) {
			size_t at = inverted ? steps.count - 1 - j : j;
			node = child(&builder, node, &steps.steps[at]);
			count_row(node, row, its_value);
		}
	}
	for (struct node *node = root; node; node = after(node))
		sort_children(node, &items, &room);
	free(items);
	free(steps.steps);
	free(builder.slots);
	return root;
}

void
tree_free(struct node *root)
{
	while (root) {
		struct node *node = root;

		// The children take its place in the list of what is still to be freed.
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
