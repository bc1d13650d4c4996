// file: one file that is opened by its path for a moment, and provably the one meant: the
// log, to write to it, and those of /proc, to read them.
//
// Who may call: the one thread that writes a block; a fork's child. Never allocates, waits
// for nobody, keeps errno, is no cancellation point.
//
// Other threads may close every descriptor of the process at any moment, and open files of
// their own, which then have our numbers. So a descriptor is looked at before each use: the
// flags it was opened with, device and inode must be the file's. Between that look and the
// use lie two adjacent system calls; the kernel offers nothing that would close this gap.

#ifndef PMEM_FILE_H
#define PMEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct text;

struct file {
	int fd;          // -1: not open
	int low;         // where the kernel put it at first; -1: no longer open
	struct stat now; // as it was at the last look
};

enum file_result {
	FILE_OPEN,    // and locked
	FILE_BUSY,    // held by another process, or lost on the way: the next try may do
	FILE_FAILED,  // for want of something, for a while perhaps
	FILE_REFUSED, // what stands there is not to be written, or cannot be: `refusal` says why
};

// Why: words, a number where there is one, words.
struct refusal {
	const char *before;
	bool has_number;
	unsigned long number;
	const char *after;
};

// Opens it for appending, makes it at need, and locks it against other processes that write
// the same log. Only a regular file with one link that belongs to us is opened.
enum file_result file_open(struct file *file, const char *path, struct refusal *refusal);

// Whether the descriptor still is the file; looks at it anew.
bool file_is_ours(struct file *file);

// Unlocks and closes it, if it still is ours.
void file_close(struct file *file);

// Closes what another thread left open: one that does not exist in this fork's child, or
// ended in the middle.
void file_drop(struct file *file, const char *path);

// Reads the beginning of a file that the kernel makes up as it is read, and closes it. How many
// bytes; negative: none, or perhaps another's. Meanwhile `low` is open.
long file_peek(struct file *file, const char *path, char *bytes, size_t size);

// Closes what another thread left open in it, as file_drop().
void file_drop_peek(struct file *file, const char *path);

void refusal_write(struct text *text, const struct refusal *refusal);

#endif
