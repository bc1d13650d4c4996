// of a kernel
// A program that brings malloc itself runs as without us, and its log says that nothing is
// recorded, and why; at its exit, how much memory it has. So do its forked child and what it
// executes, each for itself.

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static _Alignas(16) char arena[64 << 20];
static size_t used;
static int calls;

void *
malloc(size_t bytes)
{
	size_t at = __atomic_fetch_add(&used, (bytes + 31) & -16UL, __ATOMIC_RELAXED);
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
	if (at > sizeof(arena) - bytes - 16)
		return NULL;
	memcpy(arena + at, &bytes, sizeof(bytes));
	return arena + at + 16;
}

void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) { return malloc(count * size); }

void *
realloc(void *old, size_t bytes)
{
	size_t had = 0;
	void *block = malloc(bytes);
	if (old)
		memcpy(&had, (char *)old - 16, sizeof(had));
	return block ? memcpy(block, old ? old : block, had < bytes ? had : bytes) : NULL;
}

void
host(void)
{
	int status = -1;
	int before = calls;
	for (int i = 0; i < 1000; i++)
		free(strdup("the program's own"));
	expect_equal((uint64_t)(calls - before), 1000);
	memset(malloc(30 << 20), 'x', 30 << 20);
	if (host_role()[0] == 'x')
		return;
	pid_t child = fork();
	if (child == 0) {
		setenv("ROLE", "x", 1);
		execl("/proc/self/exe", "again", (char *)NULL);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
	expect_equal(count_files("pmem."), 2);
}

void
check(const struct logfile *log)
{
	expect_equal(log->run_count, 1);
	expect_equal(log->snapshot_count, 0);
	char *note = strstr(read_file(host_log), "\n# note malloc is that of /");
	expect(note && strstr(note, "a_program_with_its_own_malloc_is_told_so, which stands before"));
	expect(strstr(note, "nothing is recorded"));
	unsigned long rss = 0;
	expect_equal(log->note_count, 2);
	expect(sscanf(log->notes[1], "at exit: rss=%lu file=", &rss) == 1);
	expect(rss > 30 << 20 && rss < 60 << 20);
}
