// makemany KIND NUMBER: a log on standard output that has so many of one thing: sources, modules,
// moved code, twins, losses, notes, labels, runs. Each source has 100 bytes, and a frame of its own.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
begin(unsigned run)
{
	printf("# pmem 1 pid=%u ppid=1 run=%u start=2026-11-21T00:00:00.000Z exe=/usr/bin/server "
		"frames=64 sources=4194304 threads=64 show=4194304\n"
		"# module 0x555555000000-0x555755000000 81f059285fa684fe00000000bc1acbe3952a1ac2 "
		"/usr/bin/server\n", 4000 + run, 77 + run);
}

static void
snapshot(unsigned long number, unsigned long sources, unsigned long each)
{
	printf("\n[%3lu]=========================================================\n"
		"churn=1048576/1048576\n"
		"time=2026-11-21T%02lu:%02lu:00.000Z reason=churn live=%lu/%lu alloc=%lu/%lu free=0/0 "
		"sources=%lu/4194304 shown=%lu hidden=0\n", number, number / 60, number % 60,
		sources * each * 100, sources * each, sources * each * 100, sources * each, sources, sources);
}

static void
entry(uint64_t id, unsigned long each, const char *module, unsigned long code, int has_stack)
{
	printf("{%016llx} live:%lu, alloc:100/%lu, free:0/0, blocks:%lu, allocs:1/%lu, frees:0/0\n",
		(unsigned long long)id, each * 100, each * 100, each, each);
	if (has_stack)
		printf("  {0} /usr/bin/server(malloc+0x0) [0x555555001000]\n"
			"  {1} %s(f%lu+0x4) [0x%lx]\n", module, code, 0x555555002000 + code * 16);
}

static void
sources(unsigned long count, int are_twins)
{
	begin(0);
	for (unsigned long number = 0; number < 2; number++) {
		snapshot(number, count, number + 1);
		puts("");
		for (unsigned long i = 0; i < count; i++)
			entry(are_twins ? 1 : (i + 1) * UINT64_C(0x9e3779b97f4a7c15), number + 1,
				"/usr/bin/server", i, number == 0 || are_twins);
		puts("");
	}
}

static void
lines(const char *kind, unsigned long count)
{
	begin(0);
	for (unsigned long i = 0; i < count && strcmp(kind, "modules") == 0; i++)
		printf("# module 0x%lx-0x%lx - /usr/lib/m%lu.so\n", 0x7f0000000000 + i * 4096,
			0x7f0000000000 + i * 4096 + 8192, i);
	for (unsigned long i = 0; i < count && strcmp(kind, "notes") == 0; i++)
		printf("# note number %lu of what there is to say\n", i);
	unsigned long entries = strcmp(kind, "modules") == 0 || strcmp(kind, "moved") == 0 ? count : 1;
	snapshot(0, entries, 1);
	if (strcmp(kind, "losses") == 0) {
		printf("losses");
		for (unsigned long i = 0; i < count; i++)
			printf(" l%lu=1", i);
		puts("");
	}
	for (unsigned long i = 0; i < count && strcmp(kind, "labels") == 0; i++)
		printf("label l%lu live:1, alloc:1/1, free:0/0, blocks:1, allocs:1/1, frees:0/0\n", i);
	puts("");
	for (unsigned long i = 0; i < entries; i++) {
		char module[64] = "/usr/bin/server";
		if (strcmp(kind, "modules") == 0)
			snprintf(module, sizeof(module), "/usr/lib/m%lu.so", i);
		entry(i + 1, 1, strcmp(kind, "moved") == 0 ? "" : module, i, 1);
	}
	puts("");
	for (unsigned long i = 0; i < count && strcmp(kind, "moved") == 0; i++)
		printf("# moved 0x%lx\n", 0x555555002000 + i * 16);
}

int
main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	const char *kind = argc > 1 ? argv[1] : "";

	if (strcmp(kind, "sources") == 0 || strcmp(kind, "twins") == 0)
		sources(count, kind[0] == 't');
	else if (strcmp(kind, "runs") != 0)
		lines(kind, count);
	for (unsigned i = 0; i < count && strcmp(kind, "runs") == 0; i++) {
		begin(i);
		snapshot(0, 1, 1);
		puts("");
		entry(1, 1, "/usr/bin/server", 1, 1);
		puts("");
	}
	return 0;
}
