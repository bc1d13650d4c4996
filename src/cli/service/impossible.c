// SPDX-License-Identifier: BSD-2-Clause
// The library writes a tag at the end of each block. So the block's last page has been touched: it
// is resident or swapped out. If a block is no larger than a page, all its bytes count as touched.
// The other pages of a larger block may never have been touched.

#include <math.h>
#include <string.h>

#include "log/certainty.h"
#include "service/impossible.h"

// At most this many bytes of a block are known to be resident or swapped out.
static const double page = 4096;
// Live bytes are impossible if their touched part is above this many times the memory, plus `least`
// bytes. The margin is needed because the kernel's count is of another moment, and is updated in
// batches.
static const double more = 1.25;
static const double least = 1 << 20;

static double
touched(const struct run *run)
{
	double sum = 0;

	for (size_t i = 0; i < run->source_count; i++) {
		const struct counts *now = &run->sources[i]->now.counts;
		double most = page * (double)now->blocks;
		// The library may miss frees of this source, so its live bytes may be too high. It is not
		// judged as a leak anyway.
		if (run->sources[i]->is_unseen)
			continue;
		if (source_is_exact(run, run->sources[i]))
			sum += (double)now->live < most ? (double)now->live : most;
	}
	return sum;
}

// Returns true if the log itself reports frees that the library did not see.
static bool
tells_unseen(const struct run *run)
{
	static const char note[] = "these call malloc and free past the library: ";
	bool tells = false;

	for (size_t i = 0; i < run->loss_count; i++)
		tells = tells || strcmp(run->losses[i].name, "unseen_frees") == 0;
	for (size_t i = 0; i < run->note_count; i++)
		tells = tells || strncmp(run->notes[i], note, sizeof(note) - 1) == 0;
	return tells;
}

static void
judge_nothing(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		struct trend *trend = &findings->sources[i].trend;
		if (!verdict_is_leak(trend->verdict))
			continue;
		findings->of_verdict[trend->verdict]--;
		findings->of_verdict[VERDICT_SHORT]++;
		trend->verdict = VERDICT_SHORT;
	}
	memset(findings->leaks, 0, sizeof(findings->leaks));
	findings->burst = (struct burst){0};
	findings->growth_untold = 0;
	findings->gauges[GAUGE_LIVE].trend.verdict = VERDICT_SHORT;
}

void
impossible_look(struct findings *findings, const struct run *run, double resident,
	uint64_t memory)
{
	double most = fmax(resident, (double)memory);

	// How much memory an ended process had swapped out is not known. Its blocks may have been in
	// swap space. So its live bytes are not called impossible, unless the log itself reports missed
	// frees.
	if (resident <= 0 || (memory == 0 && !tells_unseen(run)))
		return;
	findings->touched = touched(run);
	if (findings->touched < more * most + least)
		return;
	findings->is_impossible = true;
	findings->memory = most;
	judge_nothing(findings);
}
