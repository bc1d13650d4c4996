// Any line of a log, damaged: bytes of it, deleted, doubled, cut, joined with the next. Each
// snapshot but its own is read as ever, its own as it was or not at all; and where one is lost,
// or the run's name, a message says so, with file and line, or the snapshot counts as cut off.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "makelog.h"
#include "log/log.h"

enum {
	SNAPSHOTS = 5,
	ENTRIES_MAX = 16,
	LINES_MAX = 400,
};

struct known_snapshot {
	uint64_t number;
	struct counts total;
	struct { uint64_t id; struct counts counts; } entries[ENTRIES_MAX];
	size_t count;
};

static char *text;
static size_t bytes;
static struct { size_t start, length; int snapshot; } lines[LINES_MAX]; // length with its newline
static int line_count;
static struct known_snapshot snapshots[SNAPSHOTS];
static uint64_t seed = 3;

static unsigned
noise(unsigned bound)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % bound;
}

static void
make_log(void)
{
	size_t ends[SNAPSHOTS];
	FILE *file = open_memstream(&text, &bytes);
	struct makelog_options options = {.show = 3, .show_empty = 1, .tells_once = true};
	struct makelog *log = makelog_open(file, &options);
	char name[32];
	int sources[6];
	makelog_note(log, "a note");
	for (int i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), i == 2 ? "f%d/run/@ruby:|a b.rb:%d in f" : "lib%d.so:f%d/g", i % 2, i);
		sources[i] = makelog_source(log, name);
	}
	for (int i = 0; i < SNAPSHOTS; i++) {
		for (int k = 0; k < 6; k++) {
			makelog_malloc(log, sources[k], (unsigned)(2 + (i + k) % 3), 10 + (unsigned)k);
			if (k < 2)
				makelog_free(log, sources[k], (unsigned)(2 + (i + k) % 3), 10 + (unsigned)k);
		}
		makelog_malloc(log, MAKELOG_OTHER, 1, 3);
		makelog_lose(log, "nested", (unsigned)i + 1);
		makelog_snapshot(log, 100, i == SNAPSHOTS - 1 ? "exit" : "churn");
		ends[i] = (size_t)ftell(file);
	}
	makelog_close(log);
	fclose(file);
	int snapshot = 0;
	for (size_t at = 0; at < bytes; line_count++) {
		size_t length = (size_t)(strchr(text + at, '\n') + 1 - (text + at));
		lines[line_count].start = at;
		lines[line_count].length = length;
		lines[line_count].snapshot = snapshot;
		at += length;
		snapshot += at == ends[snapshot];
	}
}

static void
copy_snapshot(struct known_snapshot *to, const struct snapshot *snapshot)
{
	to->number = snapshot->summary.number;
	to->total = snapshot->summary.total;
	to->count = snapshot->entry_count < ENTRIES_MAX ? snapshot->entry_count : ENTRIES_MAX;
	memset(to->entries, 0, sizeof(to->entries));
	for (size_t i = 0; i < to->count; i++) {
		to->entries[i].id = snapshot->entries[i].source->id;
		to->entries[i].counts = snapshot->entries[i].now;
	}
}

// Of damaged lines some say another number or id, and nothing can tell.
static bool
same_snapshot(const struct known_snapshot *a, const struct known_snapshot *b, bool in_numbers_alone)
{
	if (memcmp(&a->total, &b->total, sizeof(a->total)) != 0 || a->count != b->count)
		return false;
	if (!in_numbers_alone && a->number != b->number)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (memcmp(&a->entries[i].counts, &b->entries[i].counts, sizeof(struct counts)) != 0
			|| (!in_numbers_alone && a->entries[i].id != b->entries[i].id))
			return false;
	return true;
}

static char *
slurp(const char *path)
{
	char *all = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");
	if (getdelim(&all, &size, '\0', file) < 0 && all)
		*all = '\0';
	fclose(file);
	return all;
}

