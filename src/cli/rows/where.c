#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "rows/library.h"
#include "rows/name.h"
#include "rows/where.h"
#include "rows/wrapper.h"

enum {
	// Functions without a name that are passed over: for one that has one, and within a
	// wrapper.
	NAMELESS_MOST = 2,
	NAMELESS_INSIDE = 4,
};

const struct step *
where_step(const struct step *steps, size_t count, size_t *index)
{
	size_t best = count - 1;

	for (size_t i = count; i-- > 0;) {
		if (!library_has(&steps[i])) {
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

// Of the program's steps outwards from here the next one; `count` when there is none.
static size_t
next_own(const struct step *steps, size_t count, size_t at)
{
	while (at-- > 0)
		if (!library_has(&steps[at]))
			return at;
	return count;
}

static bool
is_of_module(const struct step *a, const struct step *b)
{
	return strcmp(step_module(a), step_module(b)) == 0;
}

// Whether it allocates for others: a wrapper, or what has no name and does it for one whose name
// is a wrapper's.
static bool
is_passed_over(const struct step *steps, size_t count, size_t at)
{
	if (wrapper_is(&steps[at]))
		return true;
	for (int i = 0; i < NAMELESS_INSIDE && at < count && !step_is_function(&steps[at]); i++)
		at = next_own(steps, count, at);
	return at < count && step_is_function(&steps[at]) && wrapper_is_name(steps[at].name);
}

// From a function without a name to the nearest caller in its module that has one and is no
// wrapper, if that is near; else the function itself.
static size_t
nearest_name(const struct step *steps, size_t count, size_t at)
{
	size_t named = at;

	for (int nameless = 0; named < count && !step_is_function(&steps[named]); nameless++) {
		if (nameless >= NAMELESS_MOST)
			return at;
		named = next_own(steps, count, named);
	}
	return named < count && is_of_module(&steps[named], &steps[at]) && !wrapper_is(&steps[named])
		? named : at;
}

// Whether any of the callers has a name.
static bool
has_name(const struct step *steps, size_t count, size_t at)
{
	do
		at = next_own(steps, count, at);
	while (at < count && !step_is_function(&steps[at]));
	return at < count;
}

const struct step *
where_shown(const struct step *steps, size_t count, size_t *index)
{
	size_t at;
	size_t best;

	where_step(steps, count, &at);
	best = at;
	// What where_step() found may be a library's, where there is nothing else.
	bool is_own = !library_has(&steps[at]);
	for (size_t i = at; is_own && !wrapper_shows_all() && i < count;
			i = next_own(steps, count, i)) {
		if (is_passed_over(steps, count, i))
			continue;
		size_t named = nearest_name(steps, count, i);
		// Without a name it tells no more than a wrapper that has one.
		if (i == at || step_is_function(&steps[named])
				|| (!step_is_function(&steps[at]) && has_name(steps, count, i)))
			best = named;
		break;
	}
	if (index)
		*index = best;
	return &steps[best];
}

static void
print_name(FILE *to, const struct step *step, enum name_form form)
{
	if (wrapper_shows_all())
		form = NAME_WHOLE;
	if (step_is_function(step))
		name_print(to, step->name, form);
	else
		fputs(step->name, to);
}

static bool
print_line(FILE *to, const struct step *step)
{
	if (!step->call || !step->call->file[0])
		return false;
	fprintf(to, " %s", path_last(step->call->file));
	if (step->call->line > 0)
		fprintf(to, ":%u", step->call->line);
	return true;
}

// The mark that the step has; NULL: none.
static const struct where_mark *
mark_of(const struct where_marks *marks, size_t index)
{
	for (size_t i = 0; marks && i < marks->count; i++)
		if (marks->marks[i].index == index)
			return &marks->marks[i];
	return NULL;
}

// What of a marked step must be told besides its name.
static void
print_mark(FILE *to, const struct step *step, const struct where_mark *mark)
{
	if (!mark)
		return;
	if (mark->with_offset && step_is_function(step) && step->frame)
		fprintf(to, "+0x%" PRIx64, step->frame->offset);
	else if (mark->with_line)
		print_line(to, step);
}

static void
print_place(FILE *to, const struct step *step, const struct step *outermost)
{
	if (print_line(to, step))
		return;
	if (step_is_function(step) && !is_of_module(step, outermost))
		fprintf(to, " (%s)", step_module(step));
}

static bool
is_same_function(const struct step *a, const struct step *b)
{
	return strcmp(a->name, b->name) == 0 && is_of_module(a, b);
}

// Whether the library's function tells anybody more: no hook, no operator new, no mangled name.
static bool
is_worth_telling(const struct step *step)
{
	bool is_hook = step->frame && step->frame->is_hook;

	if (is_hook || strncmp(step->name, "_Z", 2) == 0)
		return false;
	return wrapper_shows_all() || !wrapper_is_name(step->name);
}

// The function that the shown one called, if it is a library's; and what else of what is between
// it and the allocator must be told.
static void
print_via(FILE *to, const struct step *steps, size_t count, size_t shown,
	const struct where_marks *marks)
{
	const char *before = " via ";

	for (size_t i = shown + 1; i < count; i++) {
		const struct where_mark *mark = mark_of(marks, i);
		bool is_called = i == shown + 1 && library_has(&steps[i]) && is_worth_telling(&steps[i]);
		if (!mark && !is_called)
			continue;
		fputs(before, to);
		print_name(to, &steps[i], NAME_PLAIN);
		print_mark(to, &steps[i], mark);
		before = ", ";
	}
}

// The next one to tell outwards.
static size_t
next_told(const struct step *steps, size_t count, size_t at, const struct where_marks *marks)
{
	while (at-- > 0)
		if (mark_of(marks, at) || !library_has(&steps[at]))
			return at;
	return count;
}

// A caller: its name, without the module where the one before it has no name either.
static void
print_caller(FILE *to, const struct step *caller, const struct step *callee)
{
	const char *offset = strrchr(caller->name, '(');

	fputs(" < ", to);
	if (!wrapper_shows_all() && !step_is_function(caller) && !step_is_function(callee)
			&& is_of_module(caller, callee) && offset && offset[1] == '+')
		fprintf(to, "%.*s", (int)strcspn(offset + 1, ")"), offset + 1);
	else
		print_name(to, caller, NAME_SHORT);
}

void
where_print(FILE *to, const struct step *steps, size_t count, const struct where_marks *marks)
{
	size_t at;
	const struct step *before = where_shown(steps, count, &at);
	size_t outermost = at;

	for (size_t i = next_own(steps, count, at); i < count; i = next_own(steps, count, i))
		outermost = i;
	print_name(to, before, NAME_SHORT);
	if (mark_of(marks, at) && mark_of(marks, at)->with_offset)
		print_mark(to, before, mark_of(marks, at));
	print_place(to, before, &steps[outermost]);
	print_via(to, steps, count, at, marks);
	for (size_t i = next_told(steps, count, at, marks); i < count;) {
		const struct step *caller = &steps[i];
		const struct where_mark *mark = mark_of(marks, i);
		unsigned times = 0;
		print_caller(to, caller, before);
		print_mark(to, caller, mark);
		do {
			i = next_told(steps, count, i, marks);
			times++;
		} while (i < count && !mark && !mark_of(marks, i) && is_same_function(&steps[i], caller));
		if (times > 1)
			fprintf(to, " x%u", times);
		before = caller;
	}
}
