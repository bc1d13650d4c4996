// SPDX-License-Identifier: BSD-2-Clause
// input: gives the lines of a log: first those of its rotated pieces, oldest first, then those of
// the file itself. A log may also be standard input. Reading goes on when a file has grown since.
// If the process had to go on with its log in another place, both files are one log.

#ifndef PMEM_CLI_INPUT_H
#define PMEM_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum {
	// The longest line of a log. The rest of a longer line is skipped.
	INPUT_LINE_MAX = 1 << 20,
	// The most pieces of a log, with the log itself. PMEM_LOG_KEEP is at most 99.
	INPUT_PIECES_MAX = 100,
};

struct input;

struct raw_line {
	char *text;    // terminated, without the newline; the reader may write to it
	size_t length; // more than strlen(text) if the line has NULs in it
	bool cut;      // true if the line was longer than INPUT_LINE_MAX
	bool begins_piece;
	bool before_header; // true if a header follows in the same piece
};

// Opens a log by its path; "-" is standard input. Returns NULL after a warning.
struct input *input_open(const char *path);

// Reads the next line, which is valid until the next call. Returns false if there is no further
// whole line for now.
bool input_next(struct input *input, struct raw_line *line);

// Prints what is wrong with the line that was read last, as `FILE:LINE: what`. After ten messages
// the rest are left out.
void input_complain(struct input *input, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Returns true if no damage was found.
bool input_is_good(const struct input *input);

// Returns the number of bytes read so far. Sets *of to the number of bytes to read, or 0 if not
// known.
uint64_t input_bytes(const struct input *input, uint64_t *of);

void input_close(struct input *input);

// Returns the path of a log's rotated piece, which the caller frees. The number is from 1 to below
// INPUT_PIECES_MAX. The piece may have been packed since.
char *input_piece_path(const char *path, int number);

// Return the path of the log in another place whose continuation this log is, or which continues
// this log. They return NULL if there is no such log, or if we may not read it. The caller frees
// the path.
char *input_place_before(const char *path);
char *input_place_behind(const char *path);

// Returns where a log goes on if its process may no longer write it, even if no file is there. The
// caller frees the path.
char *input_other_place(const char *path);

// Returns the logs that a command line names; the list is valid until the next call. A folder
// stands for the logs in it, packed logs included. A log is read with the rotated pieces beside it,
// and with the pieces in the other place. So a piece that is named as well, as by pmem.*.log*,
// counts once. An operand that is no file, or a folder without logs, stays in the list: whoever
// reads it reports the error.
char **input_paths(char **operands);

// Returns the logs in the places where the library writes by default: the current folder and
// PMEM_LOG_FALLBACK_DIR. The list is like that of input_paths().
char **input_usual_paths(void);

// Returns the mode for a file made from these logs: only users who may read all the logs may read
// the file.
mode_t input_mode(char **paths);

// Returns true if the path is a regular file. Folders, pipes and standard input are not: these can
// be read only once.
bool input_is_file(const char *path, struct stat *status);

// input_vouch() marks a log that was found by its process. Its owner is a user that the process is
// or was.
void input_vouch(const char *path);
bool input_is_vouched(const char *path);

// Returns true if the log was found by its process or in a folder, and no command line named it.
bool input_is_found(const char *path);

// Returns true if the file is read for these paths: as a log, a rotated piece or standard input.
bool input_have(char **paths, const char *file);

// unpack: reads a packed file through the program that unpacks it: gzip for .gz, zstd for .zst.
//
// The program runs as a child without a shell and without LD_PRELOAD; its standard input is the
// file. Each child unpacks one file.

// The endings of packed files' names; NULL comes last.
extern const char *const unpack_endings[];

bool unpack_is_packed(const char *path);

// Returns true if the program for such a file is installed. Prints a warning if not.
bool unpack_can(const char *path);

// Takes the file's descriptor and returns one that reads the unpacked file. Returns -1 after a
// warning.
int unpack_start(const char *path, int fd, pid_t *child);

// Waits for the child to end, or kills it. Returns false after a warning if the file was damaged.
bool unpack_end(const char *path, pid_t child, bool kill_it);

#endif
