// A log cut off at any byte: each block before is read as from the whole log, none is made up,
// and that the last one is missing is no complaint. The same where the process itself, or another,
// then goes on in the file with a header: no stack or run is taken from what the cut has left.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "makelog.h"
#include "readingtext.h"

enum { BLOCKS_MAX = 16 };

static struct {
	char *text;
	size_t bytes;
	size_t ends[BLOCKS_MAX]; // where each block has ended
	int blocks;
} whole, rest, next; // what was cut, goes on with the same run, or with another

static void
write_block(struct makelog *log, FILE *file, const char *reason, size_t *ends, int *blocks)
{
	makelog_block(log, 50, reason);
	ends[(*blocks)++] = (size_t)ftell(file);
}

// Blocks that end in {rest}, in an entry of a stack, in one of two frames; a header repeated.
static void
make_logs(void)
{
	FILE *file = open_memstream(&whole.text, &whole.bytes);
	struct makelog_options options = {.show = 2, .show_empty = 1};
	struct makelog *log = makelog_open(file, &options);
	int a = makelog_source(log, "open/handle");
	int b = makelog_source(log, "libx.so:parse/handle");
	int c = makelog_source(log, "?/-/load");
	makelog_note(log, "a note");
	makelog_malloc(log, a, 3, 100);
	write_block(log, file, "churn", whole.ends, &whole.blocks);
	makelog_malloc(log, b, 5, 10);
	makelog_malloc(log, c, 1, 7);
	write_block(log, file, "churn", whole.ends, &whole.blocks);
	makelog_free(log, b, 5, 10);
	makelog_malloc(log, MAKELOG_OTHER, 1, 1);
	makelog_lose(log, "nested", 1);
	write_block(log, file, "churn", whole.ends, &whole.blocks);
	makelog_rotate(log, file);
	makelog_malloc(log, makelog_source(log, "libnew.so:late"), 2, 8);
	makelog_malloc(log, b, 1, 10);
	write_block(log, file, "churn", whole.ends, &whole.blocks);
	fclose(file);
	file = open_memstream(&rest.text, &rest.bytes);
	makelog_rotate(log, file);
	write_block(log, file, "exit", rest.ends, &rest.blocks);
	makelog_close(log);
	fclose(file);

	file = open_memstream(&next.text, &next.bytes);
	options.start = "2026-11-21T00:01:00.000Z";
	log = makelog_open(file, &options);
	a = makelog_source(log, "open/handle");
	makelog_malloc(log, a, 1, 100);
	write_block(log, file, "exit", next.ends, &next.blocks);
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

// What is read, block by block, without the number of the run; how many blocks.
struct read {
	char *text;
	size_t bytes;
	int blocks;
	size_t runs;
	bool good;
};

static void
print_stacks(FILE *to, const struct block *block)
{
	for (size_t i = 0; i < block->entry_count; i++) {
		const struct source *source = block->entries[i].source;
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
	struct reading *reading = reading_open("cut.log");
	const struct block *block;

	while (reading && (block = reading_next(reading))) {
		read.blocks++;
		print_block(to, reading, block);
		print_stacks(to, block);
	}
	fclose(to);
	reading_runs(reading, &read.runs);
	read.good = reading_finish(reading);
	reading_close(reading);
	return read;
}

static int
blocks_before(size_t cut)
{
	int blocks = 0;
	while (blocks < whole.blocks && whole.ends[blocks] <= cut)
		blocks++;
	return blocks;
}

static bool
fails(const char *what, size_t cut, const struct read *read, int expected)
{
	printf("cut off at byte %zu of %zu: %s: %d blocks of %d\n%s\n", cut, whole.bytes, what,
		read->blocks, expected, read->text);
	return false;
}

static bool
cut_is_read(size_t cut, const struct read *all)
{
	write_file(whole.text, cut, "");
	struct read read = read_file();
	int expected = blocks_before(cut);
	bool good = true;
	if (read.blocks != expected || strncmp(all->text, read.text, read.bytes) != 0)
		good = fails("not the first blocks", cut, &read, expected);
	else if (expected > 0 && !read.good)
		good = fails("called bad", cut, &read, expected);
	free(read.text);
	return good;
}

// The last block read, without the numbers of its run and place there.
static const char *
last_block(const struct read *read)
{
	const char *last = strrchr(read->text, '[');
	return last ? last : "";
}

static bool
goes_on(size_t cut, const struct read *all, const char *more, const char *its_block)
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
	if (read.blocks != expected + 1)
		good = fails("and gone on with", cut, &read, expected + 1);
	else if (strcmp(last_block(&read), its_block) != 0)
		good = fails("what it went on with is not as it was", cut, &read, expected + 1);
	else if (strncmp(all->text, read.text, before) != 0)
		good = fails("not the first blocks, gone on with", cut, &read, expected + 1);
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
	// What is said of a log without a block is another test's.
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
	good = all.blocks == whole.blocks && alone.blocks == 1 && all.good && alone.good
		&& both.blocks == whole.blocks + 1 && both.good;
	for (size_t cut = 0; good && cut <= whole.bytes; cut++)
		good = cut_is_read(cut, &all)
			&& goes_on(cut, &all, rest.text, last_block(&both))
			&& goes_on(cut, &all, next.text, last_block(&alone));
	free(all.text);
	free(alone.text);
	free(both.text);
	free(whole.text);
	free(rest.text);
	free(next.text);
	printf("figure: cut off at %zu places\n", whole.bytes);
	return !good;
}
