// SPDX-License-Identifier: BSD-2-Clause
// input: the lines of a log: those of its rotated pieces, the oldest first, then of the file
// itself; or of standard input. Reads on when a file has grown since. Where the process had to
// write on in another place, both are one log.

#ifndef PMEM_CLI_INPUT_H
#define PMEM_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum {
	// Longer lines are no log's: their rest is skipped.
	INPUT_LINE_MAX = 1 << 20,
	// Of a log, with the log itself: PMEM_LOG_KEEP is at most 99.
	INPUT_PIECES_MAX = 100,
};

struct input;

struct raw_line {
	char *text;    // terminated, without the newline; may be written to
	size_t length; // more than strlen(text) when there are NULs in it
	bool cut;      // it was longer than INPUT_LINE_MAX
	bool begins_piece;
	bool before_header; // a header follows, in the same piece
};

// "-": standard input. NULL after a warning.
struct input *input_open(const char *path);

// False: no whole line more, for now. The line is valid until the next call.
bool input_next(struct input *input, struct raw_line *line);

// Says what is wrong with the line that was read last, `FILE:LINE: what`: ten times, and then no
// more.
void input_complain(struct input *input, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Whether there was nothing to complain of.
bool input_is_good(const struct input *input);

// Bytes read so far, and of how many: 0 when that is not known.
uint64_t input_bytes(const struct input *input, uint64_t *of);

void input_close(struct input *input);

// The path of a log's rotated piece, from 1 to below INPUT_PIECES_MAX, which may have been packed
// since; to be freed.
char *input_piece_path(const char *path, int number);

// The log in another place that this one goes on from, or goes on in; NULL: there is none, or it is
// not ours to read. To be freed.
char *input_place_before(const char *path);
char *input_place_behind(const char *path);

// Where a log goes on if its process must not write it any more, whether anything is there or not. To
// be freed.
char *input_other_place(const char *path);

// The logs that a command line names, as many as there are; until the next call. A folder
// stands for the logs in it, packed ones as well. A log is read with the rotated pieces beside it,
// and with those in the other place: one that is named, too, as by pmem.*.log*, is no other log,
// and counts once. What is no file, or a folder without logs, stays as it is: whoever reads it will
// say why that cannot be done.
char **input_paths(char **operands);

// The logs where the library writes them by itself: in the folder that the process is in, and in
// PMEM_LOG_FALLBACK_DIR; likewise.
char **input_usual_paths(void);

// The mode of a file that may have what is in them: who may read all of them may read that.
mode_t input_mode(char **paths);

// Whether it is a file, and no folder or pipe, nor standard input, which can be read but once.
bool input_is_file(const char *path, struct stat *status);

// Of a log that was found by its process: who owns it is one of those that the process is or was.
void input_vouch(const char *path);
bool input_is_vouched(const char *path);

// Whether it was found so, or in a folder, and not named by a command line.
bool input_is_found(const char *path);

// Whether the file is one that is read: a log, a rotated piece, or what standard input is.
bool input_have(char **paths, const char *file);

// unpack: what a packed file holds, through the program that unpacks it: .gz by gzip, .zst by zstd.
//
// It runs as a child, without a shell and without LD_PRELOAD, its standard input the file, and is
// there for one file at a time.

// Endings of packed files' names, and NULL behind the last.
extern const char *const unpack_endings[];

bool unpack_is_packed(const char *path);

// Whether the program for such a file is installed; says so if not.
bool unpack_can(const char *path);

// Gives up the descriptor of the file for one from which it is read unpacked; -1 after a warning.
int unpack_start(const char *path, int fd, pid_t *child);

// Waits for its end, or brings that about. False after a warning: the file was damaged.
bool unpack_end(const char *path, pid_t child, bool kill_it);

#endif
