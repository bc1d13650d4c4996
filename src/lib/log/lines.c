// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/check.h"
#include "base/libc.h"
#include "base/table.h"
#include "format.h"
#include "version.h"
#include "base/loss.h"
#include "base/fork_detect.h"
#include "base/text.h"
#include "elf/program.h"
#include "elf/module.h"
#include "stacks/stack.h"
#include "stacks/script_line.h"
#include "sources/source.h"
#include "sources/mapping_table.h"
#include "sources/churn.h"
#include "sources/tally.h"
#include "heap/tag_table.h"
#include "heap/sample.h"
#include "names/jit_map.h"
#include "names/jit_name.h"
#include "names/symbol.h"
#include "log/process_id.h"
#include "log/process_title.h"
#include "log/gap.h"
#include "log/log.h"
#include "log/emitted.h"
#include "log/thread_table.h"
#include "sources/labelled_source.h"
#include "log/labels.h"
#include "language/language.h"
#include "log/lines.h"

enum {
	BUFFER_BYTES = 1 << 20, // nearly every snapshot fits, and goes out in one write
	// Upper bounds of bytes, names excluded. A number counts as 20 digits.
	HEADER_BYTES = 6600 + 4 * FORMAT_LABEL_BYTES,
	MODULE_LINE_BYTES = 128,
};

static TABLE_STATIC char first_bytes[TABLE_CHUNK_BYTES];

static struct {
	struct growing buffer; // grows up to BUFFER_BYTES
	bool writing; // true while a snapshot or a note is written
} state = {.buffer = {first_bytes, sizeof(first_bytes), false}};

static void
write_note(struct text *text, const char *note)
{
	if (note) {
		text_string(text, FORMAT_NOTE);
		text_string(text, note);
		text_string(text, "\n");
	}
}

static void
write_header(struct text *text, const struct process *process)
{
	const struct module *self = module_get(module_find((uintptr_t)&lines_write));

	text_named(text, FORMAT_HEADER, FORMAT_VERSION);
	text_named(text, " pid=", (uint64_t)process->pid);
	text_named(text, " ppid=", (uint64_t)process->ppid);
	text_string(text, " start=");
	text_time(text, process->start);
	text_string(text, " exe=");
	text_word(text, program_path(), MODULE_NAME_MAX);
	process_title_write_name(text);
	text_string(text, " version=" PMEM_VERSION);
	if (libc.musl_list)
		text_string(text, " libc=musl");
	if (!WALK_IS_BUILT)
		text_string(text, " stacks=backtrace");
	text_named(text, " frames=", PMEM_FRAMES);
	text_named(text, " sources=", PMEM_SOURCES);
	text_named(text, " threads=", PMEM_THREADS);
	text_named(text, " show=", PMEM_SHOW);
	text_named(text, " show_empty=", PMEM_SHOW_EMPTY);
	text_named(text, " show_threads=", PMEM_SHOW_THREADS);
	text_named(text, " hours=", PMEM_LOG_HOURS);
	text_named(text, " begin=", churn_begin_bytes());
	text_named(text, " first=", churn_first_bytes());
	text_named(text, " grown_ms=", CHURN_GROWN_MS);
	text_named(text, " rate=", PMEM_LOG_HOURS > 0 ? CHURN_HOUR_BYTES : 0);
	if (SAMPLE_IS_ON)
		text_named(text, " sampled=", PMEM_SAMPLE_BYTES);
	// The library's own image counts, too: it has the first part of each table, as static data.
	text_named(text, " memory_max=",
		(self ? self->end - self->start : 0) + SOURCE_BYTES_MAX + SYMBOL_BYTES_MAX
			+ JIT_NAME_BYTES_MAX + SCRIPT_LINE_BYTES_MAX + LANGUAGE_BYTES_MAX
			+ SNAPSHOT_SELECTION_BYTES_MAX + THREAD_TABLE_BYTES_MAX + MAPPING_TABLE_BYTES_MAX
			+ TABLE_GROWING_MAX(BUFFER_BYTES) + TALLY_BYTES_MAX + LABELLED_SOURCE_BYTES_MAX
			+ tag_table_bytes_max() + thread_bytes_max()
			+ (uint64_t)thread_slots_max() * WALK_BYTES + FORK_DETECT_BYTES_MAX);
	text_named(text, " log_max=", PMEM_LOG_MAX_BYTES);
	text_named(text, " log_keep=", PMEM_LOG_KEEP);
	process_id_write(text);
	text_string(text, " run=");
	text_hex(text, process->run, 16);
	text_string(text, "\n");
	if (process->forked_from) {
		text_named(text, FORMAT_FORKED "pid=", (uint64_t)process->forked_from);
		text_named(text, " snapshots=", process->forked_snapshots);
		text_string(text, "\n");
	}
	process_title_write(text);
	process_id_write_places(text);
	log_write_note(text);
	write_note(text, process->note);
	write_note(text, process->table_note);
	write_note(text, process->bypass_note);
}

