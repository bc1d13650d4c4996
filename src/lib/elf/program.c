// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/table.h"
#include "elf/program.h"

static TABLE_STATIC char program[PATH_MAX]; // the path once it is known; "" if it cannot be found

// Reads a symbolic link into program[]. Returns the path's length, or 0 if the kernel does not tell
// the path.
static size_t
read_link(const char *name, size_t bytes)
{
	long length = sys_call4(SYS_readlinkat, AT_FDCWD, (long)name, (long)program, (long)bytes);
	return length > 0 ? (size_t)length : 0;
}

// Sets program[] to the path of the program. Mostly that is the file that the kernel executed
// (/proc/self/exe). But the user may have run the loader, with the program as its argument. Then
// the kernel has mapped no other loader, and AT_BASE is 0. In this case `given` is the program's
// path as the user gave it, perhaps relative to the working directory. If several threads call this
// function at once, all write the same path.
static void
know_path(const char *given)
{
	size_t at = 0;

	if (libc.getauxval(AT_BASE) != 0 || !given) {
		read_link("/proc/self/exe", PATH_MAX - 1);
		return;
	}
	if (given[0] != '/') {
		at = read_link("/proc/self/cwd", PATH_MAX - 2);
		if (at == 0)
			return;
		program[at++] = '/';
	}
	while (*given && at < PATH_MAX - 1)
		program[at++] = *given++;
}

// Finds the path only when it is first needed, since the first access to /proc takes the kernel
// long.
const char *
program_path(void)
{
	static bool asked; // written with release
	const char *given = libc_program_given();

	if (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
		know_path(given);
		__atomic_store_n(&asked, true, __ATOMIC_RELEASE);
	}
	if (program[0])
		return program;
	// If the path was not found, the path that the kernel was given is used, if it is absolute.
	return given && given[0] == '/' ? given : "(program)";
}
