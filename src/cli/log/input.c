// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format.h"
#include "base/assert.h"
#include "base/budget.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/message.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/input.h"

enum {
	READ_BYTES = 256 * 1024,
	TOLD_MAX = 10,
};

struct piece {
	char *path;
	int fd;
	struct stat status;
	bool is_packed; // true for a packed file until it is first read, when unpacking begins
	pid_t child;    // the child process that unpacks the piece; 0 if not running
	uint64_t unpacked; // bytes unpacked from this piece so far
};

struct input {
	// the newest piece is first in the array, and is read last
	struct piece pieces[INPUT_PIECES_MAX];
	int count;
	int now; // index of the piece that is being read
	uint64_t line;
	unsigned complaints;
	uint64_t bytes, of;
	bool begins_piece;
	bool skips; // true while the rest of a too long line is skipped
	char *buffer;
	size_t room;
	size_t start, end; // the bytes in the buffer that were not yet returned as lines
	size_t seen;       // how many bytes from `start` on are known to contain no newline
};

static bool
is_open(const struct input *input, const struct stat *status)
{
	for (int i = 0; i < input->count; i++)
		if (stat_is_same(&input->pieces[i].status, status))
			return true;
	return false;
}

// Warns that somebody else may have written a log. Everyone may write the file, or another user
// owns it in a folder where everyone may create files. The second warning comes once for each
// owner. A folder that only its owner can write needs no warning.
static void
tell_owner(const char *path, const struct stat *status)
{
	static struct intern told;
	uid_t owner = status->st_uid;
	bool is_new = false;

	if (message_is_quiet || !S_ISREG(status->st_mode))
		return;
	if (file_is_writable_by_all(status))
		warn("%s: anybody can write to it (mode %o)", path, (unsigned)status->st_mode & 07777);
	if (owner == 0 || owner == geteuid() || !file_is_in_open_folder(path))
		return;
	intern_number(&told, &owner, sizeof(owner), &is_new);
	if (!is_new || input_is_vouched(path))
		return;
	char *writer = memory_text(file_user(owner), strlen(file_user(owner)));
	warn("%s: is read, though written by %s, not by %s, in a folder where anybody can write", path,
		writer, file_user(geteuid()));
	free(writer);
}

// Opens a file or a pipe and adds it as a piece. If that fails, returns false and sets errno.
static bool
add_piece(struct input *input, const char *path, enum path_from from)
{
	errno = ENOENT;
	if (input->count == INPUT_PIECES_MAX)
		return false;
	struct stat status;
	struct piece piece = {.fd = file_open(path, from, &status)};
	if (piece.fd < 0)
		return false;
	piece.status = status;
	// If the log is rotated between two of our calls, one file is found under two names. That file
	// is read once.
	if (is_open(input, &piece.status)) {
		close(piece.fd);
		return true;
	}
	tell_owner(path, &piece.status);
	piece.path = memory_text(path, strlen(path));
	piece.is_packed = S_ISREG(piece.status.st_mode) && unpack_is_packed(path);
	if (S_ISREG(piece.status.st_mode) && !piece.is_packed)
		input->of += (uint64_t)piece.status.st_size;
	input->pieces[input->count++] = piece;
	return true;
}

char *
input_piece_path(const char *path, int number)
{
	char *plain = memory_format("%s.%d", path, number);

	for (int i = 0; unpack_endings[i] && access(plain, F_OK) != 0; i++) {
		char *packed = memory_format("%s%s", plain, unpack_endings[i]);
		if (access(packed, F_OK) == 0) {
			free(plain);
			return packed;
		}
		free(packed);
	}
	return plain;
}

// Adds .log.1, .log.2, ... beside a log. If the path is a rotated piece, no files are found, and
// the piece is read alone.
static void
add_rotated(struct input *input, const char *path)
{
	bool is_there = true;
	for (int i = 1; i < INPUT_PIECES_MAX && is_there; i++) {
		char *name = input_piece_path(path, i);
		is_there = add_piece(input, name, PATH_FOUND);
		if (!is_there && errno != ENOENT)
			warn("%s: %s", name, file_why(errno));
		free(name);
	}
}

