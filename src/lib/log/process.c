// SPDX-License-Identifier: BSD-2-Clause
// process: the order in which all modules start, fork and end. Only the loader and the C library
// call functions of this file.

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/start_stack.h"
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
	// The thread may have forked in a signal handler that interrupted a hook. Then the guard is
	// taken already, and guard_enter() returns false. In any case the guard is taken from here on.
	// So a signal handler that interrupts this function writes no snapshot, which would go to the
	// parent's log.
	int kept = errno;
	bool entered = guard_enter(GUARD_CFA);
	sys_fork();
	loader_fork();
	stack_fork();
	// Another library's fork handler may have run before this one and made a snapshot due. Then
	// snapshot.c has already made this process independent of its parent, with a slot for this
	// thread. In that case fork_detect_claim() returns false here, and nothing is left to do. But an
	// emulator such as qemu-user says that it will wipe a page, and does not.
	if (fork_detect_claim() || !fork_detect_can_tell() || thread_process_is_another()) {
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
		guard_take_over(GUARD_CFA);
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

// Sets our handler of PMEM_SNAPSHOT_SIGNAL only if the signal still has its default action. The
// program may set a handler of its own later.
static void
take_signal(void)
{
	struct sigaction now;
	// SA_ONSTACK: the signal may interrupt code whose stack is too small for a handler.
	struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};

	if (PMEM_SNAPSHOT_SIGNAL && libc.sigaction(PMEM_SNAPSHOT_SIGNAL, NULL, &now) == 0
		&& now.sa_handler == SIG_DFL)
		libc.sigaction(PMEM_SNAPSHOT_SIGNAL, &ours, NULL);
}

// The first address after our library; the linker defines it. The library's small tables lie right
// before this address (table.h).
extern char _end[] __attribute__((visibility("hidden")));

// Maps the pages of the small tables ready for writing; their number is PAGES. Each process reads
// these pages, and later writes to them. Each page would cost one page fault at the first read, and
// another at the first write. One call (MADV_POPULATE_WRITE, Linux 5.14) replaces all these faults.
static void
take_small_pages(void)
{
	enum { PAGE = 4096, PAGES = 6, POPULATE_WRITE = 23 };
	uintptr_t end = (uintptr_t)_end;
	uintptr_t from = (end - 1 - (PAGES - 1) * PAGE) & -(uintptr_t)PAGE;
	sys_call3(SYS_madvise, (long)from, (long)(end - from), POPULATE_WRITE);
}

// Maps pages without access, a gap, right after our own tables. Without the gap, the kernel might
// place a large block of the program right after our tables. If the program then wrote before the
// start of that block, our tables would be damaged. Because of the gap, the write faults, as it
// would without the library. The call fails if something is mapped at this place already: then the
// kernel cannot place a block there, either.
static void
end_in_a_gap(void)
{
	enum { GAP_BYTES = 1 << 16, NOREPLACE = 0x100000 };
	uintptr_t page = sys_page_bytes();
	uintptr_t end = ((uintptr_t)_end + page - 1) & -page;
	sys_call6(SYS_mmap, (long)end, GAP_BYTES, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | NOREPLACE, -1, 0);
}

// musl calls exit handlers before all destructors. Objects that were initialized later are destructed
// before ours. So on musl this destructor writes the last snapshot.
static bool ends_by_destructor;

static __attribute__((destructor)) void
end(void)
{
	if (ends_by_destructor)
		at_exit(NULL);
}

static void
handle_forks_and_exit(void)
{
	if (libc.musl_list) {
		// musl allocates here, by malloc(). Another library's malloc() may not be ready yet.
		if (!real.before)
			libc.pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
		ends_by_destructor = true;
		return;
	}
	// `_end` stands for the object to which the handlers belong (__dso_handle, Itanium C++ ABI,
	// 3.3.5.2). When an object is unloaded, its handlers are dropped. Our library is never unloaded
	// (compile.sh).
	libc.register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, _end);
	// exit() calls handlers in the reverse order of their registration. at_exit() is registered
	// before the loader's own handler, and for no object (NULL). So at_exit() runs after all
	// destructors. Blocks that destructors free are not live in the last snapshot.
	libc.cxa_atexit(at_exit, NULL, NULL);
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

	if (libc.musl_list) {
		count = start_stack.count;
		arguments = start_stack.arguments;
		environment = start_stack.environment;
	}

	// Each of these calls relies on the calls before it. After snapshot_start(), snapshots can be
	// written.
	operator_start();
	module_start();
	thread_start();
	stack_start();
	interpreter_boundary_start(environment);
	handle_forks_and_exit();
	take_signal();
	process_title_start(count, arguments);
	bypass_start();
	snapshot_start();
	__atomic_store_n(&real_refused, snapshot_refuse, __ATOMIC_RELEASE);
	// If recording was refused before real_refused was set, snapshot_refuse() was not called yet.
	if (real.refusal != REAL_NOT_REFUSED)
		snapshot_refuse();
	else if (real.before)
		snapshot_note_before();
	loader_ask();
	guard_leave();
	errno = kept;
}
