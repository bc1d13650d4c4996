#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "makelog.h"
#include "makestack.h"
#include "makebooks.h"

enum {
	LOSSES_MAX = 16,
	THRESHOLD = 1 << 20,
};

struct loss {
	char name[40];
	uint64_t count;
};

struct makelog {
	FILE *file;
	struct makelog_options options;
	uint64_t run;
	int64_t time_ms;
	long forked_from;
	uint64_t forked_blocks, number;
	bool is_fresh; // the next snapshot needs the header
	bool in_lines; // the last entry is one line, without its stack
	uint64_t peak; // bytes
	int64_t peak_ms;
	struct code code;
	struct source *sources; // [0] is {other}
	int source_count;
	int *order; // of those to show
	struct loss losses[LOSSES_MAX];
	int loss_count;
	uint64_t other_bytes, file_bytes; // in memory beside what is live
};

static int
add_stack(struct makelog *log, const char *names)
{
	uint64_t id = hash(HASH_SEED, names);
	for (int i = 1; i < log->source_count; i++) {
		if (log->sources[i].id == id)
			return i;
	}

	struct source source = {.id = id};
	size_t bytes;
	FILE *to = open_memstream(&source.text, &bytes);
	char *copy = strdup(names);
	char *rest = copy;
	const char *callee = "";
	int number = 0;
	need(to && copy, "no memory");
	for (char *name = strsep(&rest, "/"); name; callee = name, name = strsep(&rest, "/"))
		print_frame(&log->code, to, number++, name, callee);
	fclose(to);
	free(copy);
	log->sources = grown(log->sources, log->source_count, sizeof(*log->sources));
	log->sources[log->source_count] = source;
	return log->source_count++;
}

static int
add_names(struct makelog *log, const char *names, const char *outer)
{
	bool has_hook = strncmp(names, "libpmem.so:", strlen("libpmem.so:")) == 0;
	char *all;
	need(asprintf(&all, "%s%s%s", has_hook ? "" : "libpmem.so:malloc/", names, outer) > 0,
		"no memory");
	int source = add_stack(log, all);
	free(all);
	return source;
}

int
makelog_stack(struct makelog *log, const char *names)
{
	return add_names(log, names, "");
}

int
makelog_source(struct makelog *log, const char *names)
{
	return add_names(log, names, "/main/_start");
}

uint64_t
makelog_id(const struct makelog *log, int source)
{
	need(source > 0 && source < log->source_count, "no such source");
	return log->sources[source].id;
}

void
makelog_malloc(struct makelog *log, int source, uint64_t calls, uint64_t bytes_each)
{
	need(source >= 0 && source < log->source_count, "no such source");
	log->sources[source].now.allocs += calls;
	log->sources[source].now.alloc += calls * bytes_each;
}

void
makelog_free(struct makelog *log, int source, uint64_t calls, uint64_t bytes_each)
{
	need(source >= 0 && source < log->source_count, "no such source");
	struct counter *now = &log->sources[source].now;
	now->frees += calls;
	now->free += calls * bytes_each;
	need(now->frees <= now->allocs && now->free <= now->alloc, "more freed than allocated");
	need(now->frees < now->allocs || now->free == now->alloc, "bytes without a block");
}

void
makelog_unseen(struct makelog *log, int source)
{
	need(source >= 0 && source < log->source_count, "no such source");
	log->sources[source].unseen = true;
}

void
makelog_spike(struct makelog *log, uint64_t ms, uint64_t bytes)
{
	log->peak = bytes;
	log->peak_ms = log->time_ms + (int64_t)ms;
}

void
makelog_lose(struct makelog *log, const char *name, uint64_t count)
{
	int i = 0;
	while (i < log->loss_count && strcmp(log->losses[i].name, name) != 0)
		i++;
	need(i < LOSSES_MAX && strlen(name) < sizeof(log->losses[i].name), "too many losses");
	strcpy(log->losses[i].name, name);
	log->losses[i].count = count;
	if (i == log->loss_count)
		log->loss_count++;
}

void
makelog_memory(struct makelog *log, uint64_t other, uint64_t file)
{
	log->other_bytes = other;
	log->file_bytes = file;
}

static void
print_header(struct makelog *log)
{
	const struct makelog_options *options = &log->options;
	FILE *file = log->file;

	if (ftell(file) > 0)
		fputc('\n', file);
	fprintf(file, "# pmem %d pid=%ld ppid=%ld start=", options->tells_once ? 3 : 1, options->pid,
		options->ppid);
	print_time(file, parse_time(options->start));
	fputs(" exe=", file);
	print_name(file, options->exe, 0x21);
	fprintf(file, " frames=64 sources=65536 threads=64 show=%u", options->show);
	if (!options->without_emptied)
		fprintf(file, " show_empty=%u", options->show_empty);
	if (options->sampled)
		fprintf(file, " sampled=%" PRIu64, options->sampled);
	fputs(" interval_ms=1000 burst=64 memory_max=181583872 log_max=67108864 log_keep=1 host=",
		file);
	print_name(file, options->host, 0x21);
	fprintf(file, " pidns=4026531836 run=%016" PRIx64 "\n", log->run);
	if (log->forked_from)
		fprintf(file, "# forked from pid=%ld snapshots=%" PRIu64 "\n", log->forked_from,
			log->forked_blocks);
	for (int i = 0; i < log->code.module_count; i++)
		log->code.modules[i].told = false;
	for (int i = 0; i < log->source_count; i++)
		log->sources[i].told = false;
	log->is_fresh = false;
}

