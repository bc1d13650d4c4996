// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/unit.h"
#include "service/programs.h"

enum {
	NAMES = 6, // at most this many programs are named in a line
};

struct program {
	const char *name;
	long pid; // pid of its last process
	size_t processes;
};

void
programs_add(struct programs *programs, const char *name, long pid)
{
	size_t at = 0;

	while (at < programs->count && strcmp(programs->programs[at].name, name) != 0)
		at++;
	if (at == programs->count) {
		programs->programs = memory_grow(programs->programs, programs->count, &programs->room,
			sizeof(*programs->programs));
		programs->count++;
	}
	struct program *program = &programs->programs[at];
	program->name = name;
	program->pid = pid;
	program->processes++;
	programs->processes++;
}

char *
programs_of_line(const struct report_line *line)
{
	const struct report_process *process = line->process;
	char pid[UNIT_TEXT] = "";

	if (line->processes > 1)
		return memory_format("%zu %s%s", line->processes, process->name, line->is_sum ? " together" : "");
	if (process->pid)
		snprintf(pid, sizeof(pid), " %ld", process->pid);
	return memory_format("%s%s", process->name, pid);
}

static int
by_processes(const void *left, const void *right)
{
	const struct program *a = left, *b = right;

	if (a->processes != b->processes)
		return a->processes > b->processes ? -1 : 1;
	return strcmp(a->name, b->name);
}

void
programs_print(FILE *to, struct programs *programs)
{
	const struct program *all = programs->programs;

	memory_sort(programs->programs, programs->count, sizeof(*all), by_processes);
	for (size_t i = 0; i < programs->count && i < NAMES; i++) {
		fputs(i > 0 ? ", " : "", to);
		if (all[i].processes == 1 && all[i].pid == 0)
			fputs(all[i].name, to);
		else if (all[i].processes > 1)
			fprintf(to, "%zu %s", all[i].processes, all[i].name);
		else
			fprintf(to, "%s %ld", all[i].name, all[i].pid);
	}
	if (programs->count > NAMES)
		fprintf(to, ", and %zu more programs", programs->count - NAMES);
	free(programs->programs);
	*programs = (struct programs){0};
}
