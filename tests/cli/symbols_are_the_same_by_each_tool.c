// Function, file, line and inlined callers are the same with each tool; a call at a function's
// end is not taken for the next function; names are the programmers'.

#include "symbols_subject.h"

struct with {
	const struct subject *subject;
	const char *tool;
};

static void
look_up(void *context)
{
	const struct with *with = context;
	const char *programs[] = {with->tool, "c++filt", NULL};
	char text[1 << 14];

	path_with("bin", programs);
	subject_tell(with->subject, text, sizeof(text));
	printf("%s:\n", with->tool);
	if (strcmp(with->tool, "addr2line") == 0)
		CHECK(subject_is(text, subject_full_addr2line));
	else
		CHECK(subject_is(text, subject_full) && !strstr(text, "(inlined)"));
}

int
main(void)
{
	static const char *const tools[][2] = {
		{"llvm-symbolizer", "llvm"}, {"addr2line", "binutils"}, {"eu-addr2line", "elfutils"},
	};
	struct subject subject;

	for (int i = 0; i < 3; i++)
		need(tools[i][0], tools[i][1]);
	subject_build("it's a \"place\" $(x)", "-g");
	subject_load(&subject, "it's a \"place\" $(x)");
	// The return address of the last call in last() is where the next function begins.
	CHECK(subject.where[LAST] == subject.after);
	for (int i = 0; i < 3; i++) {
		struct with with = {&subject, tools[i][0]};
		apart(look_up, &with);
		CHECK(errors[0] == '\0');
	}
	return 0;
}
