#include <string.h>

#include "format.h"
#include "loss.h"
#include "silent_fork.h"
#include "text.h"
#include "module.h"
#include "stack.h"
#include "source.h"
#include "symbol.h"
#include "identity.h"
#include "log.h"
#include "lines.h"

enum {
	BUFFER_BYTES = 1 << 20, // most snapshots go out in one write
	// Bounds of what a line takes beside names: numbers of 20 digits, and the words between.
	HEADER_BYTES = 4096,
	ENTRY_BYTES = 320,
	FRAME_LINE_BYTES = 64,
	MODULE_LINE_BYTES = 128,
};

static char first_bytes[TABLE_CHUNK_BYTES];

static struct {
	struct growing buffer; // up to BUFFER_BYTES
	bool module_told[PMEM_MODULES + 1]; // the file as it is has its line
} state = {.buffer = {first_bytes, sizeof(first_bytes), false}};

// The buffer, for a snapshot of at most so many bytes. Where there is no memory for all of it
// that snapshot goes out in several writes.
static struct text
begin_text(size_t bytes)
{
	table_grow(&state.buffer, bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES);
	return (struct text){
		.bytes = state.buffer.at, .size = state.buffer.bytes, .flush = log_append};
}

static void
write_pair(struct text *text, const char *name, uint64_t bytes, uint64_t calls)
{
	text_string(text, name);
	text_number(text, bytes);
	text_string(text, "/");
	text_number(text, calls);
}

static void
write_number(struct text *text, const char *name, uint64_t number)
{
	text_string(text, name);
	text_number(text, number);
}

static void
write_note(struct text *text, const struct process *process)
{
	if (process->note) {
		text_string(text, FORMAT_NOTE);
		text_string(text, process->note);
		text_string(text, "\n");
	}
}

