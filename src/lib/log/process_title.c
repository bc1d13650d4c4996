// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "format.h"
#include "base/sys.h"
#include "base/libc.h"
#include "base/text.h"
#include "base/file.h"
#include "log/process_title.h"

enum {
	COMMAND_MAX = 512, // upper bound of the command line's characters in the log
	NAME_MAX_ESCAPED = 64, // upper bound of the name's characters: the kernel's 15 bytes, escaped
	// At most this many bytes are copied from the command line. More than COMMAND_MAX, since NULs
	// may follow a title.
	AREA_MAX = 2 * COMMAND_MAX,
	// If the environment seems to be larger than this (bytes), its end is taken for wrong.
	APART_MAX = 64 << 20,
	PAGE_BYTES_LEAST = 4096,
	WORD_BYTES = 8, // how many bytes the kernel reads to check one address
	// After the program has named a thread, this many snapshots read the name. The first snapshot
	// may come too early, before the kernel has the new name.
	LOOKS = 2,
};

// The name of the process's first thread. The other threads have their own names.
static const char comm[] = "/proc/self/comm";

static struct {
	// The arguments, each with its NUL, lie from `start` to `end`. The environment follows, up to
	// `environment_end`. All three are 0 if the program was started without arguments.
	uintptr_t start;
	uintptr_t end;
	uintptr_t environment_end;
	unsigned count;  // number of arguments
	int looks;       // how many of the next snapshots must read the name; atomic
	char area[AREA_MAX + 1];
	// The command line and the name, escaped as in a log; "" if not known. The fields told_... have
	// the texts that were last written to the log.
	char command[COMMAND_MAX + 1], told_command[COMMAND_MAX + 1];
	char name[NAME_MAX_ESCAPED + 1], told_name[NAME_MAX_ESCAPED + 1];
} state;

static SYS_FORK_PAGE bool refused; // the name could not be read, so it is not read again

void
process_title_start(int count, char **arguments)
{
	if (count <= 0 || !arguments || !arguments[0] || arguments[count - 1] < arguments[0])
		return;
	const char *last = arguments[count - 1];
	state.start = (uintptr_t)arguments[0];
	state.end = (uintptr_t)last + strlen(last) + 1;
	state.count = (unsigned)count;
	// The kernel puts the program's path (AT_EXECFN) right after the environment.
	state.environment_end = libc.getauxval(AT_EXECFN);
	if (state.environment_end < state.end || state.environment_end - state.end > APART_MAX)
		state.environment_end = state.end;
}

void
process_title_renames(void)
{
	__atomic_store_n(&state.looks, LOOKS, __ATOMIC_RELAXED);
}

// Returns true if `bytes` bytes from `from` on can be read. Asks the kernel once for each page,
// except for the page of `known`, an address that can surely be read. In the first page the kernel
// is asked about `from`, not about the page's start. The stack lies before `from`, and valgrind's
// memcheck would report a read there.
static bool
is_readable(uintptr_t from, size_t bytes, uintptr_t known)
{
	uintptr_t at = from & -(uintptr_t)WORD_BYTES;
	for (; at < from + bytes; at = (at & -(uintptr_t)PAGE_BYTES_LEAST) + PAGE_BYTES_LEAST) {
		bool is_known = (at ^ known) < PAGE_BYTES_LEAST;
		if (!is_known && !sys_readable(at))
			return false;
	}
	return true;
}

// Copies the bytes from state.start to `end` into state.area, AREA_MAX at most. Returns how many
// bytes it has copied, or 0 if they cannot be read.
static size_t
copy_area(uintptr_t end, uintptr_t known)
{
	size_t bytes = end - state.start < AREA_MAX ? end - state.start : AREA_MAX;
	if (!is_readable(state.start, bytes, known))
		return 0;
	memcpy(state.area, (const void *)state.start, bytes);
	state.area[bytes] = '\0';
	return bytes;
}

// Returns how many bytes of state.area the log may have. If not all, these are the program's name
// (PMEM_LOG_COMMAND): the first argument, or the first word of a title.
static size_t
shown_bytes(size_t bytes, bool is_title)
{
	if (PMEM_LOG_COMMAND || bytes == 0)
		return bytes;
	const char *blank = memchr(state.area, ' ', strlen(state.area));
	return is_title && blank ? (size_t)(blank - state.area) : strlen(state.area);
}

