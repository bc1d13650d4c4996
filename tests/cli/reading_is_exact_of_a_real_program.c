// long
// pmem: -DPMEM_CHURN_THRESH=2048 -DPMEM_LOG_HOURS=0 -DPMEM_SHOW=5 -DPMEM_SHOW_EMPTY=2
// A program under the library writes down each call of malloc and free that it makes; at each
// snapshot of its log, what the reader vouches for of a source is what these calls come to. The
// sources are depths of a recursion.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log/log.h"

enum {
	SOURCES = 40,
	HELD = 64, // blocks that a source may hold
	STEPS = 20000,
};

// The address sanitizer owns malloc, and this program is the host, too.
#ifdef __SANITIZE_ADDRESS__
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

struct step {
	uint32_t source;
	uint32_t bytes;
	uint32_t is_free;
};

static struct step steps[STEPS];
static uint64_t seed = 5;

static unsigned
noise(unsigned bound)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % bound;
}

void *allocate_at(unsigned depth, size_t bytes);

__attribute__((noinline)) void *
allocate_at(unsigned depth, size_t bytes)
{
	void *block = depth > 0 ? allocate_at(depth - 1, bytes) : malloc(bytes);
	__asm__ volatile("" : "+r"(block));
	return block;
}

// Source n holds no more than the n-th part of what it may, and lets go of all now and then.
static int
host(void)
{
	static struct { void *block; uint32_t bytes; } held[SOURCES][HELD];
	static unsigned counts[SOURCES];
	unsigned count = 0;

	while (count < STEPS) {
		unsigned source = noise(noise(2) ? SOURCES : 8);
		unsigned frees = noise(10) == 0 ? counts[source] : counts[source] == HELD;
		for (; frees > 0 && count < STEPS; frees--) {
			unsigned last = --counts[source];
			steps[count++] = (struct step){source, held[source][last].bytes, 1};
			free(held[source][last].block);
		}
		if (count == STEPS || counts[source] == HELD)
			continue;
		unsigned bytes = 1 + noise(10 + 20 * source);
		steps[count++] = (struct step){source, bytes, 0};
		held[source][counts[source]].block = allocate_at(source, bytes);
		held[source][counts[source]++].bytes = bytes;
	}
	int fd = open("steps", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool good = write(fd, steps, sizeof(steps)) == (ssize_t)sizeof(steps);
	return !good;
}

static void
replay(struct counts *counts, const struct step *step)
{
	if (step->is_free) {
		counts->frees++;
		counts->blocks--;
		counts->free += step->bytes;
		counts->live -= step->bytes;
	} else {
		counts->allocs++;
		counts->blocks++;
		counts->alloc += step->bytes;
		counts->live += step->bytes;
	}
}

// The source of the host that it is; SOURCES: the C library's own.
static unsigned
number_of(const struct source *source)
{
	unsigned depth = 0;
	for (unsigned i = 1; i < source->depth; i++)
		depth += strcmp(source->frames[i]->function, "allocate_at") == 0;
	return depth > 0 ? depth - 1 : SOURCES;
}

static bool
check_snapshot(const struct snapshot *snapshot, const struct counts *truth, uint64_t *vouched)
{
	const struct run *run = snapshot->run;
	for (size_t i = 0; i < run->source_count; i++) {
		const struct source *source = run->sources[i];
		unsigned number = number_of(source);
		if (number == SOURCES || !source_is_exact(run, source))
			continue;
		if (memcmp(&source->now.counts, &truth[number], sizeof(*truth)) != 0) {
			printf("snapshot %d: source %u: live %d, and it has %d\n", (int)snapshot->summary.number, number,
				(int)source->now.counts.live, (int)truth[number].live);
			return false;
		}
		*vouched += 1;
	}
	return true;
}

static bool
check_log(const char *path)
{
	struct counts truth[SOURCES] = {0};
	struct log *log = log_open(path);
	const struct snapshot *snapshot;
	uint64_t vouched = 0;
	uint64_t blocks = 0;
	int at = 0;
	bool good = log != NULL;

	while (good && (snapshot = log_next(log))) {
		while (at < STEPS && (uint64_t)at < snapshot->summary.total.allocs + snapshot->summary.total.frees) {
			replay(&truth[steps[at].source], &steps[at]);
			at++;
		}
		good = check_snapshot(snapshot, truth, &vouched);
		blocks++;
	}
	good = good && log_finish(log) && at == STEPS;
	printf("figure: %d blocks, %d times a source known for sure\n", (int)blocks, (int)vouched);
	log_close(log);
	return good && blocks > 100 && vouched > blocks * SOURCES / 4;
}

int
main(int argc, char **argv)
{
	const char *library = getenv("PMEM_LIBRARY");
	char path[64];
	int status;

	if (argc > 1)
		return host();
	if (is_sanitized) {
		puts("skipped: needs a build without the address sanitizer");
		return 77;
	}
	pid_t child = fork();
	if (child == 0) {
		setenv("LD_PRELOAD", library ? library : "", 1);
		execl("/proc/self/exe", argv[0], "host", NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		return 1;
	int fd = open("steps", O_RDONLY);
	if (read(fd, steps, sizeof(steps)) != (ssize_t)sizeof(steps))
		return 1;
	snprintf(path, sizeof(path), "pmem.%d.log", (int)child);
	return !check_log(path);
}
