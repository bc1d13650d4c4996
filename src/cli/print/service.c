// Each process's answer is printed into memory, since only then all is known that decides about its
// place: what it leaks.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/system.h"
#include "print/print.h"
#include "print/table.h"

enum {
	NAMES = 6, // of programs, in the line of those of which there is nothing to say
};

// In the order in which they are printed.
enum weight {
	WEIGHT_LEAKS,
	WEIGHT_WORD,  // something else grows, or less surely; or the log lacks something
	WEIGHT_SHORT, // too short to tell
	WEIGHT_NONE,
};

struct answer {
	char *text;
	char *name; // the program's
	long pid;
	enum weight weight;
	double rate; // of all that leaks, bytes an hour
	size_t number;
};

// What leaks, in all processes.
struct shared {
	uint64_t id;
	char *where;
	double rate, growth;
	size_t processes;
};

static struct {
	struct answer *answers;
	size_t count, room;
	struct shared *leaks;
	size_t leak_count, leak_room;
	struct intern ids;
	struct compose compose;
	FILE *stdout_of_all;
} service;

void
service_begin(void)
{
	compose_begin(&service.compose);
	service.stdout_of_all = stdout;
	stdout = service.compose.to;
}

static void
add_leak(const struct finding *finding, const struct history_span *span)
{
	const struct source *source = finding->source;
	bool is_new;
	size_t number = intern_number(&service.ids, &source->id, sizeof(source->id), &is_new);

	if (is_new) {
		struct row row = row_of_source(source);
		service.leaks = memory_grow(service.leaks, service.leak_count, &service.leak_room,
			sizeof(*service.leaks));
		service.leaks[service.leak_count++] = (struct shared){.id = source->id,
			.where = row_text(&row)};
	}
	struct shared *leak = &service.leaks[number];
	leak->rate += history_rate(span, finding->trend.slope);
	leak->growth += finding->trend.growth;
	leak->processes++;
}

static enum weight
weight_of(const struct run *run, const struct findings *findings, const struct history_span *span)
{
	size_t other = 0;

	if (findings->leaks[STANDS].count > 0)
		return WEIGHT_LEAKS;
	for (enum standing i = 0; i < STANDINGS; i++)
		other += i == STANDS_LITTLE ? 0 : findings->leaks[i].count;
	for (int i = 0; i < GAUGES; i++)
		other += i != GAUGE_RSS && verdict_is_leak(findings->gauges[i].trend.verdict)
			&& findings->gauges[i].standing == STANDS;
	if (other > 0 || findings->burst.growth > 0)
		return WEIGHT_WORD;
	if (span->windows < TREND_LEAST)
		return WEIGHT_SHORT;
	// "Nothing leaks" would say too much.
	return run->loss_count > 0 ? WEIGHT_WORD : WEIGHT_NONE;
}

void
service_end(const struct run *run, const struct findings *findings,
	const struct history *history)
{
	struct history_span span = history_span(history);
	struct answer answer = {.number = service.count, .pid = run->pid,
		.weight = weight_of(run, findings, &span)};

	stdout = service.stdout_of_all;
	answer.text = compose_end(&service.compose);
	const char *name = run->name[0] ? run->name : run->exe[0] ? path_last(run->exe) : "?";
	answer.name = memory_text(name, strlen(name));
	for (size_t i = 0; span.has_times && i < findings->leaks[STANDS].count; i++)
		add_leak(&findings->sources[i], &span);
	if (span.has_times)
		answer.rate = history_rate(&span, findings->leaks[STANDS].slope);
	service.answers = memory_grow(service.answers, service.count, &service.room,
		sizeof(*service.answers));
	service.answers[service.count++] = answer;
}

