#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "rows/name.h"
#include "rows/where.h"

// Beginnings of file names. Not "libc.": libc-client.so is nobody's C library.
static const char *const modules[] = {
	PATH_LIBRARY, "libc.so", "libc-2.", "ld-linux", "ld-2.", "ld64.so", "ld.so", "ld-musl-",
	"libpthread.so", "libpthread-2.", "libdl.so", "libdl-2.", "libgcc_s.", "libresolv.",
	"libresolv-2.", "libnss_", "libstdc++.", "libc++.", "libc++abi.", "libstd-", "libjemalloc.",
	"libtcmalloc", "libmimalloc", NULL,
};

bool
where_is_library(const struct step *step)
{
	if (!step->frame)
		return false;
	if (step->frame->is_hook)
		return true;
	for (int i = 0; modules[i]; i++)
		if (strncmp(step_module(step), modules[i], strlen(modules[i])) == 0)
			return true;
	return name_is_library(step->name);
}

const struct step *
where_step(const struct step *steps, size_t count, size_t *index)
{
	size_t best = count - 1;

	for (size_t i = count; i-- > 0;) {
		if (!where_is_library(&steps[i])) {
			best = i;
			break;
		}
		bool is_hook = steps[best].frame && steps[best].frame->is_hook;
		if (is_hook)
			best = i;
	}
	if (index)
		*index = best;
	return &steps[best];
}

static bool
is_function(const struct step *step)
{
	return step->call || (step->frame && step->name == step->frame->function);
}

// The name of a function alone; of anything else all of it.
static void
print_name(FILE *to, const struct step *step)
{
	size_t length = strlen(step->name);
	const char *name = is_function(step) ? name_alone(step->name, &length) : step->name;

	fwrite(name, 1, length, to);
}

// The same without arguments of templates: std::vector::push_back.
static void
print_plain_name(FILE *to, const struct step *step)
{
	size_t length = strlen(step->name);
	const char *name = is_function(step) ? name_alone(step->name, &length) : step->name;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		if (depth == 0 && strncmp(name + i, "operator", 8) == 0) {
			fwrite(name + i, 1, length - i, to);
			return;
		}
		depth += name[i] == '<' && name[0] != '<';
		if (depth == 0)
			fputc(name[i], to);
		depth -= name[i] == '>' && depth > 0 && name[i - 1] != '-';
	}
}

static void
print_place(FILE *to, const struct step *step, const struct step *outermost)
{
	const char *module = step_module(step);

	if (step->call && step->call->file[0])
		fprintf(to, " %s:%u", path_last(step->call->file), step->call->line);
	else if (is_function(step) && strcmp(module, step_module(outermost)) != 0)
		fprintf(to, " (%s)", module);
}

static bool
is_same_function(const struct step *a, const struct step *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(step_module(a), step_module(b)) == 0;
}

// Of the program's steps outwards from here the next one; `count` when there is none.
static size_t
next_own(const struct step *steps, size_t count, size_t at)
{
	while (at-- > 0)
		if (!where_is_library(&steps[at]))
			return at;
	return count;
}

// The library's function that the program's called. Not a mangled name, which tells nobody more.
static void
print_via(FILE *to, const struct step *callee)
{
	bool is_hook = callee->frame && callee->frame->is_hook;

	if (is_hook || strncmp(callee->name, "_Z", 2) == 0)
		return;
	fputs(" via ", to);
	print_plain_name(to, callee);
}

void
where_print(FILE *to, const struct step *steps, size_t count)
{
	size_t at;
	const struct step *own = where_step(steps, count, &at);
	size_t outermost = at;

	for (size_t i = next_own(steps, count, at); i < count; i = next_own(steps, count, i))
		outermost = i;
	print_name(to, own);
	print_place(to, own, &steps[outermost]);
	if (at + 1 < count)
		print_via(to, &steps[at + 1]);
	for (size_t i = next_own(steps, count, at); i < count;) {
		const struct step *caller = &steps[i];
		unsigned times = 0;
		for (; i < count && is_same_function(&steps[i], caller); times++)
			i = next_own(steps, count, i);
		fputs(" < ", to);
		print_name(to, caller);
		if (times > 1)
			fprintf(to, " x%u", times);
	}
}
