// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/system.h"
#include "rows/attribution.h"
#include "rows/library.h"
#include "rows/name.h"
#include "rows/script_line.h"
#include "rows/wrapper.h"

enum {
	NAMELESS_MOST = 2, // a search for a caller with a name passes at most so many without one
	NAMELESS_INSIDE = 4, // the same where it decides whether a function is part of a wrapper
	NOT_YET = -1,
};

// A stack, and which of its frames are printed. `owners` points to one static array, so only the
// struct that stack_of() returned last is valid.
struct stack {
	const struct resolved_frame *frames;
	signed char *owners; // what owner_at() has returned, or NOT_YET
	size_t count;
	// true if the stack has no script lines: functions that a perf map names are then taken for
	// script lines
	bool by_code;
	// true if the stack has script lines, or functions that are taken for script lines
	bool has_lines;
	// the best (lowest) owner of all script lines. Lines of other owners are not printed
	enum script_line_owner least;
};

// Returns true for a script line, or with by_code for a function that a perf map names. The
// interpreter's frames beside these are not printed.
static bool
is_script(const struct stack *stack, const struct resolved_frame *resolved)
{
	return stack->by_code ? resolved_is_code(resolved) : resolved_is_line(resolved);
}

static enum script_line_owner
owner_at(const struct stack *stack, size_t i)
{
	const struct resolved_frame *resolved = &stack->frames[i];

	if (stack->owners[i] == NOT_YET)
		stack->owners[i] = (signed char)(
			resolved_is_line(resolved) ? script_line_owner(resolved->frame)
			: resolved_is_code(resolved) ? library_owner_of_code(resolved->name)
			: library_has(resolved) ? SCRIPT_INSIDE : SCRIPT_OWN);
	return (enum script_line_owner)stack->owners[i];
}

static struct stack
stack_of(const struct resolved_frame *frames, size_t count)
{
	static signed char *owners;
	static size_t room;
	ASSERT(count > 0);
	owners = memory_room(owners, count, &room, sizeof(*owners));
	memset(owners, NOT_YET, count);
	struct stack stack = {frames, owners, count, !attribution_line(frames, count), false, SCRIPT_INSIDE};

	for (size_t i = 0; i < count; i++) {
		if (!is_script(&stack, &frames[i]))
			continue;
		enum script_line_owner owner = owner_at(&stack, i);
		// SCRIPT_INSIDE functions of a perf map are a language's stubs. The native functions that
		// stubs call tell a reader more. So stubs do not set has_lines.
		if (stack.by_code && owner == SCRIPT_INSIDE)
			continue;
		stack.has_lines = true;
		stack.least = owner < stack.least ? owner : stack.least;
	}
	return stack;
}

// Returns true if frame i may be printed. If the stack has script lines, only those of the best
// owner may. Otherwise only functions of the program may.
static bool
is_own(const struct stack *stack, size_t i)
{
	const struct resolved_frame *resolved = &stack->frames[i];

	if (stack->has_lines)
		return is_script(stack, resolved) && owner_at(stack, i) <= stack->least;
	return owner_at(stack, i) == SCRIPT_OWN;
}

// Returns the innermost frame for which is_own() is true. If there is none, returns the innermost
// frame that is no hook, or else the hook.
static size_t
innermost(const struct stack *stack)
{
	size_t best = stack->count - 1;

	for (size_t i = stack->count; i-- > 0;) {
		if (is_own(stack, i))
			return i;
		bool is_hook = stack->frames[best].frame && stack->frames[best].frame->is_hook;
		if (is_hook)
			best = i;
	}
	return best;
}

const struct resolved_frame *
attribution_own(const struct resolved_frame *frames, size_t count)
{
	struct stack stack = stack_of(frames, count);
	return &frames[innermost(&stack)];
}

// Returns the next frame outwards for which is_own() is true, or `count` if there is none.
static size_t
next_own(const struct stack *stack, size_t at)
{
	while (at-- > 0)
		if (is_own(stack, at))
			return at;
	return stack->count;
}

static bool
is_of_module(const struct resolved_frame *a, const struct resolved_frame *b)
{
	return strcmp(resolved_module(a), resolved_module(b)) == 0;
}

// Returns true for a frame that allocates for its callers. That is a wrapper, or a function without
// a name whose nearest named caller has a wrapper's name.
static bool
is_passed_over(const struct stack *stack, size_t at)
{
	const struct resolved_frame *frames = stack->frames;

	if (wrapper_is(&frames[at]) || stack->has_lines)
		return wrapper_is(&frames[at]);
	for (int i = 0; i < NAMELESS_INSIDE && at < stack->count
			&& !resolved_is_function(&frames[at]); i++)
		at = next_own(stack, at);
	return at < stack->count && resolved_is_function(&frames[at])
		&& wrapper_is_name(frames[at].name);
}

