// long
// A log cut off at any byte: each snapshot before is read as from the whole log, none is made
// up, and that the last one is missing is no complaint. The same where the process itself, or
// another, then goes on in the file with a header: no stack or run is taken from what the cut
// has left.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "makelog.h"
#include "readingtext.h"

enum { SNAPSHOTS_MAX = 16 };

static struct {
	char *text;
	size_t bytes;
	size_t ends[SNAPSHOTS_MAX]; // where each snapshot has ended
	int snapshots;
} whole, rest, next; // what was cut, goes on with the same run, or with another

static void
write_snapshot(struct makelog *log, FILE *file, const char *reason, size_t *ends, int *snapshots)
{
	makelog_snapshot(log, 50, reason);
	ends[(*snapshots)++] = (size_t)ftell(file);
}

// Blocks that end in {rest}, in an entry of a stack, in one of two frames; a header repeated.
static void
make_logs(void)
{
	FILE *file = open_memstream(&whole.text, &whole.bytes);
	struct makelog_options options = {.show = 2, .show_empty = 1, .tells_once = true};
	struct makelog *log = makelog_open(file, &options);
	int a = makelog_source(log, "open/handle");
	int b = makelog_source(log, "libx.so:parse/handle");
	int c = makelog_source(log, "?/-/load");
	makelog_note(log, "a note");
	makelog_malloc(log, a, 3, 100);
	write_snapshot(log, file, "churn", whole.ends, &whole.snapshots);
	makelog_malloc(log, b, 5, 10);
	makelog_malloc(log, c, 1, 7);
	write_snapshot(log, file, "churn", whole.ends, &whole.snapshots);
	makelog_free(log, b, 5, 10);
	makelog_malloc(log, MAKELOG_OTHER, 1, 1);
	makelog_lose(log, "nested", 1);
	write_snapshot(log, file, "churn", whole.ends, &whole.snapshots);
	makelog_rotate(log, file);
	makelog_malloc(log, makelog_source(log, "libnew.so:late"), 2, 8);
	makelog_malloc(log, b, 1, 10);
	write_snapshot(log, file, "churn", whole.ends, &whole.snapshots);
	fclose(file);
	file = open_memstream(&rest.text, &rest.bytes);
	makelog_rotate(log, file);
	write_snapshot(log, file, "exit", rest.ends, &rest.snapshots);
	makelog_close(log);
	fclose(file);

	file = open_memstream(&next.text, &next.bytes);
	options.start = "2026-11-21T00:01:00.000Z";
	log = makelog_open(file, &options);
	a = makelog_source(log, "open/handle");
	makelog_malloc(log, a, 1, 100);
	write_snapshot(log, file, "exit", next.ends, &next.snapshots);
	makelog_close(log);
	fclose(file);
}

static void
write_file(const char *text, size_t bytes, const char *more)
{
	FILE *file = fopen("cut.log", "w");
	if (!file || fwrite(text, 1, bytes, file) != bytes || fputs(more, file) < 0
		|| fclose(file) != 0)
		abort();
}

// What is read, snapshot by snapshot, without the number of the run; how many snapshots.
struct read {
	char *text;
	size_t bytes;
	int snapshots;
	size_t runs;
	bool good;
};

static void
print_stacks(FILE *to, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct source *source = snapshot->entries[i].source;
		fprintf(to, "  depth %u\n", source->depth);
		for (unsigned k = 0; k < source->depth; k++)
			fprintf(to, "  %s 0x%" PRIx64 "\n", source->frames[k]->function,
				source->frames[k]->address);
	}
}

static struct read
read_file(void)
{
	struct read read = {0};
	FILE *to = open_memstream(&read.text, &read.bytes);
	struct log *log = log_open("cut.log");
	const struct snapshot *snapshot;

	while (log && (snapshot = log_next(log))) {
		read.snapshots++;
		print_snapshot(to, log, snapshot);
		print_stacks(to, snapshot);
	}
	fclose(to);
	log_runs(log, &read.runs);
	read.good = log_finish(log);
	log_close(log);
	return read;
}

static int
blocks_before(size_t cut)
{
	int snapshots = 0;
	while (snapshots < whole.snapshots && whole.ends[snapshots] <= cut)
		snapshots++;
	return snapshots;
}

static bool
fails(const char *what, size_t cut, const struct read *read, int expected)
{
	printf("cut off at byte %zu of %zu: %s: %d snapshots of %d\n%s\n", cut, whole.bytes, what,
		read->snapshots, expected, read->text);
	return false;
}

static bool
cut_is_read(size_t cut, const struct read *all)
{
	write_file(whole.text, cut, "");
	struct read read = read_file();
	int expected = blocks_before(cut);
	bool good = true;
	if (read.snapshots != expected || strncmp(all->text, read.text, read.bytes) != 0)
		good = fails("not the first snapshots", cut, &read, expected);
	else if (expected > 0 && !read.good)
		good = fails("called bad", cut, &read, expected);
	free(read.text);
	return good;
}

// The last snapshot read, without the numbers of its run and place there.
static const char *
last_snapshot(const struct read *read)
{
	const char *last = strrchr(read->text, '[');
	return last ? last : "";
}

static bool
goes_on(size_t cut, const struct read *all, const char *more, const char *its_snapshot)
{
	write_file(whole.text, cut, cut ? "\n" : "");
	FILE *file = fopen("cut.log", "a");
	fputs(more, file);
	fclose(file);
	struct read read = read_file();
	int expected = blocks_before(cut);
	size_t before = 0;
	for (int i = 0; i < expected; i++)
		before = (size_t)(strstr(read.text + before + 1, "\nrun ") + 1 - read.text);
	bool good = true;
	if (read.snapshots != expected + 1)
		good = fails("and gone on with", cut, &read, expected + 1);
	else if (strcmp(last_snapshot(&read), its_snapshot) != 0)
		good = fails("what it went on with is not as it was", cut, &read, expected + 1);
	else if (strncmp(all->text, read.text, before) != 0)
		good = fails("not the first snapshots, gone on with", cut, &read, expected + 1);
	else if (!read.good || read.runs > 2)
		good = fails("called bad, gone on with", cut, &read, expected + 1);
	free(read.text);
	return good;
}

int
main(void)
{
	bool good;

	make_logs();
	// What is said of a log without a snapshot is another test's.
	if (!freopen("messages", "w", stderr))
		return 1;
	write_file(next.text, next.bytes, "");
	struct read alone = read_file();
	write_file(whole.text, whole.bytes, "\n");
	struct read all = read_file();
	write_file(whole.text, whole.bytes, "\n");
	FILE *file = fopen("cut.log", "a");
	fputs(rest.text, file);
	fclose(file);
	struct read both = read_file();
	good = all.snapshots == whole.snapshots && alone.snapshots == 1 && all.good && alone.good
		&& both.snapshots == whole.snapshots + 1 && both.good;
	for (size_t cut = 0; good && cut <= whole.bytes; cut++)
		good = cut_is_read(cut, &all)
			&& goes_on(cut, &all, rest.text, last_snapshot(&both))
			&& goes_on(cut, &all, next.text, last_snapshot(&alone));
	free(all.text);
	free(alone.text);
	free(both.text);
	free(whole.text);
	free(rest.text);
	free(next.text);
	printf("figure: cut off at %zu places\n", whole.bytes);
	return !good;
}
