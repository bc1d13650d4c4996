// symbols_subject: a library to look up: built from text with known lines, loaded, and asked
// for return addresses inside it. Makes frames of these as a log would have them.

#ifndef TESTS_SYMBOLS_SUBJECT_H
#define TESTS_SYMBOLS_SUBJECT_H

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols/symbols.h"

#define CHECK(what) do { \
	if (!(what)) { \
		printf("%s:%d: %s: not so\n", __FILE__, __LINE__, #what); \
		exit(1); \
	} \
} while (0)

#define SUBJECT_ID "00112233445566778899aabbccddeeff00112233"

// INLINED_STATIC has for addr2line no name that can be believed.
enum { HIDDEN, INLINED, METHOD, LAST, INLINED_STATIC, PLACES };

// Lines count from 1; the calls of note() and leave() are where the numbers below say.
static const char subject_text[] =
	"extern \"C\" { void *where[8]; void note(int); void leave(int) __attribute__((noreturn));\n"
	"void visit(void); void after(void); }\n"
	"#define APART __attribute__((noinline, noclone, used))\n"
	"#define WITHIN inline __attribute__((always_inline))\n"
	"APART void note(int i) { where[i] = __builtin_return_address(0); asm volatile(\"\"); }\n"
	"extern \"C\" void *jump[5];\n"
	"void *jump[5];\n"
	"APART void leave(int i) { where[i] = __builtin_return_address(0);\n"
	"	__builtin_longjmp(jump, 1); }\n"
	"APART static void hidden(void) {\n"
	"	note(0);\n" // 11
	"	asm volatile(\"\"); }\n"
	"WITHIN void inner(int i) {\n"
	"	note(i);\n" // 14
	"	asm volatile(\"\"); }\n"
	"WITHIN static void middle(int i) {\n"
	"	if (i < 4) inner(i); else note(i);\n" // 17
	"	asm volatile(\"\"); }\n"
	"APART static void carrier(void) {\n"
	"	middle(1);\n" // 20
	"	asm volatile(\"\"); }\n"
	"namespace shop { template <class T> struct Basket { T sum;\n"
	"	APART void add(const T &more) {\n"
	"	note(2);\n" // 24
	"	sum += more; } }; }\n"
	"APART static void other(void) {\n"
	"	middle(4); inner(5); }\n" // 27
	"APART __attribute__((aligned(1))) static void last(void) {\n"
	"	leave(3); }\n" // 29
	"APART __attribute__((aligned(1))) void after(void) { asm volatile(\"\"); }\n"
	"void visit(void) { shop::Basket<int> basket{}; hidden(); carrier(); basket.add(2); other();\n"
	"	if (!__builtin_setjmp(jump)) last(); }\n";

static void
run(const char *format, ...)
{
	char command[8 * PATH_MAX];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	if (system(command) == 0)
		return;
	printf("failed: %s\n", command);
	exit(1);
}

static bool
has_program(const char *program)
{
	char command[256];
	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", program);
	return system(command) == 0;
}

__attribute__((unused)) static void
need(const char *program, const char *package)
{
	if (has_program(program))
		return;
	printf("skipped: needs %s\n", package);
	exit(77);
}

// Builds DIR/libsubject.so in the current directory's DIR; `flags` as for the compiler.
static void
subject_build(const char *dir, const char *flags)
{
	char path[PATH_MAX];

	if (!has_program("g++")) {
		printf("skipped: needs g++\n");
		exit(77);
	}
	mkdir(dir, 0777);
	snprintf(path, sizeof(path), "%s/subject.cc", dir);
	FILE *file = fopen(path, "w");
	CHECK(file);
	fputs(subject_text, file);
	fclose(file);
	setenv("SUBJECT_DIR", dir, 1);
	run("cd \"$SUBJECT_DIR\" && g++ -O1 -fno-toplevel-reorder -fno-optimize-sibling-calls -fPIC -shared"
		" -fcf-protection=none -Wl,--build-id=0x" SUBJECT_ID " -o libsubject.so subject.cc %s", flags);
}

// Where it is loaded, and the return addresses inside it.
struct subject {
	struct module module;
	char path[PATH_MAX];
	uintptr_t base;
	uintptr_t where[PLACES];
	uintptr_t after;
};

static int
subject_range(struct dl_phdr_info *info, size_t size, void *context)
{
	struct subject *subject = context;
	(void)size;
	if (info->dlpi_addr != subject->base)
		return 0;
	subject->module.start = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t start = (info->dlpi_addr + segment->p_vaddr) & ~UINT64_C(4095);
		uint64_t end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
		if (segment->p_type != PT_LOAD)
			continue;
		if (start < subject->module.start)
			subject->module.start = start;
		if (end > subject->module.end)
			subject->module.end = end;
	}
	return 1;
}

static void
subject_load(struct subject *subject, const char *dir)
{
	struct link_map *map;

	memset(subject, 0, sizeof(*subject));
	CHECK(realpath(dir, subject->path));
	strcat(subject->path, "/libsubject.so");
	void *handle = dlopen(subject->path, RTLD_NOW);
	if (!handle)
		printf("%s\n", dlerror());
	CHECK(handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0);
	((void (*)(void))dlsym(handle, "visit"))();
	memcpy(subject->where, dlsym(handle, "where"), sizeof(subject->where));
	subject->after = (uintptr_t)dlsym(handle, "after");
	subject->base = map->l_addr;
	dl_iterate_phdr(subject_range, subject);
	subject->module.path = subject->path;
	subject->module.build_id = SUBJECT_ID;
}

