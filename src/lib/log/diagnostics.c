// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <stdint.h>

#include "format.h"
#include "base/sys.h"
#include "base/tag.h"
#include "base/text.h"
#include "base/table.h"
#include "heap/real.h"
#include "elf/module.h"
#include "base/snapshot_lock.h"
#include "threads/thread.h"
#include "sources/source.h"
#include "log/rss.h"
#include "log/lines.h"
#include "language/interpreter_boundary.h"
#include "log/bypass.h"
#include "log/diagnostics.h"

// When note_frames() last wrote its note, new stacks were shortened by this step (source_step()). 0
// if it has written no note.
static SYS_FORK_PAGE uint32_t told_step;
// The advice that note_language() wrote last, or NULL.
static SYS_FORK_PAGE const char *told_language;
static SYS_FORK_PAGE bool told_check; // true once the note about the first failed check was written

// Writes the name of the object in which the function lies.
static void
write_owner(struct text *text, uintptr_t function)
{
	const struct module *module = module_get(module_find(function));
	if (module)
		text_bytes(text, module->name, module->name_length);
	else
		text_string(text, "an unknown object");
}

// Makes the text the process's own note: writes it now, and has it written again after each later
// header.
static void
write_own(struct process *process, struct text *text)
{
	text->bytes[text->length] = '\0';
	process->note = text->bytes;
	lines_write_note(process, process->note);
}

// Does the same as write_own(), for a thread that does not hold the snapshot lock. If another
// thread is writing a snapshot, waits for that thread, for a second at most.
static void
write_own_locked(struct process *process, struct text *text)
{
	uint64_t mask = sys_hold_signals();
	if (snapshot_lock_take(thread_kernel_id(), true)) {
		write_own(process, text);
		snapshot_lock_release();
	}
	sys_let_signals(mask);
}

void
diagnostics_before(struct process *process)
{
	static char bytes[MODULE_NAME_MAX + 200];
	struct text text = {.bytes = bytes, .size = sizeof(bytes) - 1};

	text_string(&text, "malloc is that of ");
	write_owner(&text, real.before);
	text_string(&text, ", which stands before libpmem.so: nothing is recorded but what it hands "
			   "on; if that is a preload, name libpmem.so before it");
	write_own_locked(process, &text);
}

void
diagnostics_refusal(struct process *process)
{
	static char bytes[MODULE_NAME_MAX + 200];
	struct text text = {.bytes = bytes, .size = sizeof(bytes) - 1};

	text_string(&text, "the malloc beneath is that of ");
	write_owner(&text, real.beneath);
	text_string(&text, real.refusal == REAL_CHECKS_BLOCKS
			? ", which looks for writes behind its blocks, where a tag would be: "
			: ", which does not tell the size of its blocks: ");
	text_string(&text, "nothing is recorded");
	write_own_locked(process, &text);
}

void
diagnostics_end(struct process *process)
{
	static char bytes[120];
	struct text text = {.bytes = bytes, .size = sizeof(bytes) - 1};
	struct rss rss;

	// No note is written in a forked child. Without the kernel's number of resident bytes no note
	// is written, either.
	rss_look(&rss);
	if (!rss.known || process->forked_from != 0)
		return;
	text_string(&text, "at exit: rss=");
	text_number(&text, rss.bytes);
	text_string(&text, " file=");
	text_number(&text, rss.file);
	text_string(&text, ", and nothing is known of what holds it");
	write_own(process, &text);
}

void
diagnostics_sandbox(const struct process *process)
{
	lines_write_note(process,
		"the program enters a sandbox (seccomp) that lets nothing be written here: the log ends");
}

static void
note_frames(struct process *process)
{
	static char bytes[240];
	struct text text = {.bytes = bytes, .size = sizeof(bytes) - 1};
	uint32_t step = source_step(0);
	uint32_t more = 1u << TAG_SOURCE_BITS;

	if (PMEM_SOURCES < more / 4)
		more = 4 * PMEM_SOURCES;
	if (step == told_step || step < SOURCE_CUTS)
		return;
	text_string(&text, FORMAT_CALLERS "a new stack keeps its ");
	text_number(&text, source_frames(step));
	text_string(&text, source_lines(step) > 0 ? " innermost frames, or its innermost line"
		: " innermost frames");
	text_named(&text, ", since ", PMEM_SOURCES);
	text_string(&text, " sources are too few; build with CFLAGS=-DPMEM_SOURCES=");
	text_number(&text, more);
	bytes[text.length] = '\0';
	told_step = step;
	process->table_note = bytes;
	lines_write_note(process, bytes);
}

static void
note_language(struct process *process)
{
	interpreter_boundary_look();
	const char *advice = interpreter_boundary_advice();

	if (!advice || advice == told_language)
		return;
	told_language = advice;
	if (!process->note)
		process->note = advice;
	lines_write_note(process, advice);
}

static void
note_bypass(struct process *process)
{
	static TABLE_STATIC char bytes[BYPASS_NAMES_MAX * (BYPASS_NAME_BYTES + 2) + 200];
	struct text text = {.bytes = bytes, .size = sizeof(bytes) - 1};

	if (!bypass_look())
		return;
	text_string(&text, FORMAT_PAST);
	bypass_write(&text);
	text_string(&text, FORMAT_PAST_END);
	bytes[text.length] = '\0';
	process->bypass_note = bytes;
	lines_write_note(process, bytes);
}

static void
note_check(struct process *process)
{
	char bytes[320];
	struct text text = {.bytes = bytes, .size = sizeof(bytes) - 1};
	int line;
	const char *file = check_first(&line);

	if (!file || told_check)
		return;
	told_check = true;
	text_string(&text, "a check failed at ");
	text_escaped(&text, file, 256);
	text_named(&text, ":", (uint64_t)line);
	bytes[text.length] = '\0';
	lines_write_note(process, bytes);
}

void
diagnostics_due(struct process *process)
{
	note_frames(process);
	note_language(process);
	note_bypass(process);
	if (PMEM_CHECK)
		note_check(process);
}

void
diagnostics_fork(void)
{
	told_step = 0;
	told_language = NULL;
	told_check = false;
}
