// long
// link: -lm -DPMEM_SAMPLE_BYTES=20000 -Wl,-u,operator_start
// Over 200 seeds what blocks of mixed sizes are estimated to be is on an average what they are, in
// bytes and calls, and it varies as FORMAT.md says. A block's weight is the reciprocal of its
// chance, and the same whenever it is asked for.

#include <math.h>
#include <string.h>

#include "unit.h"
#include "heap/real.h"
#include "heap/sample.h"

enum {
	SEEDS = 200,
	BLOCKS = 4000,
	MEAN = PMEM_SAMPLE_BYTES,
	WORKLOADS = 5,
};

static size_t
size_of(int workload, int i)
{
	switch (workload) {
	case 0: return 16;
	case 1: return 1000;
	case 2: return 3 * MEAN;
	case 3: return (size_t)i % 7 == 0 ? 40000 : (size_t)i % 300;
	default: return (size_t)i * (size_t)i % 50021;
	}
}

struct sums {
	double bytes, calls;
};

static struct sums
estimate(int workload, uint64_t seed)
{
	struct slot_sample *sample = thread_own()->sample;
	struct sums sums = {0};

	sample->random = seed;
	sample->left = 0;
	// What was left is of another seed: the first hit ends it.
	while (!sample_hits(MEAN))
		continue;
	for (int i = 0; i < BLOCKS; i++) {
		size_t bytes = size_of(workload, i);
		struct sample_choice choice;
		sample_choose(&choice, bytes);
		if (sample_leaves_out(&choice))
			continue;
		uint32_t number = sample_number(77, bytes);
		expect(sample_source(number) == 77);
		struct sample_weight weight = sample_weight(number, bytes);
		struct sample_weight again = sample_weight(number, bytes);
		expect(weight.bytes == again.bytes && weight.calls == again.calls);
		sums.bytes += (double)weight.bytes;
		sums.calls += (double)weight.calls;
	}
	return sums;
}

static double
chance_of(size_t bytes)
{
	return -expm1(-(double)(bytes + !bytes) / MEAN);
}

static void
check_mean(double sum, double should, double variance)
{
	double error = sqrt(variance / SEEDS);
	if (fabs(sum / SEEDS - should) > 4 * error + should * 1e-4) {
		fprintf(stderr, "%f instead of %f, give or take %f\n", sum / SEEDS, should, error);
		exit(1);
	}
}

static void
check_workload(int workload)
{
	double bytes = 0, calls = 0, noise = 0, noise_of_calls = 0;
	double sum = 0, sum_of_calls = 0, squares = 0;

	for (int i = 0; i < BLOCKS; i++) {
		double size = (double)size_of(workload, i);
		double chance = chance_of(size_of(workload, i));
		double fraction = 1 / chance - floor(1 / chance);
		bytes += size;
		calls++;
		noise += size * size * (1 - chance) / chance;
		noise_of_calls += (1 - chance) / chance + chance * fraction * (1 - fraction);
	}
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sums sums = estimate(workload, seed << 32);
		sum += sums.bytes;
		sum_of_calls += sums.calls;
		squares += (sums.bytes - bytes) * (sums.bytes - bytes);
	}
	check_mean(sum, bytes, noise);
	check_mean(sum_of_calls, calls, noise_of_calls);
	// Their variance: of 200 it is known to a tenth.
	expect(squares / SEEDS < 1.5 * noise + 1 && squares / SEEDS > noise / 1.5 - 1);
}

static void
check_weights(void)
{
	for (size_t bytes = 0; bytes < (size_t)60 * MEAN; bytes += 1 + bytes / 50) {
		double should = 1 / chance_of(bytes);
		struct sample_weight weight = sample_weight(0, bytes);
		expect(fabs((double)weight.bytes - (double)bytes * should)
			<= 0.51 + (double)bytes * should * 1e-8);
		expect(weight.calls == (uint64_t)(should + 1e-8)
			|| weight.calls == (uint64_t)(should - 1e-8));
		expect(sample_weight(1, bytes).calls == weight.calls + 1);
	}
}

// A page has a mark as long as a recorded block begins there, and so has the block, and none beside
// it.
static void
check_marks(void)
{
	static _Alignas(4096) char page[8192];

	expect(sample_is_unmarked(page) && sample_left_out(page + 64));
	sample_mark(page + 64);
	expect(!sample_is_unmarked(page) && !sample_is_unmarked(page + 4080));
	expect(sample_is_unmarked(page + 4096));
	expect(!sample_left_out(page + 64));
	sample_mark(page + 4000);
	for (int i = 0; i < 4096; i += 16)
		expect(sample_left_out(page + i) == (i != 64 && i != 4000));
	sample_unmark(page + 64);
	expect(!sample_is_unmarked(page) && sample_left_out(page + 64));
	expect(!sample_left_out(page + 4000));
	sample_unmark(page + 4000);
	expect(sample_is_unmarked(page));
	// So many that it is not known any more.
	for (int i = 0; i < 300; i++)
		sample_mark(page);
	for (int i = 0; i < 300; i++)
		sample_unmark(page);
	expect(!sample_left_out(page) && sample_left_out(page + 16));
	expect(!sample_is_unmarked(NULL));
}

int
main(void)
{
	// What comes then passes as it does in a program.
	real.state = REAL_ON;
	sample_hits(1);
	expect(!sample_sums()); // the loader is not known
	module_loader.start = UINTPTR_MAX;
	check_weights();
	for (int workload = 0; workload < WORKLOADS; workload++)
		check_workload(workload);
	expect(sample_sums() == thread_own()->sample);
	check_marks();
	return 0;
}
