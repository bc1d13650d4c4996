// The answers from a debug file alone (by build-id, by path, in one folder, beside where the
// program would be) and from a copy below --sysroot, with its debug file by .gnu_debuglink,
// are those from the program itself; a debug file that is another's is not used.

#include "symbols_subject.h"

static struct subject subject;

static void
look_up(void *context)
{
	const char *expected = context;
	char text[1 << 14];

	subject_tell(&subject, text, sizeof(text));
	CHECK(subject_is(text, expected));
}

static void
look_up_sysroot(void *context)
{
	option_text("sysroot", "root");
	look_up(context);
}

static void
look_up_debug_dir(void *context)
{
	option_text("debug-dir", "empty");
	option_text("debug-dir", "debug");
	look_up(context);
}

// The frames as from a log that knows no build-id, which leaves the checksum to decide.
static void
look_up_checksum(void *context)
{
	subject.module.build_id = "";
	look_up_debug_dir(context);
}

static const char nothing[] = "@:0 \n@:0 \n@:0 \n@:0 \n@:0 \n";

// Each way in which a debug file may lie below the directory.
static void
check_debug_dir(const char *dir)
{
	char real[PATH_MAX];
	const char *ways[] = {"debug/.build-id/00/112233445566778899aabbccddeeff00112233.debug",
		NULL, "debug/libsubject.so.debug", "debug/libsubject.so"};
	char below[PATH_MAX + 64];

	CHECK(realpath(dir, real));
	snprintf(below, sizeof(below), "debug%s/libsubject.so.debug", real);
	ways[1] = below;
	for (int i = 0; i < 4; i++) {
		run("rm -rf debug; mkdir -p \"$(dirname %s)\" && cp split.debug %s", ways[i], ways[i]);
		apart(look_up_debug_dir, (void *)subject_full);
		CHECK(errors[0] == '\0');
		run("cp other.debug %s", ways[i]);
		apart(look_up_debug_dir, (void *)nothing);
		CHECK(lines_of(errors) == 1 && strstr(errors, "not on this machine"));
	}
	run("rm -rf debug; mkdir debug");
}

static void
check_sysroot(const char *dir)
{
	char real[PATH_MAX];
	CHECK(realpath(dir, real));

	run("mkdir -p root%s && cp split.so root%s/libsubject.so", real, real);
	apart(look_up_sysroot, (void *)subject_dynamic);
	run("mkdir -p root%s/.debug && cp split.debug root%s/.debug/split.debug", real, real);
	apart(look_up_sysroot, (void *)subject_full);
	run("mkdir -p root/usr/lib/debug%s && mv root%s/.debug/split.debug root/usr/lib/debug%s",
		real, real, real);
	apart(look_up_sysroot, (void *)subject_full);
	// A link in there that says /elsewhere means the root's.
	run("mv root%s/libsubject.so root/elsewhere.so && ln -s /elsewhere.so root%s/libsubject.so",
		real, real);
	apart(look_up_sysroot, (void *)subject_full);
	// All that is there is the debug file, beside.
	run("rm -rf root; mkdir -p root%s && cp split.debug root%s/libsubject.so.debug", real, real);
	apart(look_up_sysroot, (void *)subject_full);
	CHECK(errors[0] == '\0');
}

int
main(void)
{
	need("objcopy", "binutils");
	need("addr2line", "binutils");
	subject_build("server", "-g");
	subject_load(&subject, "server");
	apart(look_up, (void *)subject_full);

	run("objcopy --only-keep-debug server/libsubject.so split.debug");
	run("objcopy --strip-all --add-gnu-debuglink=split.debug server/libsubject.so split.so");
	subject_build("other", "-g -Wl,--build-id=0x0011");
	run("objcopy --only-keep-debug other/libsubject.so other.debug");
	run("mv server/libsubject.so kept.so; mkdir -p empty");
	check_debug_dir("server");
	check_sysroot("server");

	// By checksum, where nothing has a build-id.
	run("objcopy --remove-section .note.gnu.build-id split.debug bare.debug");
	run("objcopy --remove-section .note.gnu.build-id --remove-section .gnu_debuglink split.so"
		" server/libsubject.so");
	run("objcopy --add-gnu-debuglink=bare.debug server/libsubject.so");
	run("mkdir -p \"debug$PWD/server\" && cp bare.debug \"debug$PWD/server\"");
	apart(look_up_checksum, (void *)subject_full);
	run("printf x >>\"debug$PWD/server/bare.debug\"");
	apart(look_up_checksum, (void *)subject_dynamic);
	return 0;
}
