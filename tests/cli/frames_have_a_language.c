// What a function is written in is told by the log of a line of Ruby or Python, by its file, or else
// by how its name looks; of a place without a name nothing is said.

#include <stdio.h>
#include <string.h>

#include "rows/language.h"

static int bad;

static void
expect(const char *wanted, const struct frame *frame, const struct inline_call *call, const char *name)
{
	struct resolved_frame resolved = {.frame = frame, .call = call, .name = name};
	const char *got = language_of(&resolved);

	if (strcmp(got, wanted) != 0) {
		printf("%s: expected \"%s\", got \"%s\"\n", name, wanted, got);
		bad = 1;
	}
}

static void
expect_named(const char *wanted, const char *file, const char *name)
{
	static const struct module module = {.path = "/srv/program", .build_id = ""};
	struct frame frame = {.module = &module, .address = 1, .function = name};
	struct inline_call call = {.function = name, .file = file};

	expect(wanted, &frame, file ? &call : NULL, name);
}

int
main(void)
{
	struct frame line = {.language = "python", .function = "get", .file = "/srv/app.py"};
	expect("Python", &line, NULL, line.function);
	line.language = "ruby";
	expect("Ruby", &line, NULL, line.function);
	line.language = "perl";
	expect("perl", &line, NULL, line.function);
	struct frame code = {.address = 1, .function = "JS:f /srv/a.js:1"};
	expect("made at run time", &code, NULL, code.function);
	struct frame place = {.address = 1, .function = ""};
	expect("", &place, NULL, "program(+0x10)");
	expect("", NULL, NULL, "{rest}");

	expect_named("C", NULL, "main");
	expect_named("C", "/src/main.c", "main");
	expect_named("C++", "/src/main.cc", "main");
	expect_named("C++", "", "Cache<int>::get(long) const");
	expect_named("C++", NULL, "_ZN5Cache3getEv");
	expect_named("C++", NULL, "operator new(unsigned long)");
	expect_named("C++", "/usr/include/c++/12/bits/vector.h", "grow(int)");
	expect_named("Rust", NULL, "shop::cart::Cart::add");
	expect_named("Rust", "/src/cart.rs", "add");
	expect_named("Rust", NULL, "_ZN4shop4cart3add17h0123456789abcdefE");
	expect_named("Rust", NULL, "_RNvC4shop3add");
	expect_named("Go", "/src/main.go", "main.main");
	expect_named("assembler", "/src/start.S", "_start");
	return bad;
}
