// Leaks are compared for equal work, bytes allocated and freed: another machine is faster, and
// another night has more requests.

#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "rows/alike.h"
#include "rows/step.h"
#include "service/service.h"

struct leak {
	struct work_rate most, now; // of all processes so far, and of the one at hand
	size_t process;             // that `now` is of
	bool is_unnamed, is_met;    // not all of its functions have names; it leaks now, too
};

static struct {
	struct leak *leaks; // by number
	size_t count, room;
	size_t processes;
	bool has_new; // something leaks now that did not
	struct alike alike;
} baseline = {.alike = {.by_name = true}};

static struct leak *
leak_of(const struct row *row)
{
	bool is_new;
	size_t number = alike_number(&baseline.alike, row, &is_new);

	if (is_new) {
		baseline.leaks = memory_grow(baseline.leaks, baseline.count, &baseline.room,
			sizeof(*baseline.leaks));
		baseline.leaks[baseline.count++] = (struct leak){0};
	}
	return &baseline.leaks[number];
}

// However much there was behind each: sources of one name may be of several standings.
static void
add(struct leak *leak, const struct work_rate *rate)
{
	if (leak->process != baseline.processes)
		leak->now = (struct work_rate){0};
	leak->process = baseline.processes;
	leak->now.rate += rate->rate;
	leak->now.low += rate->low;
	leak->now.high += rate->high;
	if (leak->now.high > leak->most.high)
		leak->most = leak->now;
}

static bool
is_named(const struct row *row, const struct run *run)
{
	static struct steps steps;

	steps_take(&steps, row);
	for (size_t i = 0; i < steps.count; i++)
		if (steps.steps[i].frame && !step_is_function(&steps.steps[i])
				&& strcmp(step_module(&steps.steps[i]), path_last(run->exe)) == 0)
			return false;
	return true;
}

void
baseline_add(const struct findings *findings, const struct history *history)
{
	baseline.processes++;
	for (size_t i = 0; i < findings_leaks(findings); i++) {
		const struct finding *finding = &findings->sources[i];
		struct row row = row_of_source(finding->source);
		struct leak *leak = leak_of(&row);
		add(leak, &finding->by_work);
		leak->is_unnamed |= !is_named(&row, history_run(history));
	}
}

struct work_rate
baseline_of(const struct source *source)
{
	struct row row = row_of_source(source);
	size_t number = alike_find(&baseline.alike, &row);

	baseline.has_new |= number == INTERN_NONE;
	if (number == INTERN_NONE)
		return (struct work_rate){0};
	baseline.leaks[number].is_met = true;
	return baseline.leaks[number].most;
}

void
baseline_warn(void)
{
	size_t count = 0;

	for (size_t i = 0; baseline.has_new && i < baseline.count; i++)
		count += baseline.leaks[i].is_unnamed && !baseline.leaks[i].is_met;
	if (count > 0)
		warn("--baseline: of %zu source%s that leaked there not all functions have names here, so "
			"what is called new may be %s: try --debug-dir or --sysroot, with the files of that "
			"build", count, count > 1 ? "s" : "", count > 1 ? "one of these" : "this one");
}
