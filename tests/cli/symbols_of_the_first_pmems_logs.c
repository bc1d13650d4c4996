// Where the log says neither a module's range nor its build-id, as the first pmem's did not,
// file(+0xOFFSET) and file(function+0xOFFSET) are enough; a function that the file does not
// have means another build of it. --raw adds nothing.

#include "symbols_subject.h"

static struct subject subject;

static const char *
name_of(struct frame *frame)
{
	const struct inline_call *calls = frame->symbolized->calls;
	return calls[frame->symbolized->count - 1].function;
}

static void
look_up(void *context)
{
	const char *known = context;
	struct frame frames[3];
	struct frame *pointers[] = {&frames[0], &frames[1], &frames[2]};

	subject.module = (struct module){.path = subject.path, .build_id = ""};
	for (int i = 0; i < 3; i++)
		frames[i] = subject_frame(&subject, subject.where[LAST]);
	frames[1].function = known;
	frames[1].offset = 1;
	frames[2].address = 0;
	symbols_resolve(pointers, 3);
	bool agrees = strcmp(known, "after") == 0;
	CHECK(strcmp(name_of(&frames[0]), agrees ? "last()" : "") == 0);
	CHECK(strcmp(name_of(&frames[1]), known) == 0);
	CHECK(strcmp(name_of(&frames[2]), agrees ? "last()" : "") == 0);
}

// A frame 0 is an entry, and is looked up where it is, not a byte before.
static void
look_up_entry(void *context)
{
	struct frame frames[2];
	struct frame *pointers[] = {&frames[0], &frames[1]};
	(void)context;

	frames[0] = frames[1] = subject_frame(&subject, subject.after);
	frames[0].is_hook = true;
	symbols_resolve(pointers, 2);
	CHECK(strcmp(name_of(&frames[0]), "after") == 0);
	CHECK(strcmp(name_of(&frames[1]), "last()") == 0);
}

static void
look_up_raw(void *context)
{
	struct frame frame = subject_frame(&subject, subject.where[METHOD]);
	struct frame *pointer = &frame;
	char place[64];
	(void)context;

	option_text("raw", NULL);
	frame.function = "_ZN4shop6BasketIiE3addERKi";
	symbols_resolve(&pointer, 1);
	CHECK(strcmp(name_of(&frame), frame.function) == 0);
	CHECK(frame.symbolized->count == 1 && !frame.symbolized->calls->file[0]);

	frame = (struct frame){.function = "", .module = &subject.module, .offset = 0x123};
	symbols_place(&frame, place, sizeof(place));
	CHECK(strcmp(place, "libsubject.so(+0x123)") == 0);
	symbols_place(&frame, place, 8);
	CHECK(strcmp(place, "libsubj") == 0);
	frame = (struct frame){.function = "", .address = 0x7f00};
	symbols_place(&frame, place, sizeof(place));
	CHECK(strcmp(place, "[0x7f00]") == 0);
}

int
main(void)
{
	need("c++filt", "binutils");
	subject_build("here", "");
	subject_load(&subject, "here");
	apart(look_up, (void *)"after");
	CHECK(errors[0] == '\0');
	apart(look_up, (void *)"not_there");
	CHECK(lines_of(errors) == 1);
	apart(look_up_entry, NULL);
	apart(look_up_raw, NULL);
	return 0;
}
