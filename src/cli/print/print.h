// SPDX-License-Identifier: BSD-2-Clause
// print: what is said of logs, as text: what must be known first, sources in words and in tables,
// threads, the call tree, and what leaks.

#ifndef PMEM_CLI_PRINT_H
#define PMEM_CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows/match.h"
#include "rows/profile.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"
#include "trend/findings.h"
#include "print/clip.h"
#include "print/leaks_words.h"
#include "print/table.h"

// heading: what must be known before numbers are: of which processes and snapshots they are,
// what the log lacks and what it is not able to tell. Lines are added to a clip.

// Of a profile all that there is to know.
void heading_add(struct clip *clip, const struct profile *profile);

// Of one process the first line: its program, or, where that is not known, the log's path.
void heading_process(struct clip *clip, const struct run *run, const struct log *log);

// What the log lacks of these runs, a line each: losses and what they mean, what the log notes
// itself, other runs, snapshots that are not there.
void heading_notes(struct clip *clip, const struct profile_run *runs, size_t count);

// Words within a line: "[16] of 2026-11-21 02:55:07Z (exit)", as far as the log has it;
// "live 142 KiB in 566 blocks", "live 142 KiB" of the first pmem's logs.
void heading_moment(struct clip *clip, const struct summary *summary);
void heading_live(struct clip *clip, const struct counts *counts, bool is_seeds);

// outside: what memory that is in no block looks like, in words, with one advice.

enum { OUTSIDE_TEXT = 256 };

// Of what a gauge says has grown. False: nothing is known.
bool outside_words(char text[OUTSIDE_TEXT], const struct run *run,
	const struct outside_growth *growth);

// Of all of it at a moment, where there is much and less than a third of memory is in blocks.
bool outside_words_of_moment(char text[OUTSIDE_TEXT], const struct profile_run *of);

// unnamed: code made at run time that has no name though it could, and how.

enum { UNNAMED_TEXT = 256 };

// False: there is none.
bool unnamed_words(char words[UNNAMED_TEXT], const struct run *run);

// row_text: where a source allocates, in words, and its whole stack. Names of its frames must
// have been looked up (symbols.h).

// attribution_print() of it; of {other} and {rest} what they are. To be freed.
char *row_text(const struct row *row);

// The function with its file and line, or with its module; or the place, which has its module.
// To be freed.
char *row_text_frame(const struct resolved_frame *resolved);

// Below a line of a table: the id, then a line a function, innermost first, with its place.
// Nothing of {other} and {rest}.
void row_text_stack(struct text_table *table, const struct row *row);

// The same of rows that stand together, and must not read the same: each with the first frame in
// which it differs from those that would else read as it does. Sources whose stacks have the same
// addresses do. To be freed, and so are all together.
char **disambiguate_rows(const struct row *rows, size_t count);

// rows_table: a table of sources in print, a line each, and the sums of what has no line: lines
// add up to the totals. What a moment has, with shares, or what differs between two.

struct rows_table {
	int by;            // enum value: the first column, and what rows are sorted by
	bool differences;  // between the two moments of the rows
	uint64_t count;    // most sources, as for table_most_lines()
	uint64_t min;      // least bytes, as row_size() has them
	struct stack_match match;
	bool stacks;       // each source's id and stack below it
	unsigned around;   // lines that stand above and below it
};

// Sources that have no line of their own.
struct others {
	struct row sum;
	uint64_t count;
};

void others_add(struct others *others, const struct row *row);

// "3 sources not asked for". Writes into text and returns it.
char *others_text(char *text, size_t size, const struct others *others, const char *what);

// To standard output. Sorts the rows, and looks up the names of those that it shows.
void rows_table_print(const struct rows_table *of, struct profile *profile);

// threads_table: a table of threads in print: what each has allocated and freed. What is not told
// of one by one is a line of its own, so that lines add up to the totals.

// Of logs that tell of threads. To standard output, largest first; `count` and `around` as for
// table_most_lines().
void threads_table_print(const struct profile *profile, uint64_t count, unsigned around);

// labels_table: the same of labels, which add up to what there is with what has none.
void labels_table_print(const struct profile *profile, uint64_t count, unsigned around);

// A line about those that hold most as of the last snapshot that was read, if any hold something.
void labels_add_largest(struct clip *clip, const struct run *run);

// tree: the call tree of a profile's rows: from the outermost frame inwards, or, inverted,
// from the function that allocates outwards. Inlined functions are levels of their own.
// Frames are one node when they have function, module, file and line in common.
//
// In print: a line a node with its share, its value and its calls. A function that alone has all
// that the one above it has stands on its line, behind " > " (or " < "); "- " begins a branch. Small
// branches are one line together, so that lines add up at each level.

struct node {
	struct resolved_frame resolved;
	int64_t value;         // sum over the rows below and those that end here
	uint64_t blocks;       // live ones, likewise
	uint64_t calls;        // allocs, likewise
	uint64_t rows;
	struct node *children; // largest value first; equal ones by name
	struct node *next;     // sibling
	struct node *parent;   // NULL: the root
};

// The root's frame is empty, its name "". What a node has more than its children together ends
// there: a stack that was cut, or that is the beginning of another. As long as no value is
// negative, the sum of children is never more than the node's.
struct node *tree_build(const struct profile *profile, enum value value, bool inverted);

void tree_free(struct node *root);

struct tree_style {
	enum value value;
	bool inverted;    // as the tree was built
	double threshold; // percent of the whole; less is folded
	uint64_t min;     // of the value; less is folded
	bool no_calls;    // blocks and calls are not known
	bool is_sampled;  // all values are estimates
	// Rows that are not in the tree, but in the whole: what they are, NULL: there are none.
	const char *others;
	struct row others_sum;
	// Rows that have less than nothing and so no share: likewise, but not in the whole.
	const char *negative;
	struct row negative_sum;
};

// To standard output. The tree's values must not be negative.
void tree_print(const struct tree_style *style, const struct node *root);

// leaks: what leaks, and what else there is to say of a process: in sentences, then tables of
// the sources, those that leak and those that do not.

// To standard output. Looks up the names of the sources it shows.
void leaks_print(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

// The sentences alone, a line each; false: it is too short to tell of any source.
bool leaks_print_words(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

// leaks_process.c, for leaks.c: what live does when no source leaks, as a line; whether that is a
// leak that stands; and what memory outside of blocks does, where it grows.
void leaks_live_print(void);
bool leaks_live_stands(void);
void leaks_memory_print(void);

// Its tables: of leaks, with those of little growth where all are wanted; and of the other sources.
void leaks_table_print(void);
void leaks_table_print_others(void);

#endif