static void
add_place(struct input *input, char *path)
{
	if (path && add_piece(input, path, PATH_FOUND))
		add_rotated(input, path);
	free(path);
}

// Adds a log with its rotated pieces, and the log's other parts if it was continued in another
// place.
static bool
add_log(struct input *input, const char *path)
{
	add_place(input, input_place_behind(path));
	int own = input->count;
	if (!add_piece(input, path, input_is_found(path) ? PATH_FOUND : PATH_NAMED))
		return false;
	// A FIFO has no rotated pieces.
	if (own < input->count && S_ISREG(input->pieces[own].status.st_mode))
		add_rotated(input, path);
	add_place(input, input_place_before(path));
	return true;
}

struct input *
input_open(const char *path)
{
	struct input *input = memory_get(1, sizeof(*input));
	input->buffer = memory_room(NULL, READ_BYTES, &input->room, 1);

	if (strcmp(path, "-") == 0) {
		input->pieces[0] = (struct piece){.path = memory_text("standard input", 14)};
		input->count = 1;
		if (fstat(0, &input->pieces[0].status) == 0 && S_ISREG(input->pieces[0].status.st_mode))
			input->of = (uint64_t)input->pieces[0].status.st_size;
	} else if (unpack_is_packed(path) && access(path, F_OK) == 0 && !unpack_can(path)) {
		input_close(input);
		return NULL;
	} else if (!add_log(input, path)) {
		warn("%s: %s", path, errno == ENOENT && strpbrk(path, "*?[") ? "no log has such a name here, where "
			"the shell looked: name the folder of the logs"
			: errno == EISDIR ? "no log in this folder: expected pmem.PID.log"
			: file_why(errno));
		input_close(input);
		return NULL;
	}
	ASSERT(input->count > 0);
	input->now = input->count - 1;
	input->begins_piece = true;
	return input;
}

// Makes room in the buffer, after the bytes that were not yet returned as lines.
static void
make_room(struct input *input)
{
	if (input->start > 0) {
		memmove(input->buffer, input->buffer + input->start, input->end - input->start);
		input->end -= input->start;
		input->start = 0;
	}
	// Room for two bytes: one to read, and one because give() writes a '\0' after a line's last
	// byte.
	input->buffer = memory_room(input->buffer, input->end + 2, &input->room, 1);
}

// Starts the child process that unpacks the piece, if the piece is packed and no child was started
// yet. Returns false if the piece cannot be read.
static bool
begin_unpacking(struct input *input, struct piece *piece)
{
	if (!piece->is_packed)
		return piece->fd >= 0;
	piece->is_packed = false;
	piece->fd = unpack_start(piece->path, piece->fd, &piece->child);
	input->complaints += piece->fd < 0;
	return piece->fd >= 0;
}

// Reads more bytes of the current piece of the log. Returns false at the piece's end.
static bool
read_piece(struct input *input)
{
	struct piece *piece = &input->pieces[input->now];
	ssize_t got;

	if (!begin_unpacking(input, piece))
		return false;
	make_room(input);
	// While a too long line is skipped, holes of a sparse file can be skipped, too. A hole has no
	// newline.
	if (input->skips && S_ISREG(piece->status.st_mode) && piece->child == 0)
		file_pass_hole(piece->fd);
	ASSERT(input->end + 1 < input->room);
	do
		got = read(piece->fd, input->buffer + input->end, input->room - input->end - 1);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		warn("%s:", piece->path);
	if (got <= 0 && piece->child > 0) {
		input->complaints += !unpack_end(piece->path, piece->child, false);
		piece->child = 0;
	}
	if (got <= 0)
		return false;
	input->end += (size_t)got;
	input->bytes += (uint64_t)got;
	piece->unpacked += piece->child > 0 ? (uint64_t)got : 0;
	if (piece->unpacked <= BUDGET_UNPACKED_BYTES)
		return true;
	input_complain(input, "it holds more than %llu GiB: the rest is left out",
		BUDGET_UNPACKED_BYTES >> 30);
	unpack_end(piece->path, piece->child, true);
	close(piece->fd);
	piece->child = 0;
	piece->fd = -1;
	return false;
}

