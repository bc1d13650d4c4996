// A file whose build-id is not the log's is not used: its names would be wrong. One line names
// both ids, however many frames there are. Without a build-id in the log the file is used when
// the names that the log has are where the file has them, and not when they are not.

#include "symbols_subject.h"

#define OTHER_ID "ffffffffffffffffffffffffffffffffffffffff"

static struct subject subject;

static void
look_up_other(void *context)
{
	struct frame frame;
	struct frame *pointer = &frame;
	(void)context;

	subject.module.build_id = OTHER_ID;
	for (int i = 0; i < PLACES; i++) {
		frame = subject_frame(&subject, subject.where[i]);
		frame.function = i == METHOD ? "visit" : "";
		frame.offset = 3;
		symbols_resolve(&pointer, 1);
		CHECK(frame.symbolized->count == 1);
		CHECK(strcmp(frame.symbolized->calls[0].function, frame.function) == 0);
		CHECK(frame.symbolized->calls[0].line == 0);
	}
}

// A frame in hidden(), and one that the log has by a name: `skew` bytes from where that is.
static void
look_up_without_id(void *context)
{
	long skew = *(long *)context;
	struct frame frames[2];
	struct frame *pointers[] = {&frames[0], &frames[1]};

	subject.module.build_id = "";
	frames[0] = subject_frame(&subject, subject.where[HIDDEN]);
	frames[1] = subject_frame(&subject, subject.after + 1);
	frames[1].function = "after";
	frames[1].offset = (uint64_t)(1 + skew);
	symbols_resolve(pointers, 2);
	const char *name = frames[0].symbolized->calls[0].function;
	CHECK(strcmp(name, skew ? "" : "hidden()") == 0);
	CHECK(strcmp(frames[1].symbolized->calls[0].function, "after") == 0);
}

int
main(void)
{
	long skews[] = {0, 16};

	need("c++filt", "binutils");
	subject_build("here", "");
	subject_load(&subject, "here");
	apart(look_up_other, NULL);
	CHECK(lines_of(errors) == 1);
	CHECK(strstr(errors, "libsubject.so: not used: its build-id is " SUBJECT_ID ", the log's "
		OTHER_ID));
	apart(look_up_without_id, &skews[0]);
	CHECK(errors[0] == '\0');
	apart(look_up_without_id, &skews[1]);
	CHECK(lines_of(errors) == 1 && strstr(errors, "after+0x11"));
	return 0;
}