// As the library writes a frame whose function is in no dynamic symbol table.
static struct frame
subject_frame(const struct subject *subject, uintptr_t address)
{
	return (struct frame){
		.address = address,
		.module = &subject->module,
		.function = "",
		.offset = address - subject->base,
	};
}

// All calls of all places as text: FUNCTION@FILE:LINE of each, innermost first.
__attribute__((unused)) static void
subject_tell(const struct subject *subject, char *text, size_t size)
{
	struct frame frames[PLACES];
	struct frame *pointers[PLACES];
	FILE *to = fmemopen(text, size, "w");

	CHECK(to);
	for (int i = 0; i < PLACES; i++) {
		frames[i] = subject_frame(subject, subject->where[i]);
		pointers[i] = &frames[i];
	}
	symbols_resolve(pointers, PLACES);
	for (int i = 0; i < PLACES; i++) {
		CHECK(frames[i].symbolized && frames[i].symbolized->count > 0);
		for (unsigned k = 0; k < frames[i].symbolized->count; k++) {
			const struct inline_call *call = &frames[i].symbolized->calls[k];
			const char *slash = strrchr(call->file, '/');
			fprintf(to, "%s@%s:%u ", call->function, slash ? slash + 1 : call->file, call->line);
		}
		fprintf(to, "\n");
	}
	fclose(to);
}

#define SUBJECT_FULL(innermost) \
	"hidden()@subject.cc:11 \n" \
	"inner(int)@subject.cc:14 middle@subject.cc:17 carrier()@subject.cc:20 \n" \
	"shop::Basket<int>::add(int const&)@subject.cc:24 \n" \
	"last()@subject.cc:29 \n" \
	innermost "@subject.cc:17 other()@subject.cc:27 \n"

static const char subject_full[] __attribute__((unused)) = SUBJECT_FULL("middle");
static const char subject_full_addr2line[] __attribute__((unused)) = SUBJECT_FULL("(inlined)");

// Without lines and what is inlined.
static const char subject_plain[] __attribute__((unused)) =
	"hidden()@:0 \n"
	"carrier()@:0 \n"
	"shop::Basket<int>::add(int const&)@:0 \n"
	"last()@:0 \n"
	"other()@:0 \n";

// By .dynsym alone.
static const char subject_dynamic[] __attribute__((unused)) =
	"@:0 \n"
	"@:0 \n"
	"shop::Basket<int>::add(int const&)@:0 \n"
	"@:0 \n"
	"@:0 \n";

// With static functions, but without a demangler.
static const char subject_mangled[] __attribute__((unused)) =
	"_ZL6hiddenv@:0 \n"
	"_ZL7carrierv@:0 \n"
	"_ZN4shop6BasketIiE3addERKi@:0 \n"
	"_ZL4lastv@:0 \n"
	"_ZL5otherv@:0 \n";

// Whether the text is what is expected; subject_full stands for what any tool says.
__attribute__((unused)) static bool
subject_is(const char *text, const char *expected)
{
	if (strcmp(text, expected) == 0
		|| (expected == subject_full && strcmp(text, subject_full_addr2line) == 0))
		return true;
	printf("%s", text);
	return false;
}

// Runs a part of a test in a process of its own; its standard error goes to the file
// "errors", and then into errors[].
static char errors[1 << 16] __attribute__((unused));

__attribute__((unused)) static void
apart(void (*part)(void *), void *context)
{
	fflush(stdout);
	pid_t child = fork();
	int status;
	CHECK(child >= 0);
	if (child == 0) {
		int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fd, STDERR_FILENO);
		close(fd);
		part(context);
		exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	FILE *file = fopen("errors", "r");
	CHECK(file);
	errors[fread(errors, 1, sizeof(errors) - 1, file)] = '\0';
	fclose(file);
	if (status != 0)
		printf("standard error: %s\n", errors);
	CHECK(status == 0);
}

__attribute__((unused)) static unsigned
lines_of(const char *text)
{
	unsigned lines = 0;
	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

// A PATH with nothing but these programs (a list that ends in NULL), in the folder.
__attribute__((unused)) static void
path_with(const char *dir, const char *const *programs)
{
	char path[PATH_MAX];
	run("rm -rf %s && mkdir %s", dir, dir);
	for (; *programs; programs++)
		run("ln -s \"$(command -v %s)\" %s/%s", *programs, dir, *programs);
	CHECK(realpath(dir, path));
	setenv("PATH", path, 1);
}

__attribute__((unused)) static void
option_text(const char *name, const char *value)
{
	for (const struct option *option = symbols_options; option->name; option++) {
		if (strcmp(option->name, name) != 0)
			continue;
		if (option->kind == OPTION_FLAG) {
			*(bool *)option->to = true;
		} else if (option->kind == OPTION_FOLDER) {
			*(const char **)option->to = value;
		} else {
			struct option_list *list = option->to;
			list->texts = realloc(list->texts, (list->count + 1) * sizeof(*list->texts));
			list->texts[list->count++] = value;
		}
		return;
	}
	CHECK(!"such an option");
}

#endif
