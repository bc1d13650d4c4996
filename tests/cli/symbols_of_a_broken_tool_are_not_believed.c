// A tool that is killed, fails, hangs, takes ever more time or memory, writes rubbish, too little,
// too much, or answers for other addresses is warned about once; the next tool, or the symbol table,
// takes its place, and nothing that it said is believed. It leaves no process behind.

#include <errno.h>

#include "symbols_subject.h"
#include "base/tool.h"
#include "symbols/symbolizer.h"
#include "symbols/tool_process.h"

static const char *const tools[] = {
	"#!/bin/sh\nexit 1\n",
	"#!/bin/sh\nkill -SEGV $$\n",
	"#!/bin/sh\nread line; exit 0\n",
	"#!/bin/sh\nexec sleep 1000\n",
	"#!/bin/sh\nexec >&-\nexec sleep 1000\n",
	"#!/bin/sh\nwhile :; do :; done\n",
	"#!/bin/sh\nexec tail /dev/zero\n",
	"#!/bin/sh\nexec yes\n",
	"#!/bin/sh\nexec cat /dev/zero\n",
	"#!/bin/sh\nexec cat\n",
	"#!/bin/sh\nread a; echo $a; echo wrong; echo wrong.c:7\n",
	"#!/bin/sh\nwhile read a; do echo $a; echo wrong; echo wrong.c:7; done; printf 0x12\n",
	"#!/bin/sh\nwhile read a; do echo $a; echo wrong; echo wrong.c:7; done; echo 0x12\n",
	"#!/bin/sh\nwhile read a; do echo $a; echo wrong; echo wrong.c:x; done\n",
	"#!/bin/sh\nwhile read a; do echo $a; echo wrong; echo wrong.c:-7; done\n",
	"#!/bin/sh\nwhile read a; do echo 0x1; echo wrong; echo wrong.c:7; done\n",
	"#!/bin/sh\nn=; while read a; do echo ${n:-$a}; n=0x5; echo wrong; echo wrong.c:7; done\n",
	"#!/bin/sh\nwhile read a; do echo $a; echo wrong; done\n",
	"#!/bin/sh\nwhile read a; do echo $a; done\n",
	"#!/bin/sh\nwhile read a; do echo $a; echo wrong; echo wrong.c:7; done; exit 3\n",
	"#!/bin/sh\nwhile read a; do echo $a; printf 'wrong\\0'; echo; echo wrong.c:7; done\n",
	"no program\n",
};

static struct subject subject;

static void
put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	CHECK(file);
	fputs(text, file);
	fclose(file);
	chmod(path, 0755);
}

static void
look_up(void *context)
{
	const char *expected = context;
	char text[1 << 14];

	tool_still_ms = 300;
	tool_seconds = 1;
	tool_bytes = 64 << 20;
	subject_tell(&subject, text, sizeof(text));
	CHECK(subject_is(text, expected));
	CHECK(!strstr(text, "wrong"));
	errno = 0;
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

// The first file is the tool's downfall; those after it are looked up all the same.
static void
look_up_two(void *context)
{
	struct subject *others = context;
	char text[1 << 14];

	for (int i = 0; i < 2; i++) {
		subject_tell(&others[i], text, sizeof(text));
		CHECK(subject_is(text, i == 0 ? subject_plain : subject_full));
	}
}

int
main(void)
{
	struct subject both[2];

	const char *programs[] = {"addr2line", "c++filt", "sh", "sleep", "cat", "tail", "yes", NULL};

	need("addr2line", "binutils");
	subject_build("here", "-g");
	subject_load(&subject, "here");
	both[0] = subject;
	subject_build("two", "-g");
	subject_load(&both[1], "two");
	path_with("bin", programs);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		printf("%s\n", tools[i]);
		put("bin/llvm-symbolizer", tools[i]);
		apart(look_up, (void *)subject_full);
		CHECK(lines_of(errors) == 1 && strstr(errors, "/bin/llvm-symbolizer: of "));
	}
	CHECK(rename("bin/addr2line", "bin/spare") == 0);
	CHECK(unlink("bin/llvm-symbolizer") == 0);
	put("bin/addr2line", "#!/bin/sh\ncase $* in */two/*) exec spare \"$@\" ;; esac\nexit 1\n");
	apart(look_up_two, both);
	CHECK(lines_of(errors) == 2);
	CHECK(rename("bin/spare", "bin/addr2line") == 0);
	// Without the right one.
	put("bin/llvm-symbolizer", tools[0]);
	CHECK(unlink("bin/addr2line") == 0);
	apart(look_up, (void *)subject_plain);
	CHECK(lines_of(errors) == 2 && strstr(errors, "none of llvm-symbolizer"));
	// A demangler that is broken: names stay as they are.
	CHECK(unlink("bin/llvm-symbolizer") == 0 && unlink("bin/c++filt") == 0);
	for (size_t i = 0; i < 3; i++) {
		put("bin/c++filt", tools[i]);
		apart(look_up, (void *)subject_mangled);
		CHECK(lines_of(errors) == 2 && strstr(errors, "names stay as they are"));
	}
	return 0;
}