static void
write_header(struct text *text, const struct process *process)
{
	const struct module *self = module_get(module_find((uintptr_t)&lines_write));

	write_number(text, FORMAT_HEADER, FORMAT_VERSION);
	write_number(text, " pid=", (uint64_t)process->pid);
	write_number(text, " ppid=", (uint64_t)process->ppid);
	text_string(text, " start=");
	text_time(text, process->start);
	text_string(text, " exe=");
	text_word(text, module_program(), MODULE_NAME_MAX);
	write_number(text, " frames=", PMEM_FRAMES);
	write_number(text, " sources=", PMEM_SOURCES);
	write_number(text, " threads=", PMEM_THREADS);
	write_number(text, " show=", PMEM_SHOW);
	write_number(text, " show_empty=", PMEM_SHOW_EMPTY);
	write_number(text, " interval_ms=", PMEM_MIN_INTERVAL_MS);
	write_number(text, " burst=", PMEM_BURST);
	// The library's image has the beginnings of its tables.
	write_number(text, " memory_max=",
		(self ? self->end - self->start : 0) + SOURCE_BYTES_MAX + SYMBOL_BYTES_MAX
			+ SNAPSHOT_SELECTION_BYTES_MAX + TABLE_GROWING_MAX(BUFFER_BYTES)
			+ thread_bytes_max() + (uint64_t)thread_slots_max() * WALK_BYTES
			+ SILENT_FORK_BYTES_MAX);
	write_number(text, " log_max=", PMEM_LOG_MAX_BYTES);
	write_number(text, " log_keep=", PMEM_LOG_KEEP);
	identity_write(text);
	text_string(text, " run=");
	text_hex(text, process->run, 16);
	text_string(text, "\n");
	if (process->forked_from) {
		write_number(text, FORMAT_FORKED "pid=", (uint64_t)process->forked_from);
		write_number(text, " blocks=", process->forked_snapshots);
		text_string(text, "\n");
	}
	log_write_note(text);
	write_note(text, process);
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

// Whether there was any to write.
static bool
write_modules(struct text *text)
{
	bool any = false;
	for (uint32_t i = 1; i <= module_count(); i++) {
		const struct module *module = module_get(i);
		if (!module || state.module_told[i])
			continue;
		write_module(text, module);
		state.module_told[i] = true;
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
		write_number(text, "=", count);
		any = true;
	}
	if (any)
		text_string(text, "\n");
}

// Blocks that were never touched are live, but not resident: `outside` is that at least, and
// `malloc` is so much at most.
static void
write_rss(struct text *text, const struct rss *rss, uint64_t live)
{
	if (!rss->known)
		return;
	uint64_t inside = live < rss->bytes ? live : rss->bytes;
	write_number(text, " rss=", rss->bytes);
	write_number(text, " file=", rss->file);
	write_number(text, " outside=", rss->bytes - inside);
	write_number(text, " malloc=", inside * 100 / rss->bytes);
	text_string(text, "%");
}

static void
write_summary(struct text *text, const struct snapshot *snapshot)
{
	const struct counter *total = &snapshot->total;

	text_string(text, "[");
	text_padded(text, snapshot->number, 3);
	text_string(text, "]" FORMAT_RULE "\nchurn=");
	write_pair(text, "", snapshot->churn, PMEM_CHURN_THRESH);
	text_string(text, "\ntime=");
	text_time(text, snapshot->time);
	text_string(text, " reason=");
	text_string(text, snapshot->reason);
	write_pair(text, " live=", counter_live(total),
		total->allocs - total->frees);
	write_pair(text, " alloc=", total->alloc_bytes, total->allocs);
	write_pair(text, " free=", total->free_bytes, total->frees);
	write_pair(text, " sources=", snapshot->sources, PMEM_SOURCES);
	write_number(text, " shown=", snapshot->holding.shown);
	write_number(text, " hidden=", snapshot->holding.all - snapshot->holding.shown);
	write_pair(text, " emptied=", snapshot->empty.shown, snapshot->empty.all);
	write_rss(text, &snapshot->rss, counter_live(total));
	text_string(text, "\n");
	write_losses(text);
}

static void
write_counters(struct text *text, const struct counter *now, const struct counter *before)
{
	write_number(text, "} live:", counter_live(now));
	write_pair(text, ", alloc:", now->alloc_bytes - before->alloc_bytes, now->alloc_bytes);
	write_pair(text, ", free:", now->free_bytes - before->free_bytes, now->free_bytes);
	write_number(text, ", blocks:", now->allocs - now->frees);
	write_pair(text, ", allocs:", now->allocs - before->allocs, now->allocs);
	write_pair(text, ", frees:", now->frees - before->frees, now->frees);
	text_string(text, "\n");
}

// As backtrace_symbols() has it: MODULE(SYMBOL+0xOFFSET) [0xADDRESS]
static void
write_frame(struct text *text, uint32_t number, struct frame frame)
{
	const struct module *module = module_get(frame.module);
	struct symbol symbol;

	text_string(text, "  {");
	text_number(text, number);
	text_string(text, "} ");
	if (module) {
		uint64_t offset = frame.pc - module->base;
		text_bytes(text, module->name, module->name_length);
		text_string(text, "(");
		if (symbol_get(frame, &symbol)) {
			text_bytes(text, symbol.name, symbol.name_length);
			offset = symbol.offset;
		}
		text_string(text, "+0x");
		text_hex(text, offset, 1);
		text_string(text, ") ");
	}
	text_string(text, "[0x");
	text_hex(text, frame.pc, 1);
	text_string(text, "]\n");
}

static void
write_entry(struct text *text, const struct snapshot *snapshot, uint32_t number)
{
	const struct source *source = source_get(number);
	text_string(text, "\n{");
	text_hex(text, source->id, 16);
	const struct counter *sums = source_sums(number);
	write_counters(text, &sums[snapshot->now], &sums[!snapshot->now]);
	for (uint32_t i = 0; i < source->depth; i++)
		write_frame(text, i, source->frames[i]);
}

static void
write_entries(struct text *text, const struct snapshot *snapshot, const struct selection *selection)
{
	for (uint32_t i = 0; i < selection->shown; i++)
		write_entry(text, snapshot, (uint32_t)selection->sources[i]);
}

static void
write_sum(struct text *text, const char *name, const struct change *change)
{
	if (change->now.allocs == 0)
		return;
	text_string(text, "\n{");
	text_string(text, name);
	write_counters(text, &change->now, &change->before);
}

// False: one snapshot's share of names has been looked up.
static bool
name_frames(const struct selection *selection, bool all)
{
	for (uint32_t i = 0; i < selection->shown; i++) {
		const struct source *source = source_get((uint32_t)selection->sources[i]);
		for (uint32_t n = 0; n < source->depth; n++) {
			while (!symbol_want(source->frames[n], n == 0)) {
				symbol_look_up();
				if (!all)
					return false;
			}
		}
	}
	return true;
}

void
lines_name_frames(const struct snapshot *snapshot, bool all)
{
	if (name_frames(&snapshot->holding, all) && name_frames(&snapshot->empty, all))
		symbol_look_up();
}

size_t
lines_entry_bytes(uint32_t number)
{
	const struct source *source = source_get(number);
	size_t bytes = ENTRY_BYTES;

	for (uint32_t i = 0; i < source->depth; i++) {
		const struct module *module = module_get(source->frames[i].module);
		struct symbol symbol;
		bytes += FRAME_LINE_BYTES + (module ? module->name_length : 0);
		bytes += symbol_get(source->frames[i], &symbol) ? symbol.name_length : 0;
	}
	return bytes;
}

size_t
lines_other_bytes(void)
{
	size_t bytes = HEADER_BYTES + 2 * ENTRY_BYTES;
	for (uint32_t i = 1; i <= module_count(); i++)
		bytes += MODULE_LINE_BYTES + (module_get(i) ? module_get(i)->name_length : 0);
	return bytes;
}

void
lines_write_note(const struct process *process)
{
	struct text text = begin_text(lines_other_bytes());

	if (!log_open(lines_other_bytes(), true))
		return;
	bool apart = log_is_fresh();
	if (apart && log_has_bytes())
		text_string(&text, "\n");
	if (apart)
		write_header(&text, process);
	else
		write_note(&text, process);
	log_close(text_flush(&text));
}

void
lines_forget_modules(void)
{
	for (uint32_t i = 1; i <= module_count(); i++)
		state.module_told[i] = state.module_told[i] && !roster_is_left(i);
}

bool
lines_write(const struct snapshot *snapshot, const struct process *process)
{
	struct text text = begin_text(snapshot->bytes);
	bool apart = log_is_fresh();

	if (apart) {
		memset(state.module_told, 0, sizeof(state.module_told));
		if (log_has_bytes())
			text_string(&text, "\n");
		write_header(&text, process);
	}
	if (write_modules(&text) || apart)
		text_string(&text, "\n");
	write_summary(&text, snapshot);
	write_entries(&text, snapshot, &snapshot->holding);
	write_entries(&text, snapshot, &snapshot->empty);
	write_sum(&text, FORMAT_OTHER, &snapshot->other);
	write_sum(&text, FORMAT_REST, &snapshot->rest);
	// The mark of its end: a snapshot without it was cut off.
	text_string(&text, "\n");
	if (log_close(text_flush(&text)))
		return true;
	// The lines went with the snapshot: the next one tells them again.
	memset(state.module_told, 0, sizeof(state.module_told));
	return false;
}
