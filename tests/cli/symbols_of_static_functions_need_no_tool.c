// Without a tool static functions have their names, from .symtab, and a gap between functions
// has none; one line says that lines and inlined functions are missing.

#include "symbols_subject.h"

static void
look_up(void *context)
{
	char text[1 << 14];

	setenv("PATH", "/nonexistent", 1);
	subject_tell(context, text, sizeof(text));
	CHECK(subject_is(text, subject_mangled));
	subject_tell(context, text, sizeof(text));
	CHECK(subject_is(text, subject_mangled));
}

// Between functions, where a tool would name the one before.
static void
look_between(void *context)
{
	const struct subject *subject = context;
	struct frame frames[2];
	struct frame *pointers[] = {&frames[0], &frames[1]};

	// The start of the file is no function's; nor is what no segment has.
	frames[0] = subject_frame(subject, subject->base + 16);
	frames[1] = subject_frame(subject, subject->module.end + 4096);
	symbols_resolve(pointers, 2);
	CHECK(strcmp(frames[0].symbolized->calls[0].function, "") == 0);
	CHECK(strcmp(frames[1].symbolized->calls[0].function, "") == 0);
	CHECK(frames[0].symbolized->count == 1 && frames[1].symbolized->count == 1);
}

int
main(void)
{
	struct subject subject;

	subject_build("with", "-g");
	subject_load(&subject, "with");
	apart(look_up, &subject);
	CHECK(strstr(errors, "none of llvm-symbolizer") && lines_of(errors) == 1);
	apart(look_between, &subject);

	// Nothing is missing where there is nothing to know.
	subject_build("without", "");
	subject_load(&subject, "without");
	apart(look_up, &subject);
	CHECK(errors[0] == '\0');
	return 0;
}
