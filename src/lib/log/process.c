// SPDX-License-Identifier: BSD-2-Clause
// The order in which everything starts, forks and ends. Nobody calls in here but the loader
// and the C library.

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
	// The forking thread is outside our hooks, or in a handler that interrupted one. A handler
	// that interrupts us here finds the guard: it must not write to the parent's log.
	int kept = errno;
	bool entered = guard_enter((uintptr_t)__builtin_dwarf_cfa());
	sys_fork();
	loader_fork();
	stack_fork();
	// Another's fork handler, which ran before ours, may have made a snapshot due: then the rest
	// has been done, and this thread counts in a slot of its own.
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

// Only where the program has not set a handler, and it may still set its own later.
static void
take_signal(void)
{
	struct sigaction now;
	// What the signal interrupts may stand on a stack too small for it.
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};

	if (PMEM_SNAPSHOT_SIGNAL && libc.sigaction(PMEM_SNAPSHOT_SIGNAL, NULL, &now) == 0
		&& now.sa_handler == SIG_DFL)
		libc.sigaction(PMEM_SNAPSHOT_SIGNAL, &ours, NULL);
}

// Our library's end, as linkers name it. What is small lies before it (table.h).
extern char _end[] __attribute__((visibility("hidden")));

// Each process writes to these pages, and mostly reads them before: one call, where there is such a
// one (Linux 5.14), for two faults each. PAGES is what all that is small takes.
static void
take_small_pages(void)
{
	enum { PAGE = 4096, PAGES = 4, POPULATE_WRITE = 23 };
	uintptr_t end = (uintptr_t)_end;
	uintptr_t from = (end - 1 - (PAGES - 1) * PAGE) & -(uintptr_t)PAGE;
	sys_call3(SYS_madvise, (long)from, (long)(end - from), POPULATE_WRITE);
}

// A large block of the program's may come to lie right above our own tables: whoever writes before it
// faults, as without us. Where something is there already none can.
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

	// What comes first is what the next needs; snapshots can be written from the end on.
	operator_start();
	module_start();
	thread_start();
	stack_start();
	interpreter_boundary_start(environment);
	// They belong to an object (Itanium C++ ABI, 3.3.5.2) that is never unloaded (compile.sh).
	libc.register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, _end);
	// exit() runs them in the reverse order. Registered before the loader registers its own and
	// without an object to belong to, it runs after all destructors: what they free is not in
	// the last snapshot.
	libc.cxa_atexit(at_exit, NULL, NULL);
	take_signal();
	process_title_start(count, arguments);
	bypass_start();
	snapshot_start();
	__atomic_store_n(&real_refused, snapshot_refuse, __ATOMIC_RELEASE);
	// It was a block that somebody got before.
	if (real.refusal != REAL_NOT_REFUSED)
		snapshot_refuse();
	else if (real.before)
		snapshot_note_before();
	loader_ask();
	guard_leave();
	errno = kept;
}