static void
write_module(struct text *text, const struct module *module)
{
	text_string(text, FORMAT_MODULE "0x");
	text_hex(text, module->start, 1);
	text_string(text, "-0x");
	text_hex(text, module->end, 1);
	text_string(text, " ");
	for (int i = 0; i < module->build_id_bytes; i++)
		text_hex(text, module->build_id[i], 2);
	text_string(text, module->build_id_bytes ? " " : "- ");
	text_bytes(text, module->name, module->name_length);
	text_string(text, "\n");
}

// Returns true if any module was written.
static bool
write_modules(struct text *text)
{
	bool any = false;
	for (uint32_t i = 1; i <= module_count(); i++) {
		const struct module *module = module_get(i);
		if (!module || emitted_has_module(i))
			continue;
		write_module(text, module);
		emitted_add_module(i);
		any = true;
	}
	return any;
}

static void
write_losses(struct text *text)
{
	bool any = false;
	for (int loss = 0; loss < LOSSES; loss++) {
		uint64_t count = loss_get(loss);
		if (count == 0)
			continue;
		text_string(text, any ? " " : "losses ");
		text_string(text, loss_name(loss));
		text_named(text, "=", count);
		any = true;
	}
	if (any)
		text_string(text, "\n");
}

// Blocks that were never touched count as live but are not resident. So the field outside=, the
// resident bytes outside of blocks, is a lower bound. The field malloc=, the percentage in blocks,
// is an upper bound. FORMAT.md says what a missing field means.
static void
write_rss(struct text *text, const struct rss *rss, uint64_t live)
{
	if (!rss->known)
		return;
	uint64_t inside = live < rss->bytes ? live : rss->bytes;
	text_named(text, " rss=", rss->bytes);
	text_named(text, " file=", rss->file);
	text_named(text, " outside=", rss->bytes - inside);
	text_named(text, " malloc=", inside * 100 / rss->bytes);
	text_string(text, "%");
	if (rss->most > rss->bytes)
		text_named(text, " hwm=", rss->most);
	if (rss->threads > 1)
		text_named(text, " threads=", rss->threads);
	if (!rss->knows_shared)
		text_string(text, " shmem=-");
	else if (rss->shared > 0)
		text_named(text, " shmem=", rss->shared);
}

static void
write_mapped(struct text *text, const struct counter *total)
{
	if (total->allocs == 0)
		return;
	text_pair(text, " mapped=", counter_live(total), total->allocs - total->frees);
	if (total->frees > 0)
		text_pair(text, " map=", total->alloc_bytes, total->allocs);
}

static void
write_limit(struct text *text, const struct memory_limit *limit)
{
	if (limit->most == 0)
		return;
	text_pair(text, limit->is_machine ? " machine=" : " cgroup=", limit->used, limit->most);
	if (limit->oom_kills > 0)
		text_named(text, " oom_kills=", limit->oom_kills);
	if (limit->swap_most > 0)
		text_pair(text, " swap=", limit->swap_used, limit->swap_most);
}

// Writes what the library's own tables take, if that is over a MiB and a tenth of what is resident.
static void
write_tables(struct text *text, const struct rss *rss)
{
	static const char *const fields[TABLE_KINDS] = {
		" stacks=", " counters=", " walks=", " lines=", " tags=", " names="};
	uint64_t sum = 0, least = rss->bytes / 10 > 1 << 20 ? rss->bytes / 10 : 1 << 20;

	for (int i = 0; i < TABLE_KINDS; i++)
		sum += __atomic_load_n(&table_bytes[i], __ATOMIC_RELAXED);
	for (int i = 0; rss->known && sum > least && i < TABLE_KINDS; i++)
		text_named(text, fields[i], __atomic_load_n(&table_bytes[i], __ATOMIC_RELAXED));
}

// Writes the line about the process's memory, if anything is known of it.
static void
write_memory(struct text *text, const struct snapshot_plan *snapshot)
{
	const struct counter *mapped = &snapshot->mapped.total.now;

	if (!snapshot->rss.known && mapped->allocs == 0 && snapshot->limit.most == 0)
		return;
	text_string(text, FORMAT_MEMORY);
	write_rss(text, &snapshot->rss, counter_live(&snapshot->total));
	write_mapped(text, mapped);
	write_limit(text, &snapshot->limit);
	write_tables(text, &snapshot->rss);
	text_string(text, "\n");
}

// Writes the peak, without its date if that is the snapshot's own.
static void
write_peak(struct text *text, const struct snapshot_plan *snapshot)
{
	enum { DATE_BYTES = sizeof("2026-11-21T") - 1 };
	char bytes[32];
	struct text time = {.bytes = bytes, .size = sizeof(bytes)};
	const int64_t day = INT64_C(86400) * 1000000000;
	size_t skipped = snapshot->peak.time / day == snapshot->time / day ? DATE_BYTES : 0;

	text_time(&time, snapshot->peak.time);
	text_named(text, " peak=", snapshot->peak.bytes);
	text_string(text, "@");
	text_bytes(text, bytes + skipped, time.length - skipped);
}