void
makelog_note(struct makelog *log, const char *text)
{
	if (log->is_fresh)
		print_header(log);
	fprintf(log->file, "# note %s\n", text);
}

static bool
print_modules(struct makelog *log)
{
	bool any = false;
	for (int i = 0; i < log->code.module_count; i++) {
		struct module *module = &log->code.modules[i];
		if (module->told)
			continue;
		uint64_t id = hash(HASH_SEED, module->path);
		fprintf(log->file, "# module 0x%" PRIx64 "-0x%" PRIx64 " %016" PRIx64 "%024" PRIx64 " ",
			module->base, module->base + MODULE_BYTES, id, id * 31);
		print_name(log->file, module->path, 0x20);
		fputc('\n', log->file);
		module->told = any = true;
	}
	return any;
}

static void
print_losses(const struct makelog *log)
{
	for (int i = 0; i < log->loss_count; i++)
		fprintf(log->file, "%s%s=%" PRIu64, i ? " " : "losses ", log->losses[i].name,
			log->losses[i].count);
	if (log->loss_count)
		fputc('\n', log->file);
}

static void
begin_entry(struct makelog *log, bool has_stack)
{
	fputs(log->in_lines && !has_stack ? "{" : "\n{", log->file);
	log->in_lines = log->options.tells_once && !has_stack;
}

// The entries of order[], which are taken from the rest.
static void
print_entries(struct makelog *log, const int *order, int count, struct source *rest)
{
	for (int i = 0; i < count; i++) {
		struct source *source = &log->sources[order[i]];
		bool has_stack = !log->options.tells_once || !source->told;
		begin_entry(log, has_stack);
		fprintf(log->file, "%016" PRIx64, source->id);
		print_counters(log->file, &source->now, &source->before);
		fputs(source->unseen ? " unseen" : "", log->file);
		if (!has_stack)
			print_callers(log->file, source->text);
		fprintf(log->file, "\n%s", has_stack ? source->text : "");
		source->told = true;
		subtract(&rest->now, &source->now);
		subtract(&rest->before, &source->before);
	}
}

// What the snapshot shows, and out of how many.
struct choice {
	int *holders, *emptied;
	int holders_all, holders_shown;
	int emptied_all, emptied_shown;
};

static struct choice
choose(struct makelog *log, bool is_last)
{
	struct choice choice;

	log->order = realloc(log->order, 2 * (size_t)log->source_count * sizeof(*log->order));
	need(log->order, "no memory");
	choice.holders = log->order;
	choice.emptied = log->order + log->source_count;
	choice.holders_all = choice.holders_shown
		= select_sources(log->sources, log->source_count, true, is_last, choice.holders);
	choice.emptied_all
		= select_sources(log->sources, log->source_count, false, false, choice.emptied);
	choice.emptied_shown = least(choice.emptied_all, log->options.show_empty);
	if (!is_last)
		choice.holders_shown = least(choice.holders_all, log->options.show);
	if (log->options.without_emptied)
		choice.emptied_shown = 0;
	return choice;
}

static void
print_summary(struct makelog *log, const struct source *total, const struct choice *choice,
	const char *reason)
{
	const struct counter *now = &total->now;
	FILE *file = log->file;
	const char *label = strchr(reason, ':');
	int length = (int)strcspn(reason, ":");

	fprintf(file, "[%3" PRIu64 "]=========================================================\n",
		log->number++);
	fprintf(file, "churn=%" PRIu64 "/%d\ntime=", churn(total), THRESHOLD);
	print_time(file, log->time_ms);
	fprintf(file,
		" reason=%.*s live=%" PRIu64 "/%" PRIu64 " alloc=%" PRIu64 "/%" PRIu64 " free=%" PRIu64
		"/%" PRIu64,
		length, reason, live(now), now->allocs - now->frees, now->alloc, now->allocs, now->free,
		now->frees);
	if (log->options.tells_once) {
		fprintf(file, " peak=%" PRIu64 "@", log->peak);
		print_time(file, log->peak_ms);
	}
	fprintf(file, " sources=%d/65536 shown=%d hidden=%d", log->source_count - 1,
		choice->holders_shown, choice->holders_all - choice->holders_shown);
	if (!log->options.without_emptied)
		fprintf(file, " emptied=%d/%d", choice->emptied_shown, choice->emptied_all);
	if (log->options.tells_once && log->forked_from)
		fputs(" inherited=0/0", file);
	if (!log->options.without_memory)
		print_memory(file, live(now), log->other_bytes, log->file_bytes);
	if (label)
		fprintf(file, " label=%s", label + 1);
	fputc('\n', file);
	print_losses(log);
}

