// makestack: what a made-up process has in its memory: modules, their functions, and the
// return addresses in them, which agree with each other. For makelog.c alone.

#ifndef TESTS_MAKESTACK_H
#define TESTS_MAKESTACK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FUNCTION_BYTES = 0x1000,
	NAMED_BYTES = 0x8000000, // a module's first half: functions; the other: code without names
	MODULE_BYTES = 0x10000000,
};

#define HASH_SEED UINT64_C(0xcbf29ce484222325)

struct module {
	char *path;
	uint64_t base;
	uint64_t functions;
	bool told;
};

struct function {
	char *name;
	int module;
	uint64_t address;
};

// The first module is the program.
struct code {
	struct module *modules;
	int module_count;
	struct function *functions;
	int function_count;
};

static void
need(bool what, const char *text)
{
	if (what)
		return;
	fprintf(stderr, "makelog: %s\n", text);
	abort();
}

static void *
grown(void *items, int count, size_t size)
{
	// Twice as many at each power of two.
	if ((count & (count - 1)) == 0) {
		items = realloc(items, (count ? 2 * (size_t)count : 1) * size);
		need(items, "no memory");
	}
	memset((char *)items + (size_t)count * size, 0, size);
	return items;
}

static uint64_t
hash(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return sum ^ sum >> 29;
}

// A word of the header has no blank either.
static void
print_name(FILE *file, const char *name, char least)
{
	for (; *name; name++) {
		if (*name >= least && *name <= 0x7e && *name != '\\')
			fputc(*name, file);
		else
			fprintf(file, "\\x%02x", (unsigned char)*name);
	}
}

static int
find_module(struct code *code, const char *path)
{
	for (int i = 0; i < code->module_count; i++) {
		if (strcmp(code->modules[i].path, path) == 0)
			return i;
	}
	int i = code->module_count;
	code->modules = grown(code->modules, i, sizeof(*code->modules));
	code->modules[i].path = strdup(path);
	code->modules[i].base = i == 0 ? UINT64_C(0x555555000000)
		: UINT64_C(0x7f0000000000) + (uint64_t)i * 2 * MODULE_BYTES;
	return code->module_count++;
}

static struct function *
find_function(struct code *code, int module, const char *name)
{
	for (int i = 0; i < code->function_count; i++) {
		struct function *function = &code->functions[i];
		if (function->module == module && strcmp(function->name, name) == 0)
			return function;
	}
	code->functions = grown(code->functions, code->function_count, sizeof(*code->functions));
	struct function *function = &code->functions[code->function_count++];
	uint64_t number = code->modules[module].functions++;
	need(number < NAMED_BYTES / FUNCTION_BYTES - 1, "too many functions");
	*function = (struct function){strdup(name), module,
		code->modules[module].base + (number + 1) * FUNCTION_BYTES};
	return function;
}

// "libx.so:parse", and colons of C++ are the name's own. The module's number.
static int
split_name(struct code *code, const char *name, const char **function)
{
	char path[300];
	const char *colon = strchr(name, ':');
	*function = name;
	if (!colon || colon[1] == ':')
		return 0;
	*function = colon + 1;
	snprintf(path, sizeof(path), "/usr/lib/%.*s", (int)(colon - name), name);
	return find_module(code, path);
}

// "python:|srv|app.py:12 in get" as "/srv/app.py:12 in get [python]".
static void
print_line(FILE *to, const char *line)
{
	char *text = strdup(line + strcspn(line, ":"));
	need(text && *text, "no language");
	for (char *at = text; *at; at++)
		if (*at == '|')
			*at = '/';
	print_name(to, text + 1, 0x20);
	fprintf(to, " [%.*s]\n", (int)strcspn(line, ":"), line);
	free(text);
}

// The frame's return address is behind the call of what is the next frame inwards.
static void
print_frame(struct code *code, FILE *to, int number, const char *name, const char *callee)
{
	const char *function;
	uint64_t site = hash(hash(HASH_SEED, callee), name);

	fprintf(to, "  {%d} ", number);
	if (strcmp(name, "-") == 0) {
		fprintf(to, "[0x%" PRIx64 "]\n", UINT64_C(0x7e0000000000) + site % MODULE_BYTES);
		return;
	}
	if (name[0] == '@') {
		print_line(to, name + 1);
		return;
	}
	int module = split_name(code, name, &function);
	print_name(to, code->modules[module].path, 0x20);
	if (strcmp(function, "?") == 0) {
		uint64_t offset = NAMED_BYTES + site % (MODULE_BYTES - NAMED_BYTES);
		fprintf(to, "(+0x%" PRIx64 ") [0x%" PRIx64 "]\n", offset,
			code->modules[module].base + offset);
		return;
	}
	uint64_t offset = number == 0 ? 0 : 5 + site % (FUNCTION_BYTES - 5);
	uint64_t address = find_function(code, module, function)->address + offset;
	fputc('(', to);
	print_name(to, function, 0x20);
	fprintf(to, "+0x%" PRIx64 ") [0x%" PRIx64 "]\n", offset, address);
}

#endif