// If the function at `at` has no name, returns its nearest caller with a name. Returns `at` itself
// if that caller is in another module, is a wrapper, or is more than NAMELESS_MOST callers away.
static size_t
nearest_name(const struct stack *stack, size_t at)
{
	const struct resolved_frame *frames = stack->frames;
	size_t named = at;

	for (int nameless = 0; named < stack->count
			&& !resolved_is_function(&frames[named]); nameless++) {
		if (nameless >= NAMELESS_MOST)
			return at;
		named = next_own(stack, named);
	}
	return named < stack->count && is_of_module(&frames[named], &frames[at])
		&& !wrapper_is(&frames[named]) ? named : at;
}

// Returns true if any caller of the function at `at` has a name.
static bool
has_name(const struct stack *stack, size_t at)
{
	do
		at = next_own(stack, at);
	while (at < stack->count && !resolved_is_function(&stack->frames[at]));
	return at < stack->count;
}

// Returns the same as stack_of(). With --show-all, packages' script lines are printed, too.
static struct stack
stack_shown(const struct resolved_frame *frames, size_t count)
{
	struct stack stack = stack_of(frames, count);

	if (wrapper_shows_all())
		stack.least = SCRIPT_INSIDE;
	return stack;
}

static size_t
index_shown(const struct stack *stack)
{
	const struct resolved_frame *frames = stack->frames;
	size_t count = stack->count;
	size_t at = innermost(stack);

	// If is_own() is false for all frames, or with --show-all, the frame from innermost() is shown.
	if (!is_own(stack, at) || wrapper_shows_all())
		return at;
	for (size_t i = at; i < count; i = next_own(stack, i)) {
		if (is_passed_over(stack, i))
			continue;
		size_t named = nearest_name(stack, i);
		// A caller without a name does not replace a wrapper that has a name.
		if (i == at || resolved_is_function(&frames[named])
				|| (!resolved_is_function(&frames[at]) && has_name(stack, i)))
			return named;
		break;
	}
	return at;
}

const struct resolved_frame *
attribution_shown(const struct resolved_frame *frames, size_t count)
{
	struct stack stack = stack_shown(frames, count);
	return &frames[index_shown(&stack)];
}

// Prints the name in `form`, or in mark->form if that is longer. With --show-all prints the whole
// name.
static void
print_name(FILE *to, const struct resolved_frame *resolved, enum name_form form,
	const struct attribution_mark *mark)
{
	if (mark && mark->form > form)
		form = mark->form;
	if (wrapper_shows_all())
		form = NAME_WHOLE;
	if (resolved_is_line(resolved))
		script_line_print(to, resolved->frame);
	else if (resolved_is_function(resolved)
			&& (!resolved_is_code(resolved) || name_is_js(resolved->name)))
		name_print(to, resolved->name, form);
	else
		fputs(resolved->name, to);
}

// Prints " FILE:LINE", or " FILE" if the line is not known, and returns true. Returns false if the
// file is not known. For a script line prints nothing and returns true: print_name() has printed
// file and line.
static bool
print_line(FILE *to, const struct resolved_frame *resolved)
{
	if (resolved_is_line(resolved))
		return true;
	if (!resolved->call || !resolved->call->file[0])
		return false;
	fprintf(to, " %s", path_last(resolved->call->file));
	if (resolved->call->line > 0)
		fprintf(to, ":%u", resolved->call->line);
	return true;
}

// Returns the mark of the frame with this index, or NULL if it has none.
static const struct attribution_mark *
mark_of(const struct attribution_marks *marks, size_t index)
{
	for (size_t i = 0; marks && i < marks->count; i++)
		if (marks->marks[i].index == index)
			return &marks->marks[i];
	return NULL;
}

// Prints the offset or the line, whichever the mark asks for. The frame's name was printed before.
static void
print_mark(FILE *to, const struct resolved_frame *resolved,
	const struct attribution_mark *mark)
{
	if (!mark)
		return;
	if (mark->with_offset && resolved_is_function(resolved) && resolved->frame
			&& !resolved_is_line(resolved))
		fprintf(to, "+0x%" PRIx64, resolved->frame->offset);
	else if (mark->with_line)
		print_line(to, resolved);
}

