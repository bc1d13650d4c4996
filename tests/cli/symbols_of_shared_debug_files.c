// Where distributions keep a part of the debug information in a file that several share (dwz),
// a tool that follows it is asked, and names of inlined functions are there.

#include "symbols_subject.h"

static struct subject subject;

static void
look_up(void *context)
{
	char text[1 << 14];
	(void)context;

	option_text("debug-dir", ".");
	subject_tell(&subject, text, sizeof(text));
	CHECK(subject_is(text, subject_full));
}

int
main(void)
{
	need("dwz", "dwz");
	need("addr2line", "binutils");
	subject_build("here", "-g -gdwarf-4");
	subject_load(&subject, "here");
	run("cp here/libsubject.so other.so; objcopy --only-keep-debug here/libsubject.so"
		" libsubject.so.debug; objcopy --only-keep-debug other.so other.so.debug");
	run("dwz -m common -M \"$PWD/common\" libsubject.so.debug other.so.debug");
	run("readelf -SW libsubject.so.debug | grep -q gnu_debugaltlink");
	// Not in its place: it is loaded.
	run("strip -o stripped here/libsubject.so && mv stripped here/libsubject.so");
	apart(look_up, NULL);
	CHECK(errors[0] == '\0');
	return 0;
}
