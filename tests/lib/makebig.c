// makebig FILE BYTES [SOURCES]: writes a log of at least so many bytes: a server of thousands
// of sources that moves a third of them from block to block, with stacks of 5 to 30 frames and
// names as C++ has them. Some sources leak, some fill and settle, most go up and down. The same
// arguments make the same log.

#include <stdlib.h>
#include <string.h>

#include "makelog.h"

enum {
	MODULES = 10,
	NAME_MAX_BYTES = 200,
};

struct part {
	int source;
	uint64_t bytes, held;
};

static uint64_t seed = 1;

// Below a bound.
static unsigned
noise(unsigned bound)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % bound;
}

// A function of a level: 0 is called by main. The further in, the more there are.
static int
print_function(char *to, unsigned level)
{
	static const char *const classes[] = {"Session", "RequestHandler", "Cache", "ConnectionPool",
		"JsonParser", "Index", "QueryPlanner", "Buffer"};
	static const char *const methods[] = {"run", "handleRequest", "insert", "find", "parse",
		"appendBytes", "grow", "dispatch"};
	unsigned which = noise(level < 4 ? 3 : 50);
	const char *class = classes[(which + level) % 8];
	const char *method = methods[which / 8 % 8];
	unsigned module = level % MODULES;
	char number[16];
	sprintf(number, "%u", which);
	if (module > 0)
		to += sprintf(to, "libpart%u.so.1:", module);
	return sprintf(to, "_ZN6server6detail%zu%s%zu%s%sERKNSt7__cxx1112basic_stringIcSt11char_"
		"traitsIcESaIcEEE", strlen(class), class, strlen(method) + strlen(number), method,
		number);
}

// Outermost last.
static void
print_stack(char *to)
{
	unsigned depth = 2 + noise(26); // and the hook, main and _start
	*to = '\0';
	for (unsigned level = depth; level-- > 0;) {
		print_function(to, level);
		to += strlen(to);
		*to++ = '/';
	}
	to[-1] = '\0';
}

static void
move(struct makelog *log, struct part *part, unsigned number)
{
	unsigned calls = 1 + noise(50);
	makelog_malloc(log, part->source, calls, part->bytes);
	part->held += calls;
	// One in fifty leaks, one in five keeps what it has; the others give back all but a few.
	unsigned most = number % 50 == 0 ? calls - 1 : number % 5 == 0 ? calls : (unsigned)part->held;
	unsigned frees = most - (most > 10 ? noise(10) : 0);
	makelog_free(log, part->source, frees, part->bytes);
	part->held -= frees;
}

int
main(int argc, char **argv)
{
	char names[32 * NAME_MAX_BYTES];
	FILE *file = argc > 2 ? fopen(argv[1], "w") : NULL;
	if (!file) {
		fputs("usage: makebig FILE BYTES [SOURCES]\n", stderr);
		return 2;
	}
	long bytes = atol(argv[2]);
	unsigned count = argc > 3 ? (unsigned)atoi(argv[3]) : 3000;
	struct part *parts = calloc(count, sizeof(*parts));
	struct makelog *log = makelog_open(file, NULL);

	for (unsigned i = 0; i < count; i++) {
		print_stack(names);
		parts[i].source = makelog_source(log, names);
		parts[i].bytes = 16 + noise(1000);
	}
	while (ftell(file) < bytes) {
		for (unsigned i = 0; i < count; i++)
			if (noise(3) == 0)
				move(log, &parts[i], i);
		makelog_snapshot(log, 500 + noise(1000), "churn");
	}
	makelog_snapshot(log, 10, "exit");
	makelog_close(log);
	free(parts);
	return fclose(file) == 0 ? 0 : 1;
}