static void
print_place(FILE *to, const struct resolved_frame *resolved,
	const struct resolved_frame *outermost)
{
	if (print_line(to, resolved))
		return;
	if (resolved_is_function(resolved) && !is_of_module(resolved, outermost)
			&& resolved_module(resolved)[0])
		fprintf(to, " (%s)", resolved_module(resolved));
}

static bool
is_same_function(const struct resolved_frame *a, const struct resolved_frame *b)
{
	return strcmp(a->name, b->name) == 0 && is_of_module(a, b)
		&& (!resolved_is_line(a) || !resolved_is_line(b)
			|| a->frame->line == b->frame->line);
}

// Returns true if the library function's name helps a reader. A hook, a wrapper such as operator
// new, or a mangled name does not.
static bool
is_worth_telling(const struct resolved_frame *resolved)
{
	bool is_hook = resolved->frame && resolved->frame->is_hook;

	if (is_hook || strncmp(resolved->name, "_Z", 2) == 0)
		return false;
	return wrapper_shows_all() || !wrapper_is_name(resolved->name);
}

// Prints the library function that the function at `shown` called, and any frames in `marks`
// between `shown` and the allocator. For a script line only the frames in `marks` are printed.
static void
print_via(FILE *to, const struct stack *stack, size_t shown,
	const struct attribution_marks *marks)
{
	const struct resolved_frame *frames = stack->frames;
	const char *before = " via ";

	for (size_t i = shown + 1; i < stack->count; i++) {
		const struct attribution_mark *mark = mark_of(marks, i);
		bool is_called = i == shown + 1 && !stack->has_lines && owner_at(stack, i) != SCRIPT_OWN
			&& is_worth_telling(&frames[i]);
		if (!mark && !is_called)
			continue;
		fputs(before, to);
		print_name(to, &frames[i], NAME_PLAIN, mark);
		print_mark(to, &frames[i], mark);
		before = ", ";
	}
}

// Returns the next frame outwards that is in `marks`, or for which is_own() is true. Returns the
// stack's `count` if there is none.
static size_t
next_told(const struct stack *stack, size_t at, const struct attribution_marks *marks)
{
	while (at-- > 0)
		if (mark_of(marks, at) || is_own(stack, at))
			return at;
	return stack->count;
}

// Prints a caller's name. Leaves out its module if `callee`, printed before it, has no name either
// and is in the same module.
static void
print_caller(FILE *to, const struct resolved_frame *caller,
	const struct resolved_frame *callee, const struct attribution_mark *mark)
{
	const char *offset = strrchr(caller->name, '(');

	fputs(" < ", to);
	if (!wrapper_shows_all() && !resolved_is_function(caller)
			&& !resolved_is_function(callee)
			&& is_of_module(caller, callee) && offset && offset[1] == '+')
		fprintf(to, "%.*s", (int)strcspn(offset + 1, ")"), offset + 1);
	else
		print_name(to, caller, NAME_SHORT, mark);
}

// Returns the outermost caller that has a module. Code made at run time has no module. If no caller
// has a module, returns the next caller, or the frame at `at` if it has none.
static const struct resolved_frame *
outermost_own(const struct stack *stack, size_t at)
{
	size_t best = at;

	for (size_t i = next_own(stack, at); i < stack->count; i = next_own(stack, i))
		if (best == at || resolved_module(&stack->frames[i])[0])
			best = i;
	return &stack->frames[best];
}

void
attribution_print(FILE *to, const struct resolved_frame *frames, size_t count,
	const struct attribution_marks *marks)
{
	struct stack stack = stack_shown(frames, count);
	size_t at = index_shown(&stack);
	const struct resolved_frame *before = &frames[at];

	print_name(to, before, NAME_SHORT, mark_of(marks, at));
	if (mark_of(marks, at) && mark_of(marks, at)->with_offset)
		print_mark(to, before, mark_of(marks, at));
	print_place(to, before, outermost_own(&stack, at));
	print_via(to, &stack, at, marks);
	for (size_t i = next_told(&stack, at, marks); i < count;) {
		const struct resolved_frame *caller = &frames[i];
		const struct attribution_mark *mark = mark_of(marks, i);
		unsigned times = 0;
		print_caller(to, caller, before, mark);
		print_mark(to, caller, mark);
		do {
			i = next_told(&stack, i, marks);
			times++;
		} while (i < count && !mark && !mark_of(marks, i)
				&& is_same_function(&frames[i], caller));
		if (times > 1)
			fprintf(to, " x%u", times);
		before = caller;
	}
}
