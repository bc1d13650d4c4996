// Made up runs of a job, each with its truth: amounts of chance alone, and of a cache that fills up, are
// hardly ever called a leak; amounts that grow with the work, with noise as large as themselves, nearly
// always of 200 runs; a table of one size is no leak, if the work differs.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/job_amounts.h"

enum kind { BY_CHANCE, BY_WORK, UP_TO_A_LIMIT, A_TABLE, A_BUFFER, KINDS };
static const char *const names[KINDS] = {"by chance", "by work", "up to a limit", "a table", "a buffer"};

static double
left_by(enum kind kind, double work)
{
	double noise = drand48();

	switch (kind) {
	case BY_CHANCE: return 1e5 + 1e5 * noise;
	case BY_WORK: return 0.01 * work * (0.5 + noise);
	case UP_TO_A_LIMIT: return fmin(0.02 * work, 5e4 + 2000 * noise);
	case A_TABLE: return 65536;
	default: return 1e6 * noise + 4096;
	}
}

// Returns how many of 100 jobs have the verdict.
static double
share(enum kind kind, int runs, enum report_verdict verdict)
{
	int jobs = 60000 / runs, count = 0;

	for (int job = 0; job < jobs; job++) {
		struct report_job_place place = {.count = (size_t)runs,
			.amounts = calloc((size_t)runs, sizeof(*place.amounts))};
		for (int i = 0; i < runs; i++) {
			double other = kind == A_BUFFER ? 1e6 : 1e6 + 9e6 * drand48();
			double bytes = left_by(kind, other);
			bool is_one = kind == A_TABLE || kind == A_BUFFER;
			place.amounts[i] = (struct job_amount){other + bytes, bytes, is_one ? 1 : floor(bytes / 100)};
		}
		job_amounts_judge(&place, 1024);
		count += place.word.verdict == verdict;
		free(place.amounts);
	}
	return 100.0 * count / jobs;
}

static int
expect(enum kind kind, int runs, enum report_verdict verdict, double least, double most)
{
	double is = share(kind, runs, verdict);

	if (is < least || is > most)
		printf("%s, %d runs: %s in %g of 100, not %g to %g\n", names[kind], runs,
			report_verdict_words[verdict], is, least, most);
	return is < least || is > most;
}

int
main(void)
{
	static const int runs[] = {3, 7, 8, 20, 200, 1000};
	int wrong = 0;

	srand48(42);
	for (unsigned i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		double some = runs[i] < JOB_SOME ? 0 : 1; // of fewer none is called a leak
		wrong += expect(BY_CHANCE, runs[i], REPORT_LEAKS, 0, 0.7 * some);
		wrong += expect(UP_TO_A_LIMIT, runs[i], REPORT_LEAKS, 0, some);
		wrong += expect(A_BUFFER, runs[i], REPORT_LEAKS, 0, 0.7 * some);
		wrong += expect(A_TABLE, runs[i], REPORT_LEAKS, 0, 0);
		wrong += expect(A_TABLE, runs[i], REPORT_NO_LEAK, runs[i] < 8 ? 70 : 99, 100);
		wrong += expect(BY_WORK, runs[i], REPORT_LEAKS, runs[i] < 20 ? 0 : runs[i] < 200 ? 70 : 100,
			100 * some);
		wrong += expect(BY_WORK, runs[i], REPORT_NO_LEAK, 0, runs[i] < 8 ? 0.1 : 0);
	}
	return wrong > 0;
}
