// SPDX-License-Identifier: BSD-2-Clause
// input: gives the lines of a log. The lines of the log's rotated pieces come first, from the
// oldest piece on. The lines of the log's own file come last. A log may also be standard input.
// After the last line, reading can go on once the file has grown. If the process had to continue
// its log in another place, both files are read as one log.

#ifndef PMEM_CLI_INPUT_H
#define PMEM_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum {
	// the longest line of a log; the rest of a longer line is skipped
	INPUT_LINE_MAX = 1 << 20,
	// a log has at most this many pieces, including its own file; PMEM_LOG_KEEP is at most 99
	INPUT_PIECES_MAX = 100,
};

struct input;

struct raw_line {
	char *text;    // terminated, without the newline; the caller may write to it
	size_t length; // more than strlen(text) if the line contains NUL bytes
	bool cut;      // true if the line was longer than INPUT_LINE_MAX
	bool begins_piece;
	bool before_header; // true if a header is the next line of the same piece
};

// Opens a log by its path; "-" is standard input. Returns NULL after a warning.
struct input *input_open(const char *path);

// Reads the next line, which is valid until the next call. Returns false if there is no further
// complete line yet.
bool input_next(struct input *input, struct raw_line *line);

// Prints what is wrong with the line that was read last, as `FILE:LINE: what`. Only the first ten
// messages of a log are printed.
void input_complain(struct input *input, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Returns true if input_complain() was never called.
bool input_is_good(const struct input *input);

// Returns how many bytes have been read so far. Sets *of to how many bytes the log has, or to 0 if
// that is not known.
uint64_t input_bytes(const struct input *input, uint64_t *of);

void input_close(struct input *input);

// Returns the path of a log's rotated piece with this number, from 1 to INPUT_PIECES_MAX - 1. If
// only a packed file of the piece exists, returns its path. The caller frees the path.
char *input_piece_path(const char *path, int number);

// A process may continue its log in another place. input_place_before() returns the path of the log
// that this log continues. input_place_behind() returns the path of the log that continues this
// log. Both return NULL if no other log is found, or if we may not read it. The caller frees the
// path.
char *input_place_before(const char *path);
char *input_place_behind(const char *path);

// Returns the path at which a process continues a log that it may no longer write. The path need
// not exist. The caller frees the path.
char *input_other_place(const char *path);

// Returns the logs that a command line's operands name. The list is valid until the next call. A
// folder stands for the logs in it, packed logs included. A log is read together with its rotated
// pieces and with its part in another place. If a piece or a part is also an operand, as with
// pmem.*.log*, it is left out of the list. An operand that is no file, or a folder without logs,
// stays in the list. Whoever reads it reports the error.
char **input_paths(char **operands);

// Does the same as input_paths(), for the folders where the library writes by default: the current
// folder and PMEM_LOG_FALLBACK_DIR.
char **input_usual_paths(void);

// Returns the mode for a file that is made from these logs. Other users may read the file only if
// they may read all the logs.
mode_t input_mode(char **paths);

// Returns true if the path is a regular file. Returns false for folders, pipes and standard input.
// Pipes and standard input can be read only once.
bool input_is_file(const char *path, struct stat *status);

// input_vouch() records that a log was found by searching for a process's log. The process runs, or
// ran, as the user who owns the log. So reading the log causes no warning about the owner.
// input_is_vouched() returns true for a log that was recorded.
void input_vouch(const char *path);
bool input_is_vouched(const char *path);

// Returns true if the log was found in a folder or by its process, and was not itself an operand.
bool input_is_found(const char *path);

// Returns true if `file` is read when these logs are read. `file` may be a log, a rotated piece,
// the other part of a continued log, or standard input.
bool input_have(char **paths, const char *file);

// Ends the process with EXIT_USAGE if `output`, the file of -o, would be read. Log and output would
// both be destroyed. Also refuses a log that will be left out as a duplicate. `output` may be NULL.
void input_refuse_output(char **paths, const char *output, const char *subcommand);

// unpack: reads a packed file by running the program for its ending: gzip for .gz, zstd for .zst.
//
// The program runs as a child, without a shell and without LD_PRELOAD, and the file is its standard
// input. Each file needs a child of its own.

// File name endings of packed files, such as ".gz"; NULL comes last.
extern const char *const unpack_endings[];

bool unpack_is_packed(const char *path);

// Returns true if the program that unpacks this file is installed. Otherwise prints a warning.
bool unpack_can(const char *path);

// Starts to unpack the file that is open as `fd`, and takes over `fd`. Returns a descriptor from
// which the unpacked text can be read, or -1 after a warning.
int unpack_start(const char *path, int fd, pid_t *child);

// Waits for the child to end; with kill_it, kills the child first. Returns false after a warning if
// the file was damaged. With kill_it always returns true.
bool unpack_end(const char *path, pid_t child, bool kill_it);

#endif
