// A log that is being written: after each piece of it, however torn, the snapshots that are
// whole by then are given, once, as from the finished log; at its end NULL, and then more. Where
// another file comes in its place that has no more, what was given stays where it is.

#include <stdlib.h>
#include <string.h>

#include "log/follow.h"
#include "makelog.h"
#include "readingtext.h"

enum { SNAPSHOTS = 40 };

static char *text;
static size_t bytes, ends[SNAPSHOTS];
static uint64_t seed = 7;

static unsigned
noise(unsigned bound)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % bound;
}

static void
make_log(void)
{
	FILE *file = open_memstream(&text, &bytes);
	struct makelog *log = makelog_open(file, NULL);
	char name[32];
	for (int i = 0; i < SNAPSHOTS; i++) {
		for (int k = 0; k < 5; k++) {
			snprintf(name, sizeof(name), "lib%u.so:f/g%u", noise(3), noise(30));
			int source = makelog_source(log, name);
			makelog_malloc(log, source, 1 + noise(5), 8);
			makelog_free(log, source, noise(2), 8);
		}
		if (i % 13 == 12)
			makelog_rotate(log, file);
		makelog_snapshot(log, 100, i == SNAPSHOTS - 1 ? "exit" : "churn");
		ends[i] = (size_t)ftell(file);
	}
	makelog_close(log);
	fclose(file);
}

static char *
read_at_once(void)
{
	char *snapshots;
	size_t size;
	FILE *to = open_memstream(&snapshots, &size);
	FILE *file = fopen("once.log", "w");
	fwrite(text, 1, bytes, file);
	fclose(file);
	struct log *log = log_open("once.log");
	for (const struct snapshot *snapshot; (snapshot = log_next(log));)
		print_snapshot(to, log, snapshot);
	fclose(to);
	log_close(log);
	return snapshots;
}

static bool
follow(const char *expected, unsigned piece_max)
{
	char *snapshots;
	size_t size;
	FILE *to = open_memstream(&snapshots, &size);
	FILE *file = fopen("grows.log", "w");
	struct log *log = log_open("grows.log");
	size_t written = 0;
	size_t count = 0;
	bool good = log != NULL;

	while (good && written < bytes) {
		size_t piece = 1 + noise(piece_max);
		if (piece > bytes - written)
			piece = bytes - written;
		fwrite(text + written, 1, piece, file);
		fflush(file);
		written += piece;
		for (const struct snapshot *snapshot; (snapshot = log_next(log)); count++)
			print_snapshot(to, log, snapshot);
		good = (count == 0 || ends[count - 1] <= written)
			&& (count == SNAPSHOTS || ends[count] > written);
	}
	fclose(file);
	fclose(to);
	good = good && log_finish(log) && strcmp(snapshots, expected) == 0;
	if (!good)
		printf("pieces up to %u: %zu snapshots at byte %zu\n", piece_max, count, written);
	log_close(log);
	free(snapshots);
	return good;
}

static bool
write_file(const char *path, size_t length)
{
	FILE *file = fopen(path, "w");
	return file && fwrite(text, 1, length, file) == length && fclose(file) == 0;
}

// Up to the last snapshot but one, again in another file, then with the last one.
static bool
stays_in_place(void)
{
	bool good = write_file("placed.log", ends[SNAPSHOTS - 2]);
	struct follow *follow = follow_open("placed.log");
	while (follow_next(follow))
		;
	const struct run *run = follow_last(follow)->run;
	uint64_t number = follow_last(follow)->summary.number;
	good = good && write_file("again.log", ends[SNAPSHOTS - 2]) && rename("again.log", "placed.log") == 0
		&& !follow_next(follow) && follow_last(follow)->run == run;
	if (!good)
		puts("what was given has been taken away, and nothing came");
	bool goes_on = write_file("placed.log", bytes) && follow_next(follow)
		&& follow_last(follow)->summary.number == number + 1 && !follow_lost(follow);
	if (!goes_on)
		puts("what came in another file was not given");
	follow_close(follow);
	return good && goes_on;
}

int
main(void)
{
	make_log();
	char *expected = read_at_once();
	bool good = follow(expected, 1) && follow(expected, 10) && follow(expected, 100)
		&& follow(expected, 1000) && follow(expected, 10000) && stays_in_place();
	free(expected);
	free(text);
	return !good;
}
