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

// A frame that has a name in the log is looked up by where its module lies.
static void
look_up_named(void *context)
{
	const struct subject *subject = context;
	struct frame frame = subject_frame(subject, subject->where[HIDDEN]);
	struct frame *pointer = &frame;

	setenv("PATH", "/nonexistent", 1);
	frame.function = "visit";
	frame.offset = 1;
	symbols_resolve(&pointer, 1);
	CHECK(strcmp(frame.symbolized->calls[0].function, "_ZL6hiddenv") == 0);
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
	apart(look_up_named, &subject);

	// One that does not begin at its address 0.
	subject_build("moved", "-Wl,-Ttext-segment=0x10000000");
	subject_load(&subject, "moved");
	CHECK(subject.base != subject.module.start);
	apart(look_up, &subject);
	apart(look_up_named, &subject);
	return 0;
}