// Copies the command line into state.area. Returns how many of its bytes the log shows, without the
// NUL at its end.
// Follows the kernel's own rule. If the arguments' last byte is no NUL, the program has written a
// title over the arguments. The title is one string, and may extend over the environment.
static size_t
read_command(void)
{
	uintptr_t last = state.end - 1;
	size_t ends = 0;

	if (!state.start || !is_readable(last, 1, 0))
		return 0;
	if (*(const volatile char *)last)
		return copy_area(state.environment_end, last) ? shown_bytes(strlen(state.area), true) : 0;
	size_t bytes = copy_area(state.end, last);
	for (size_t i = 0; i < bytes; i++)
		ends += state.area[i] == '\0';
	// If there are at most as many NULs as arguments, each NUL ends an argument. If there are more
	// NULs, the program has written a title that is shorter than its arguments. NULs after the
	// title are cut off.
	bool is_exact = bytes == state.end - state.start && ends <= state.count;
	// A title may end in as many NULs as there were arguments. A lone name may look the same: only the
	// name's first word is then shown.
	bool is_title = ends < state.count || strlen(state.area) + ends == bytes;
	if (is_exact && bytes > 0)
		return shown_bytes(bytes - 1, is_title);
	while (bytes > 0 && !state.area[bytes - 1])
		bytes--;
	return shown_bytes(bytes, true);
}

// Reads the command line. Returns true if it has changed since the last call.
static bool
look_at_command(void)
{
	static char command[COMMAND_MAX + 1];
	struct text text = {.bytes = command, .size = COMMAND_MAX};

	text_words(&text, state.area, read_command(), COMMAND_MAX);
	command[text.length] = '\0';
	if (strcmp(command, state.command) == 0)
		return false;
	memcpy(state.command, command, sizeof(command));
	return true;
}

static void
look_at_name(void)
{
	char name[32];
	struct text text = {.bytes = state.name, .size = NAME_MAX_ESCAPED};
	long length = refused ? -1 : file_peek(comm, name, sizeof(name) - 1);

	refused = refused || length == -EACCES || length == -EPERM || length == -ENOSYS;
	if (length <= 0 || name[length - 1] != '\n')
		return;
	name[length - 1] = '\0';
	text_word(&text, name, NAME_MAX_ESCAPED);
	state.name[text.length] = '\0';
}

void
process_title_look(bool with_name)
{
	int looks = __atomic_load_n(&state.looks, __ATOMIC_RELAXED);

	if (looks > 0)
		__atomic_compare_exchange_n(&state.looks, &looks, looks - 1, false, __ATOMIC_RELAXED,
			__ATOMIC_RELAXED);
	if (look_at_command() || with_name || looks > 0)
		look_at_name();
}

void
process_title_fork(void)
{
	refused = false;
}

void
process_title_write_name(struct text *text)
{
	memcpy(state.told_name, state.name, sizeof(state.name));
	if (!state.name[0])
		return;
	text_string(text, " comm=");
	text_string(text, state.name);
}

static void
write_line(struct text *text, const char *begin, const char *what)
{
	text_string(text, begin);
	text_string(text, what);
	text_string(text, "\n");
}

void
process_title_write(struct text *text)
{
	memcpy(state.told_command, state.command, sizeof(state.command));
	if (state.command[0])
		write_line(text, FORMAT_COMMAND, state.command);
}

bool
process_title_write_changes(struct text *text)
{
	bool other_command = state.command[0] && strcmp(state.command, state.told_command) != 0;
	bool other_name = state.name[0] && strcmp(state.name, state.told_name) != 0;

	if (other_command)
		process_title_write(text);
	if (other_name) {
		memcpy(state.told_name, state.name, sizeof(state.name));
		write_line(text, FORMAT_COMM, state.name);
	}
	return other_command || other_name;
}

void
process_title_forget(void)
{
	state.told_command[0] = '\0';
	state.told_name[0] = '\0';
}