// Reads more bytes. If a piece has ended, goes on with the next newer one. Returns false at the end
// of the newest piece.
static bool
read_more(struct input *input)
{
	while (!read_piece(input)) {
		if (input->now == 0)
			return false;
		// If a piece does not end with a newline, its last line was cut off and is dropped.
		input->now--;
		input->line = 0;
		input->start = input->end = input->seen = 0;
		input->begins_piece = true;
		input->skips = false;
	}
	return true;
}

// Returns true if something can be read without waiting.
static bool
has_more(const struct input *input)
{
	const struct piece *piece = &input->pieces[input->now];
	struct pollfd poll_fd = {.fd = piece->fd, .events = POLLIN};
	return S_ISREG(piece->status.st_mode) || poll(&poll_fd, 1, 0) > 0;
}

// Returns true if a header begins at input->start + bytes.
static bool
header_follows(struct input *input, size_t bytes)
{
	size_t length = strlen(FORMAT_HEADER);
	while (input->end - input->start < bytes + length)
		if (!has_more(input) || !read_piece(input))
			return false;
	// Called for each line, so the first byte is compared first.
	if (input->buffer[input->start + bytes] != FORMAT_HEADER[0])
		return false;
	return memcmp(input->buffer + input->start + bytes, FORMAT_HEADER, length) == 0;
}

static void
give(struct input *input, struct raw_line *line, size_t length, bool cut)
{
	ASSERT(length < input->end - input->start);
	line->text = input->buffer + input->start;
	line->text[length] = '\0';
	line->length = length;
	line->cut = cut;
	line->before_header = false;
	line->begins_piece = input->begins_piece;
	input->begins_piece = false;
	input->seen = 0;
	input->line += !input->skips;
}

bool
input_next(struct input *input, struct raw_line *line)
{
	for (;;) {
		char *from = input->buffer + input->start;
		char *newline = memchr(from + input->seen, '\n', input->end - input->start - input->seen);
		if (newline) {
			size_t length = (size_t)(newline - from);
			bool was_skipped = input->skips;
			input->skips = false;
			bool before_header = header_follows(input, length + 1);
			if (!was_skipped)
				give(input, line, length, false);
			line->before_header = before_header;
			input->start += length + 1;
			input->seen = 0;
			if (!was_skipped)
				return true;
			continue;
		}
		input->seen = input->end - input->start;
		if (input->seen >= INPUT_LINE_MAX) {
			bool was_skipped = input->skips;
			if (!was_skipped)
				give(input, line, INPUT_LINE_MAX - 1, true);
			input->start = input->end;
			input->seen = 0;
			input->skips = true;
			if (!was_skipped)
				return true;
			continue;
		}
		if (!read_more(input))
			return false;
	}
}

void
input_complain(struct input *input, const char *format, ...)
{
	char text[512];
	va_list arguments;

	if (input->complaints++ >= TOLD_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	warn("%s:%" PRIu64 ": %s%s", input->pieces[input->now].path, input->line, text,
		input->complaints == TOLD_MAX ? "; more like this is not told" : "");
}

bool
input_is_good(const struct input *input)
{
	return input->complaints == 0;
}

uint64_t
input_bytes(const struct input *input, uint64_t *of)
{
	*of = input->of;
	return input->bytes;
}

void
input_close(struct input *input)
{
	for (int i = 0; i < input->count; i++) {
		if (input->pieces[i].fd > 0)
			close(input->pieces[i].fd);
		if (input->pieces[i].child > 0)
			unpack_end(input->pieces[i].path, input->pieces[i].child, true);
		free(input->pieces[i].path);
	}
	free(input->buffer);
	free(input);
}
