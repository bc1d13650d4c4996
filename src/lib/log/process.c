// SPDX-License-Identifier: BSD-2-Clause
// process: the order in which all modules start, fork and end. Only the loader and the C library
// call functions of this file.

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/guard.h"
#include "base/loss.h"
#include "base/fork_detect.h"
#include "elf/loader.h"
#include "heap/next_symbol.h"
#include "heap/real.h"
#include "heap/allocator.h"
#include "elf/module.h"
#include "threads/thread.h"
#include "heap/sample.h"
#include "stacks/operator.h"
#include "stacks/stack.h"
#include "language/interpreter_boundary.h"
#include "sources/churn.h"
#include "log/process_title.h"
#include "log/bypass.h"
#include "log/snapshot.h"

static void
before_fork(void)
{
	stack_before_fork();
	loader_before_fork();
}

static void
after_fork_in_parent(void)
{
	loader_after_fork();
}

static void
after_fork_in_child(void)
{
	// The forking thread is outside our hooks, or in a handler that interrupted one. A handler that
	// interrupts us here finds the guard taken, so it cannot write to the parent's log.
	int kept = errno;
	bool entered = guard_enter((uintptr_t)__builtin_dwarf_cfa());
	sys_fork();
	loader_fork();
	stack_fork();
	// A fork handler of another library may have run first and made a snapshot due. Then snapshot.c
	// has already made this process a child of its own, and this thread has a slot.
	if (fork_detect_claim() || !fork_detect_can_tell()) {
		thread_fork(!entered);
		sample_fork();
		loss_fork();
		churn_fork();
		snapshot_fork();
	}
	if (entered)
		guard_leave();
	errno = kept;
}

static void
at_exit(void *unused)
{
	(void)unused;
	int kept = errno;
	if (PMEM_SNAPSHOT_AT_EXIT) {
		guard_take_over((uintptr_t)__builtin_dwarf_cfa());
		snapshot_take(SNAPSHOT_EXIT);
		guard_leave();
	}
	errno = kept;
}

static void
on_signal(int number)
{
	(void)number;
	__atomic_store_n(&churn_asked, true, __ATOMIC_RELAXED);
}

// Sets our handler only if the program has set none. The program may still set its own later.
static void
take_signal(void)
{
	struct sigaction now;
	// The signal may interrupt code whose stack is too small for a handler.
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};

	if (PMEM_SNAPSHOT_SIGNAL && libc.sigaction(PMEM_SNAPSHOT_SIGNAL, NULL, &now) == 0
		&& now.sa_handler == SIG_DFL)
		libc.sigaction(PMEM_SNAPSHOT_SIGNAL, &ours, NULL);
}

// The end of our library, as linkers name it. Small tables lie before it (table.h).
extern char _end[] __attribute__((visibility("hidden")));

// Maps the pages of the small tables before they are used. Each process writes to them, and usually
// reads them before. One call (Linux 5.14) replaces two faults for each page. PAGES is their
// number.
static void
take_small_pages(void)
{
	enum { PAGE = 4096, PAGES = 4, POPULATE_WRITE = 23 };
	uintptr_t end = (uintptr_t)_end;
	uintptr_t from = (end - 1 - (PAGES - 1) * PAGE) & -(uintptr_t)PAGE;
	sys_call3(SYS_madvise, (long)from, (long)(end - from), POPULATE_WRITE);
}

// Maps a gap without access right above our own tables. A large block of the program might
// otherwise lie there. A write before that block then faults, as it would without us. If something
// is mapped there already, no block can lie there.
static void
end_in_a_gap(void)
{
	enum { GAP_BYTES = 1 << 16, NOREPLACE = 0x100000 };
	uintptr_t page = sys_page_bytes();
	uintptr_t end = ((uintptr_t)_end + page - 1) & -page;
	sys_call6(SYS_mmap, (long)end, GAP_BYTES, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | NOREPLACE, -1, 0);
}

static __attribute__((constructor)) void
start(int count, char **arguments, char **environment)
{
	take_small_pages();
	end_in_a_gap();
	int kept = errno;
	if (real_state() == REAL_NEW)
		allocator_start();
	if (!next_symbol_is_ready())
		next_symbol_start();
	if ((!real_is_on() && real.refusal == REAL_NOT_REFUSED) || !guard_enter_internal())
		return;

	// Each call needs the calls before it. From snapshot_start() on snapshots can be written.
	operator_start();
	module_start();
	thread_start();
	stack_start();
	interpreter_boundary_start(environment);
	// The handlers belong to an object (Itanium C++ ABI, 3.3.5.2) that is never unloaded
	// (compile.sh).
	libc.register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, _end);
	// exit() calls handlers in reverse order. This handler is registered before the loader's own,
	// and belongs to no object. So it runs after all destructors: what they free is not in the last
	// snapshot.
	libc.cxa_atexit(at_exit, NULL, NULL);
	take_signal();
	process_title_start(count, arguments);
	bypass_start();
	snapshot_start();
	__atomic_store_n(&real_refused, snapshot_refuse, __ATOMIC_RELEASE);
	// A block may have been refused before real_refused was set.
	if (real.refusal != REAL_NOT_REFUSED)
		snapshot_refuse();
	else if (real.before)
		snapshot_note_before();
	loader_ask();
	guard_leave();
	errno = kept;
}