static bool
fails(const char *what, int line, const char *messages)
{
	char *all = slurp("damaged.log");
	printf("line %d of snapshot %d: %.*s%s\n%s\n--\n%.600s\n", line + 1, lines[line].snapshot,
		(int)lines[line].length, text + lines[line].start, what, messages,
		all + (lines[line].start > 100 ? lines[line].start - 100 : 0));
	free(all);
	return false;
}

// Of "pmem: damaged.log:LINE: ..." LINE is where the damage lies, or in what suffers from it.
static bool
told_where(const char *messages, int line)
{
	int told = 0;
	if (sscanf(messages, "pmem: damaged.log:%d: ", &told) != 1)
		return false;
	return told >= line && told - 1 < line_count
		&& (told > line_count - 2 || lines[told - 2].snapshot <= lines[line].snapshot + 1);
}

static bool
read_damaged(int line)
{
	struct log *log = log_open("damaged.log");
	const struct snapshot *snapshot;
	bool seen[SNAPSHOTS] = {false};
	uint64_t torn = 0;
	size_t run_count;
	int next = 0;
	bool good = true;

	if (ftruncate(2, 0) != 0 || lseek(2, 0, SEEK_SET) != 0)
		abort();
	while ((snapshot = log_next(log))) {
		struct known_snapshot now;
		copy_snapshot(&now, snapshot);
		while (next < SNAPSHOTS && !same_snapshot(&now, &snapshots[next], lines[line].snapshot == next))
			next++;
		if (next == SNAPSHOTS) {
			good = false;
			break;
		}
		seen[next++] = true;
	}
	bool finished = log_finish(log);
	struct run **runs = log_runs(log, &run_count);
	for (size_t i = 0; i < run_count; i++)
		torn += runs[i]->torn;
	fflush(stderr);
	char *messages = slurp("messages");
	if (!good)
		good = fails("a snapshot that never was", line, messages);
	for (int i = 0; good && i < SNAPSHOTS; i++)
		if (!seen[i] && i != lines[line].snapshot)
			good = fails("another snapshot is lost", line, messages);
	bool is_lost = !seen[lines[line].snapshot];
	if (good && is_lost && torn == 0 && !told_where(messages, line))
		good = fails("lost without a word", line, messages);
	if (good && (finished != (*messages == '\0')))
		good = fails("what was said is not what came out", line, messages);
	log_close(log);
	free(messages);
	return good;
}

// Six kinds of damage.
static void
write_damaged(int line, int kind)
{
	FILE *file = fopen("damaged.log", "w");
	size_t start = lines[line].start;
	size_t length = lines[line].length;
	fwrite(text, 1, start, file);
	char copy[1000];
	memcpy(copy, text + start, length);
	switch (kind) {
	case 0: // deleted
		break;
	case 1: // doubled
		fwrite(copy, 1, length, file);
		fwrite(copy, 1, length, file);
		break;
	case 2: // cut
		fwrite(copy, 1, noise((unsigned)length), file);
		fputc('\n', file);
		break;
	case 3: // joined with the next
		fwrite(copy, 1, length - 1, file);
		break;
	default: // bytes of it
		for (unsigned i = 0; length > 1 && i < 1 + noise(4); i++)
			copy[noise((unsigned)length - 1)] = (char)(kind == 4 ? '0' + noise(10)
				: 1 + noise(255));
		fwrite(copy, 1, length, file);
	}
	fwrite(text + start + length, 1, bytes - start - length, file);
	fclose(file);
}

int
main(void)
{
	const struct snapshot *snapshot;
	int times = 0;
	bool good = true;

	make_log();
	FILE *file = fopen("whole.log", "w");
	fwrite(text, 1, bytes, file);
	fclose(file);
	struct log *log = log_open("whole.log");
	for (int i = 0; (snapshot = log_next(log)); i++)
		copy_snapshot(&snapshots[i], snapshot);
	log_close(log);
	if (!freopen("messages", "w", stderr) || dup2(fileno(stderr), 2) < 0)
		return 1;
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	for (int line = 0; good && line < line_count; line++)
		for (int kind = 0; good && kind < 20; kind++, times++) {
			write_damaged(line, kind % 6);
			good = read_damaged(line);
		}
	free(text);
	printf("figure: %d lines damaged\n", times);
	return !good;
}