// Writes the exact sums over all blocks. In a build that samples, the counters of the entries are
// only estimates.
static void
write_sample(struct text *text)
{
	struct counter all = sample_sum();

	text_named(text, " sampled=", PMEM_SAMPLE_BYTES);
	text_pair(text, " exact=", all.alloc_bytes, all.allocs);
	text_named(text, "/", all.frees);
}

static void
write_summary(struct text *text, const struct snapshot_plan *snapshot)
{
	const struct counter *total = &snapshot->total;

	text_string(text, "[");
	text_padded(text, snapshot->number, 3);
	text_string(text, "]" FORMAT_RULE "\nchurn=");
	text_pair(text, "", snapshot->churn, PMEM_CHURN_THRESH);
	text_string(text, "\ntime=");
	text_time(text, snapshot->time);
	text_string(text, " reason=");
	text_string(text, snapshot->reason);
	text_pair(text, " live=", counter_live(total),
		total->allocs - total->frees);
	text_pair(text, " alloc=", total->alloc_bytes, total->allocs);
	write_peak(text, snapshot);
	text_pair(text, " sources=", snapshot->sources, PMEM_SOURCES);
	text_named(text, " shown=", snapshot->holding.shown);
	if (snapshot->holding.all > snapshot->holding.shown)
		text_named(text, " hidden=", snapshot->holding.all - snapshot->holding.shown);
	if (snapshot->empty.all > 0)
		text_pair(text, " emptied=", snapshot->empty.shown, snapshot->empty.all);
	if (snapshot->is_child)
		text_pair(text, " inherited=", counter_live(&snapshot->inherited.now),
			snapshot->inherited.now.allocs - snapshot->inherited.now.frees);
	if (SAMPLE_IS_ON)
		write_sample(text);
	if (snapshot->label) {
		text_string(text, FORMAT_LABEL);
		text_word(text, snapshot->label, 4 * FORMAT_LABEL_BYTES);
	}
	text_string(text, "\n");
	write_memory(text, snapshot);
	write_losses(text);
	thread_table_write(text);
	labels_write(text, snapshot->is_last);
}

size_t
lines_other_bytes(void)
{
	size_t bytes = HEADER_BYTES + THREAD_TABLE_LINES_BYTES + labels_bytes()
		+ entries_sums_bytes() + jit_name_moved_bytes() + JIT_MAP_LINE_BYTES;
	for (uint32_t i = 1; i <= module_count(); i++)
		bytes += MODULE_LINE_BYTES + (module_get(i) ? module_get(i)->name_length : 0);
	return bytes;
}

static void
forget(void)
{
	emitted_forget();
	process_title_forget();
	jit_name_forget_moved();
	jit_map_forget_told();
}

// Begins a snapshot or a note of at most `bytes`. If memory is short, the text's buffer is smaller, and the
// snapshot goes out in several writes. If state.writing is still true, a thread died while it wrote. The
// file may then lack modules and stacks that emitted.h has noted as written. So all modules and
// stacks are written again.
static struct text
begin(size_t bytes, const struct process *process)
{
	table_grow(&state.buffer, bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES);
	struct text text = {
		.bytes = state.buffer.at, .size = state.buffer.bytes, .flush = log_append};

	if (log_is_fresh() || state.writing)
		forget();
	state.writing = true;
	process_title_look(log_is_fresh());
	if (log_is_fresh() && log_has_bytes())
		text_string(&text, "\n");
	if (log_is_fresh())
		write_header(&text, process);
	gap_write_end(&text);
	return text;
}

static size_t
end(struct text *text)
{
	size_t bytes = log_close(text_flush(text));
	// The snapshot was cut off, with its lines about modules and stacks. So these lines are written
	// again.
	if (bytes == 0)
		forget();
	state.writing = false;
	return bytes;
}

void
lines_write_note(const struct process *process, const char *note)
{
	if (!log_open(lines_other_bytes(), lines_other_bytes(), true))
		return;
	bool has_note = log_is_fresh() && (note == process->note || note == process->table_note
		|| note == process->bypass_note);
	struct text text = begin(lines_other_bytes(), process);
	if (!has_note)
		write_note(&text, note);
	end(&text);
}

size_t
lines_write(const struct snapshot_plan *snapshot, const struct process *process)
{
	bool is_fresh = log_is_fresh();
	struct text text = begin(snapshot->bytes_anew, process);

	bool is_renamed = process_title_write_changes(&text);
	bool has_modules = write_modules(&text);
	bool has_map = jit_map_write(&text);
	if (jit_name_write_moved(&text) || has_map || has_modules || is_fresh || is_renamed)
		text_string(&text, "\n");
	write_summary(&text, snapshot);
	entries_write(&text, snapshot);
	// An empty line marks a snapshot's end. A snapshot without the empty line was cut off.
	text_string(&text, "\n");
	size_t bytes = end(&text);
	CHECK(bytes <= (is_fresh ? snapshot->bytes_anew : snapshot->bytes));
	return bytes;
}
