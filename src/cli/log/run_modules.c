// SPDX-License-Identifier: BSD-2-Clause
// Finds modules by their line, by address and by path. A module may be unloaded and another may get
// its addresses, so the latest module at an address is found.
//
// An index, run->edges, has the older modules as ranges that do not overlap. Modules that came
// after the index was built are searched one by one. When there are more than UNORDERED_MAX of
// these, the index is built anew from all modules.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/budget.h"
#include "log/run.h"

enum { UNORDERED_MAX = 256 };

// Makes a module without addresses, for a path that has no `# module` line in the log.
static struct module *
new_module(struct run *run, const char *path, const char *build_id)
{
	struct arena *arena = run->arena;
	struct module *module = arena_get(arena, sizeof(*module));
	module->path = arena_text(arena, path, strlen(path));
	module->build_id = arena_text(arena, build_id, strlen(build_id));
	module->pid = (long)run->pid;
	run->modules = memory_grow(run->modules, run->module_count, &run->module_room,
		sizeof(*run->modules));
	run->modules[run->module_count++] = module;
	return module;
}

// Returns the element of run->bare for the module with this path and without addresses. The element
// is NULL until the module is made.
static struct module **
bare_of(struct run *run, const char *path)
{
	bool is_new;
	size_t number = intern_number(&run->bare_paths, path, strlen(path), &is_new);

	if (is_new) {
		run->bare = memory_grow(run->bare, number, &run->bare_room, sizeof(*run->bare));
		run->bare[number] = NULL;
	}
	return &run->bare[number];
}

void
run_module(struct run *run, const struct line *line)
{
	char *key = memory_format("%" PRIx64 "-%" PRIx64 " %s %s", line->module.start,
		line->module.end, line->module.build_id, line->module.path);
	bool is_new = false;

	if (run->module_keys.count < BUDGET_MODULES)
		intern_number(&run->module_keys, key, strlen(key), &is_new);
	else
		run->is_over |= intern_find(&run->module_keys, key, strlen(key)) == INTERN_NONE;
	free(key);
	// The log repeats a run's header, and with it the module lines.
	if (!is_new)
		return;
	struct module *module = new_module(run, line->module.path, line->module.build_id);
	module->start = line->module.start;
	module->end = line->module.end;
	if (module->start == 0)
		*bare_of(run, module->path) = module;
	run->placed = memory_grow(run->placed, run->placed_count, &run->placed_room,
		sizeof(*run->placed));
	run->placed[run->placed_count++] = module;
}

static int
by_start(const void *left, const void *right)
{
	const struct module_edge *a = left, *b = right;
	return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
		: (a->module > b->module) - (a->module < b->module);
}

// Collects the start and the end of each module, sorted by address, each address once.
static size_t
take_edges(struct run *run, struct module_edge *edges)
{
	size_t count = 0;

	for (size_t i = 0; i < run->placed_count; i++) {
		const struct module *module = run->placed[i];
		if (module->end <= module->start)
			continue;
		edges[count++] = (struct module_edge){module->start, i + 1};
		edges[count++] = (struct module_edge){module->end, 0};
	}
	qsort(edges, count, sizeof(*edges), by_start);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || edges[kept - 1].start != edges[i].start)
			edges[kept++] = (struct module_edge){edges[i].start, 0};
	for (size_t i = 1; i < kept; i++)
		ASSERT(edges[i - 1].start < edges[i].start);
	return kept;
}

// Returns the index of the last edge at or before the address, plus 1. Returns 0 if all edges are
// after it.
static size_t
edge_at(const struct run *run, uint64_t address)
{
	size_t low = 0, high = run->edge_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (run->edges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Returns the first edge from `edge` on that no module has taken. next[i] is i if edge i is free,
// else a later edge, from which the search goes on. The search makes next[] skip taken edges, so
// that later searches are shorter.
static size_t
next_free(size_t *next, size_t edge)
{
	while (next[edge] != edge) {
		next[edge] = next[next[edge]];
		edge = next[edge];
	}
	return edge;
}

// Builds the index. The latest module takes its whole range first. Then each earlier module takes
// the part of its range that is still free.
static void
order(struct run *run)
{
	free(run->edges);
	run->edges = memory_get(run->placed_count * 2, sizeof(*run->edges));
	run->edge_count = take_edges(run, run->edges);
	size_t *next = memory_get(run->edge_count + 1, sizeof(*next));
	for (size_t i = 0; i <= run->edge_count; i++)
		next[i] = i;
	for (size_t i = run->placed_count; i-- > 0;) {
		const struct module *module = run->placed[i];
		if (module->end <= module->start)
			continue;
		size_t end = edge_at(run, module->end) - 1;
		ASSERT(end < run->edge_count && run->edges[end].start == module->end);
		for (size_t at = next_free(next, edge_at(run, module->start) - 1); at < end;
				at = next_free(next, at)) {
			run->edges[at].module = i + 1;
			next[at] = at + 1;
		}
	}
	free(next);
	run->ordered = run->placed_count;
}

const struct module *
run_module_at(struct run *run, uint64_t address)
{
	ASSERT(run->ordered <= run->placed_count);
	if (run->placed_count - run->ordered > UNORDERED_MAX)
		order(run);
	for (size_t i = run->placed_count; i > run->ordered; i--) {
		const struct module *module = run->placed[i - 1];
		if (address >= module->start && address < module->end)
			return module;
	}
	size_t edge = edge_at(run, address);
	size_t number = edge > 0 ? run->edges[edge - 1].module : 0;
	return number > 0 ? run->placed[number - 1] : NULL;
}

// First looks for a module with this path that has, or once had, the address. Another module may
// have the address now.
const struct module *
run_module_named(struct run *run, const char *path, uint64_t address)
{
	const struct module *there = run_module_at(run, address);
	size_t left = UNORDERED_MAX;

	if (there && strcmp(there->path, path) == 0)
		return there;
	for (size_t i = run->placed_count; i > 0 && left-- > 0; i--) {
		const struct module *module = run->placed[i - 1];
		if (address >= module->start && address < module->end && strcmp(module->path, path) == 0)
			return module;
	}
	struct module **bare = bare_of(run, path);
	if (!*bare)
		*bare = new_module(run, path, "");
	return *bare;
}