static void
print_sum(struct makelog *log, const char *name, const struct source *sum)
{
	if (sum->now.allocs == 0)
		return;
	begin_entry(log, false);
	fputs(name, log->file);
	print_counters(log->file, &sum->now, &sum->before);
	fputc('\n', log->file);
}

void
makelog_snapshot(struct makelog *log, uint64_t ms, const char *reason)
{
	const struct source *other = &log->sources[MAKELOG_OTHER];
	struct choice choice = choose(log, strcmp(reason, "exit") == 0);
	bool apart = log->is_fresh;
	struct source sum = {0};

	for (int i = 0; i < log->source_count; i++) {
		add(&sum.now, &log->sources[i].now);
		add(&sum.before, &log->sources[i].before);
	}
	log->time_ms += (int64_t)ms;
	if (live(&sum.now) >= log->peak) {
		log->peak = live(&sum.now);
		log->peak_ms = log->time_ms;
	}
	if (apart)
		print_header(log);
	if (print_modules(log) || apart)
		fputc('\n', log->file);
	print_summary(log, &sum, &choice, reason);
	subtract(&sum.now, &other->now);
	subtract(&sum.before, &other->before);
	log->in_lines = false;
	print_entries(log, choice.holders, choice.holders_shown, &sum);
	print_entries(log, choice.emptied, choice.emptied_shown, &sum);
	print_sum(log, "other", other);
	print_sum(log, "rest", &sum);
	fputc('\n', log->file);
	for (int i = 0; i < log->source_count; i++)
		log->sources[i].before = log->sources[i].now;
}

static void
know_run(struct makelog *log)
{
	char pid[32];
	snprintf(pid, sizeof(pid), "%ld", log->options.pid);
	log->run = hash(hash(HASH_SEED, pid), log->options.start);
	log->is_fresh = true;
}

struct makelog *
makelog_open(FILE *file, const struct makelog_options *options)
{
	struct makelog *log = calloc(1, sizeof(*log));
	struct makelog_options *own = &log->options;

	need(log, "no memory");
	log->file = file;
	log->options = options ? *options : (struct makelog_options){0};
	own->pid = own->pid ? own->pid : 4242;
	own->ppid = own->ppid ? own->ppid : 1;
	own->start = strdup(own->start && *own->start ? own->start : "2026-11-21T00:00:00.000Z");
	own->exe = strdup(own->exe ? own->exe : "/usr/bin/server");
	own->host = strdup(own->host ? own->host : "box");
	own->show = own->show ? own->show : 100;
	own->show_empty = own->show_empty ? own->show_empty : 25;
	log->number = own->first_snapshot;
	log->time_ms = parse_time(own->start);
	know_run(log);
	find_module(&log->code, own->exe);
	log->sources = grown(NULL, 0, sizeof(*log->sources));
	log->source_count = 1;
	makelog_memory(log, 4 << 20, 4 << 20);
	return log;
}

void
makelog_rotate(struct makelog *log, FILE *file)
{
	log->file = file;
	log->is_fresh = true;
}

struct makelog *
makelog_fork(const struct makelog *log, FILE *file, long pid)
{
	struct makelog_options options = log->options;
	struct makelog *child;

	options.ppid = options.pid;
	options.pid = pid;
	options.first_snapshot = 0;
	child = makelog_open(file, &options);
	child->time_ms = log->time_ms;
	makelog_memory(child, log->other_bytes, log->file_bytes);
	child->forked_from = log->options.pid;
	child->forked_blocks = log->number;
	for (int i = 1; i < log->code.module_count; i++)
		find_module(&child->code, log->code.modules[i].path);
	for (int i = 0; i < log->code.function_count; i++)
		find_function(&child->code, log->code.functions[i].module, log->code.functions[i].name);
	for (int i = 0; i < log->source_count; i++) {
		struct source source = log->sources[i];
		source.text = source.text ? strdup(source.text) : NULL;
		source.before = source.now;
		if (i > 0)
			child->sources = grown(child->sources, child->source_count++,
				sizeof(*child->sources));
		child->sources[i] = source;
	}
	return child;
}

void
makelog_close(struct makelog *log)
{
	for (int i = 0; i < log->code.module_count; i++)
		free(log->code.modules[i].path);
	for (int i = 0; i < log->code.function_count; i++)
		free(log->code.functions[i].name);
	for (int i = 0; i < log->source_count; i++)
		free(log->sources[i].text);
	free((char *)log->options.start);
	free((char *)log->options.exe);
	free((char *)log->options.host);
	free(log->code.modules);
	free(log->code.functions);
	free(log->sources);
	free(log->order);
	free(log);
}
