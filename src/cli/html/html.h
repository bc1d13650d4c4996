// SPDX-License-Identifier: BSD-2-Clause
// html: a page that shows what logs say: one file that holds its data, its drawing and its style,
// and asks nobody for anything. What the numbers mean and how they lie in it is in DATA.md.
//
// No number is made up by the page: it has what sources had at many moments (log/moments.h), what
// `pmem leaks` finds, and its sentences, and adds up only what `pmem report` and `pmem diff` do.

#ifndef PMEM_CLI_HTML_H
#define PMEM_CLI_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "log/moments.h"
#include "log/summary_scan.h"
#include "rows/row.h"
#include "trend/findings.h"

// schedule: which snapshots of the logs are moments of the page: all, or as many as can be drawn,
// among them the first and the last of each process, and the one with most.

enum { MOMENTS_MOST = 400 }; // but for those

// Of one log, its snapshots in the order in which log_next() gives them.
struct scheduled {
	const char *path;
	size_t count; // of snapshots
	uint64_t bytes; // it had so many
	bool *is_one; // for each
	struct scanned_snapshot *scanned; // each, as long as none is proven; NULL: all are
};

struct schedule {
	struct scheduled *logs;
	size_t count;
	uint64_t snapshots;  // of all
	bool has_times;      // each says when it was written
	bool is_thinned;     // some are no moments
	// Of several logs: times at which each has its last snapshot by then among its moments. They
	// rise; some that may go where that is too much, last.
	struct scheduled_time {
		int64_t time; // Unix time in ms, or place in its log
		bool may_go;
	} *times;
	size_t time_count;
};

// Scans the logs' summaries; `is_whole`: reads them to their ends. In silence; a log that cannot be
// read has no snapshots.
void schedule_make(struct schedule *schedule, char **paths, bool is_whole);
void schedule_free(struct schedule *schedule);

// collect: all that the logs say of each process.

struct collected {
	struct log *log;
	size_t log_number;
	struct run *run;
	struct moments *moments;
	struct history *history;
	struct findings findings;
	char **words;         // what `pmem leaks` says of it, a sentence each
	size_t word_count;
};

struct collection {
	struct collected *runs; // in the order of the logs, and of their snapshots in each
	size_t count, room;
	const struct schedule *schedule;
	char **words; // of several: of all
	size_t word_count;
	char **notes; // what the logs lack
	size_t note_count;
	bool is_good; // no log was damaged
};

// Reads the logs, and warns of what is wrong with them, unless that `was_told`. False: they have other
// snapshots than were scheduled, and the schedule is to be made of whole logs. What is loaded stays
// as long as the process.
bool collect(struct collection *collection, const struct schedule *schedule, bool was_told);

// stacks: what stands on stacks, each once: modules, steps, and stacks as the branches of a tree.

struct stacks;

struct stacks *stacks_open(void);

// Of a source's row: the number of the branch that its stack ends in.
size_t stacks_add(struct stacks *stacks, const struct row *row);

// Writes them as members of the page's JSON.
void stacks_write(FILE *to, const struct stacks *stacks);

// lines: the line about each source, to be freed, as are all together; NULL: it is none of the
// largest by what each had at most.
char **lines_of_sources(const struct row *rows, const uint64_t *most, size_t count);

// head: what the page is called, which is to be freed; and as members of its JSON that, what there
// is to say about all, and a line for each process.
char *head_title(const struct collection *collection);
void head_write(FILE *to, const struct collection *collection);

// findings: what is found of a source in all processes together: what leaks in any, leaks. The rate
// and the growth are sums of those where it does.
struct joined {
	const struct collected *of;
	const struct finding *finding; // the first that says so; NULL: none of it
	bool is_leak, has_rate;
	double rate, low, high, growth;
	size_t runs;
};
void joined_add(struct joined *joined, const struct collected *of, const struct finding *finding);
void joined_write(FILE *to, const struct joined *joined, size_t runs);

// A line of `pmem leaks` of a process, behind the source's number.
void findings_write(FILE *to, const struct collected *of, const struct finding *finding, size_t source);

// data: the JSON (DATA.md). Without the characters that mean anything in HTML.
void data_write(FILE *to, const struct collection *collection);

// A text in quotes. What is no UTF-8 is shown as the log has it, \xHH. A member of an object behind
// another one, whose value is a text, or several.
void data_text(FILE *to, const char *text);
void data_member(FILE *to, const char *name, const char *text);
void data_lines(FILE *to, const char *name, char *const *lines, size_t count);

// A comma and a number, so many times. There are hundreds of thousands: fprintf() takes longer.
enum { DATA_NUMBERS = 5 }; // at most
void data_numbers(FILE *to, size_t count, const int64_t *numbers);

// page: the whole file. `follows`: it looks for a newer one of itself.
struct page {
	const char *title;
	bool follows;
	void (*write_data)(FILE *to, const void *of);
	const void *of;
};
void page_write(FILE *to, const struct page *page);

// sha256: of some bytes (FIPS 180-4), in base64 (RFC 4648), as a Content-Security-Policy has it.
enum { SHA256_TEXT = 45 }; // with its end
char *sha256_base64(char text[SHA256_TEXT], const void *bytes, size_t length);

#endif
