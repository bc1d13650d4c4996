// 10,000 addresses are one process; what is known is not asked for again: neither the same
// frame, nor another frame at its address, nor another run's. The demangler likewise.

#include <time.h>

#include "symbols_subject.h"

enum { MANY = 10000 };

static struct subject subject;

static double
seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static unsigned
calls_of(const char *program)
{
	char text[64] = "";
	char command[256];
	snprintf(command, sizeof(command), "grep -c ^%s$ calls >count", program);
	(void)!system(command);
	FILE *file = fopen("count", "r");
	CHECK(file && fgets(text, sizeof(text), file));
	fclose(file);
	return (unsigned)atoi(text);
}

// A tool that notes its calls, then is the real one.
static void
put_counting(const char *program)
{
	run("program=$(command -v %s) && printf '#!/bin/sh\\necho %s >>%s/calls\\ntee %s/%s.input | "
		"%%s \"$@\"\\n' \"$program\" >bin/%s && chmod 755 bin/%s", program, program, "$PWD",
		"$PWD", program, program, program);
}

static void
look_up(void *context)
{
	static struct frame frames[MANY];
	static struct frame *pointers[2 * MANY];
	size_t text = subject.module.end - subject.module.start;
	char path[PATH_MAX];
	(void)context;

	CHECK(realpath("bin", path));
	strcat(strcat(path, ":"), getenv("PATH"));
	setenv("PATH", path, 1);
	for (size_t i = 0; i < MANY; i++) {
		frames[i] = subject_frame(&subject, subject.base + 1 + i * text / MANY);
		pointers[i] = pointers[MANY + i] = &frames[i];
	}
	double start = seconds();
	symbols_resolve(pointers, 2 * MANY);
	printf("figure: %.2f s for %d addresses\n", seconds() - start, MANY);
	for (size_t i = 0; i < MANY; i++)
		CHECK(frames[i].symbolized);
	CHECK(calls_of("addr2line") == 1 && calls_of("c++filt") == 1);
	run("test $(sort -u addr2line.input | wc -l) -ge 9000");
	run("test -z \"$(sort addr2line.input c++filt.input | uniq -d)\"");

	// All of them again, as frames of another run's at another address.
	struct subject moved = subject;
	moved.base += 1 << 20;
	moved.module.start += 1 << 20;
	moved.module.end += 1 << 20;
	for (size_t i = 0; i < MANY; i++) {
		const struct symbolized *before = frames[i].symbolized;
		frames[i] = subject_frame(&moved, moved.base + 1 + i * text / MANY);
		symbols_resolve(&pointers[i], 1);
		CHECK(frames[i].symbolized == before);
	}
	symbols_resolve(pointers, MANY);
	CHECK(calls_of("addr2line") == 1 && calls_of("c++filt") == 1);
}

int
main(void)
{
	need("addr2line", "binutils");
	subject_build("here", "-g");
	subject_load(&subject, "here");
	run("mkdir bin");
	put_counting("addr2line");
	put_counting("c++filt");
	// The first that is asked.
	run("cp bin/addr2line bin/llvm-symbolizer && sed -i 's/exec .*/exit 1/; s/echo .*//'"
		" bin/llvm-symbolizer");
	apart(look_up, NULL);
	return 0;
}
