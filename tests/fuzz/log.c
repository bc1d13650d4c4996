// A libFuzzer target: the input is a log, read snapshot by snapshot as every subcommand does, each
// source asked for, at moments on the way, too; and a log that is being written: its first half is read
// to the end before the other half is there. tests/check runs it on the seeds in corpus-log/,
// under the address and the undefined-behaviour sanitizer: a crash, memory that the input's
// numbers ask for and not its size, or no end, is the failure; so is a snapshot whose entries do not
// add up.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log/log.h"
#include "log/moments.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t bytes);

static void
need(bool what)
{
	if (!what)
		abort();
}

static void
look_at(const struct snapshot *snapshot)
{
	struct run *run = snapshot->run;
	struct counts sum = {0};
	bool is_told;

	need(snapshot->summary.place - 1 + 1 == run->snapshots);
	for (size_t i = 0; i < snapshot->entry_count; i++)
		counts_add(&sum, &snapshot->entries[i].now);
	if (!run->is_seeds)
		need(memcmp(&sum, &snapshot->summary.total, sizeof(sum)) == 0);
	for (size_t i = 0; i < run->source_count; i++) {
		const struct source *source = run->sources[i];
		for (size_t k = 0; k < run->moment_count; k++)
			moment_state(run->moments[k], source, &is_told);
		source_is_exact(run, source);
		for (unsigned k = 0; k < source->depth; k++)
			need(source->frames[k]->function != NULL);
	}
	if (snapshot->summary.number % 3 == 0)
		moment_set(run->moment_count < 3 ? moment_new(run, true)
			: run->moments[snapshot->summary.number % 2], snapshot);
}

int
LLVMFuzzerTestOneInput(const uint8_t *input, size_t bytes)
{
	char path[64];
	const struct snapshot *snapshot;
	int fd = memfd_create("log", MFD_CLOEXEC);
	size_t half = bytes / 2;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	need(fd >= 0 && write(fd, input, half) == (ssize_t)half);
	struct log *log = log_open(path);
	need(log != NULL);
	while ((snapshot = log_next(log)))
		look_at(snapshot);
	need(write(fd, input + half, bytes - half) == (ssize_t)(bytes - half));
	while ((snapshot = log_next(log)))
		look_at(snapshot);
	log_finish(log);
	log_close(log);
	close(fd);
	return 0;
}