static int
by_weight(const void *left, const void *right)
{
	const struct answer *a = left, *b = right;

	if (a->weight != b->weight && (a->weight == WEIGHT_LEAKS || b->weight == WEIGHT_LEAKS))
		return a->weight < b->weight ? -1 : 1;
	if (a->rate != b->rate)
		return a->rate > b->rate ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int
by_rate(const void *left, const void *right)
{
	const struct shared *a = left, *b = right;
	return (a->rate < b->rate) - (a->rate > b->rate);
}

static size_t
count_of(enum weight weight)
{
	size_t count = 0;
	for (size_t i = 0; i < service.count; i++)
		count += service.answers[i].weight == weight;
	return count;
}

// "6 of 41 processes leak 728 MiB an hour in all", and where they leak the same, a table of it.
static void
print_leaks(uint64_t most)
{
	static const struct column columns[] = {
		{"an hour", false}, {"growth", false}, {"processes", false}, {"id", true},
		{"where", false},
	};
	size_t leaking = count_of(WEIGHT_LEAKS);
	char rate[UNIT_TEXT], growth[UNIT_TEXT], processes[UNIT_TEXT * 2], id[UNIT_TEXT];
	double all = 0;
	size_t same = 0;

	for (size_t i = 0; i < service.leak_count; i++) {
		all += service.leaks[i].rate;
		same += service.leaks[i].processes > 1;
	}
	if (leaking == 0)
		return;
	printf("%s%zu of %zu processes leak%s %s an hour in all%s\n", term_style(STYLE_RED), leaking,
		service.count, leaking > 1 ? "" : "s", unit_bytes(rate, (uint64_t)llround(all)),
		term_style(STYLE_PLAIN));
	if (same > 0) {
		putchar('\n');
		qsort(service.leaks, service.leak_count, sizeof(*service.leaks), by_rate);
		struct text_table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
		for (size_t i = 0; i < service.leak_count && i < most; i++) {
			const struct shared *leak = &service.leaks[i];
			snprintf(processes, sizeof(processes), "%zu of %zu", leak->processes, service.count);
			snprintf(id, sizeof(id), "{%016" PRIx64 "}", leak->id);
			const char *cells[] = {unit_bytes(rate, (uint64_t)llround(leak->rate)),
				unit_bytes(growth, (uint64_t)llround(leak->growth)), processes, id, leak->where};
			table_add(table, STYLE_PLAIN, cells);
		}
		table_print(table);
		if (service.leak_count > most)
			printf("and %zu more source%s\n", service.leak_count - (size_t)most,
				service.leak_count - (size_t)most > 1 ? "s" : "");
	}
	putchar('\n');
}

struct program {
	const char *name;
	long pid; // of the last of its processes
	size_t processes;
};

static int
by_processes(const void *left, const void *right)
{
	const struct program *a = left, *b = right;
	return (a->processes < b->processes) - (a->processes > b->processes);
}

// "nothing leaks in 35 processes: 20 nginx, 14 postgres, redis-server 4711 (--all)"
static void
print_folded(enum weight weight, const char *what)
{
	size_t count = count_of(weight), programs = 0;
	struct program *all = memory_get(count + 1, sizeof(*all));

	if (count > 0)
		printf("%s%zu process%s: ", what, count, count > 1 ? "es" : "");
	for (size_t i = 0; i < service.count; i++) {
		size_t at = 0;
		if (service.answers[i].weight != weight)
			continue;
		while (at < programs && strcmp(all[at].name, service.answers[i].name) != 0)
			at++;
		all[at].name = service.answers[i].name;
		all[at].pid = service.answers[i].pid;
		all[at].processes++;
		programs += at == programs;
	}
	qsort(all, programs, sizeof(*all), by_processes);
	for (size_t i = 0; i < programs && i < NAMES; i++) {
		fputs(i > 0 ? ", " : "", stdout);
		if (all[i].processes > 1)
			printf("%zu %s", all[i].processes, all[i].name);
		else
			printf("%s %ld", all[i].name, all[i].pid);
	}
	if (programs > NAMES)
		printf(", and %zu more programs", programs - NAMES);
	if (count > 0)
		puts(" (--all)");
	free(all);
}

void
service_print(uint64_t most, bool all)
{
	bool folds = service.count > 1 && !all, is_next = false;

	if (service.count > 1) {
		qsort(service.answers, service.count, sizeof(*service.answers), by_weight);
		print_leaks(most);
	}
	for (size_t i = 0; i < service.count; i++) {
		if (folds && service.answers[i].weight >= WEIGHT_SHORT)
			continue;
		if (is_next)
			putchar('\n');
		is_next = true;
		fputs(service.answers[i].text, stdout);
	}
	if (folds && is_next && count_of(WEIGHT_SHORT) + count_of(WEIGHT_NONE) > 0)
		putchar('\n');
	if (folds) {
		print_folded(WEIGHT_NONE, "nothing leaks in ");
		print_folded(WEIGHT_SHORT, "too short to tell of ");
	}
	for (size_t i = 0; i < service.count; i++) {
		free(service.answers[i].text);
		free(service.answers[i].name);
	}
	for (size_t i = 0; i < service.leak_count; i++)
		free(service.leaks[i].where);
	free(service.answers);
	free(service.leaks);
	intern_free(&service.ids);
}
