// SPDX-License-Identifier: BSD-2-Clause
// trend: does a series rise, what shape has it, and is it a leak?

#ifndef PMEM_CLI_TREND_H
#define PMEM_CLI_TREND_H

#include <stdbool.h>
#include <stddef.h>

// kendall: is there a trend in a series, and how steep is it? Answers that no shape of the
// noise and no stray value can spoil: they look at the order of values, not at their size.
//
// - The test: Mann, "Nonparametric tests against trend", Econometrica 13 (1945); Kendall,
//   "Rank correlation methods" (1975), whose variance allows for ties.
// - The slope, and its interval: Theil (1950); Sen, "Estimates of the regression coefficient
//   based on Kendall's tau", JASA 63 (1968): the median of the slopes of all pairs.
// - What follows a moment is much like that moment, so a series says less than its length
//   promises: Hamed and Rao, "A modified Mann-Kendall trend test for autocorrelated data",
//   Journal of Hydrology 204 (1998), widen the variance by the autocorrelation of the ranks of
//   what is left when the slope is taken away. Taken here up to the first lag that is not
//   significant, and never to narrow it. For the interval autocorrelation fades from there on
//   as from a value to the next, which is freed of its bias (Marriott and Pope, "Bias in the
//   estimation of autocorrelations", Biometrika 41 (1954)).
//
// Pure functions of their arguments. They allocate nothing.

enum {
	KENDALL_MAX = 128, // values in a series, at most
};

struct kendall {
	double s;                  // pairs that rise less pairs that fall
	double variance;           // of s, were there no trend; widened
	double p;                  // chance of such an s, or a larger one, without a trend
	double slope;              // a unit of time
	double slope_low, slope_high; // its interval, at 95%
};

// times must not fall; count is 3 to KENDALL_MAX.
struct kendall kendall_test(const double *times, const double *values, size_t count);

// The slope alone.
double kendall_slope(const double *times, const double *values, size_t count);

// What the values have grown by from the first to the last one. Where they fall much in
// between, these two may be noise, and it is what the slope comes to; but on a curve, which no
// slope fits, no more and no less than between the first few and the last few.
double kendall_growth(const double *times, const double *values, size_t count);

// Kendall's tau-b of two series: -1 to 1; 0 where one of them is constant.
double kendall_correlation(const double *a, const double *b, size_t count);

// Orders doubles from the least on, for qsort().
int kendall_by_value(const void *a, const void *b);

// Chance of so many rises, or more, among rises + falls, were both equally likely.
double kendall_sign_test(unsigned rises, unsigned falls);

// shape: questions about the shape of a series, or of its end. For the trend below, whose idea of a
// leak they serve.
//
// Pure functions of their arguments. They allocate nothing.

enum {
	SHAPE_LEAST = 8, // points that are worth a question
};

// A window of time.
struct trend_point {
	double time;   // of the floor, in any unit; must not fall
	double clock;  // what it said then, for whoever made the points
	double calls;  // of the whole process until then, likewise
	double floor;  // least live bytes
	double peak;   // most
	double mean;   // of what snapshots told; of no matter but in the points that there are at first
	double told;   // how many of these
	double blocks; // that held the floor
	double allocs; // made until then, by whoever made the points
	double load;   // allocations in a unit of the clock's time; negative: not known
};

// Some of the points, as kendall_test() wants them. times[0] is 0.
struct stretch {
	const struct trend_point *points;
	size_t count;
	double times[KENDALL_MAX];
	double floors[KENDALL_MAX];
	double noise; // variance of the floors' noise, where that is known from more than these; 0: it is not
};

void stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count);
double stretch_duration(const struct stretch *stretch);
double stretch_range(const struct stretch *stretch); // of its floors

// The floor never falls.
bool shape_is_monotone(const struct stretch *stretch);

// The chance of the rise by the signs of its changes alone: right for whatever wanders, but
// it asks for a floor that hardly ever falls; 1 otherwise.
double shape_sign_chance(const struct stretch *stretch);

// Where two lines fit far better than one, the first point of the second: where they meet, if two
// lines that do fit as well. 0: nowhere.
size_t shape_break(const struct stretch *stretch);

// Where two lines that meet fit best, and the evidence for them and against one: the logarithm of
// how many times less they leave, a point. 0: nowhere.
size_t shape_bend(const struct stretch *stretch, double *evidence);

// So slight a rise may be a few steps, beneath their noise.
bool shape_may_be_steps(const struct stretch *stretch, double slope);

// Most of the floor is level, and it rises at few points.
bool shape_is_in_steps(const struct stretch *stretch);

// There were hardly any steps, or the last was twice the longest wait for one ago.
bool shape_steps_have_ended(const struct stretch *stretch);

// It rises so few times that it may be by chance, and not evenly: as a pool does, which gets a
// block each time that more of it is in use than ever before. What is in use may be in no order
// at all.
bool shape_rises_seldom(const struct stretch *stretch);

// The last floor is far below all of the third quarter, by the growth; or below the highest, and
// it never fell nearly as far before. That is but a few points among many that rise, and all that
// counts.
bool shape_falls_at_last(const struct stretch *stretch, double growth);

// Hardly any of what it allocated is still there. Of what is not known it is not said.
bool shape_turns_over(const struct stretch *stretch);

// By Little's law what is live is the rate of allocations times how long they live: the rate
// rises, and live no more than that, so nothing lives longer than before. This can only be said of
// what does not live very long: it turns over.
bool shape_goes_with_load(const struct stretch *stretch);

// curve: does a curve that slows down fit better than a straight line?

struct curve {
	double evidence; // for it and against the line: Schwarz's criterion, twice the logarithm
	double against_two; // the same against two lines
	double goes_on;  // its slope at the end, by that of the whole
	bool leaves_noise; // what neighbours lie off it is no more correlated than by chance
	bool fills; // its pace is ever less, beyond doubt, and two lines are not worth a mention
};

// The best of four: a step, a line that becomes level, one that nears a level (exponential), one
// that never does but is ever slower (logarithm). Where what points lie off it is
// autocorrelated, there is less to go by than there are points.
struct curve curve_that_slows(const struct stretch *stretch);

// What the floors lie off the best of these, or off a line where none is better, squared.
double curve_misfit(const struct stretch *stretch);

// The autocorrelation, 0 to 1, of what points lie off a line from each of these beginnings to the
// next, and from that of number `last` to the end. What wanders has all of it as a whole, and seems
// not to in a part.
double curve_autocorrelation(const struct trend_point *points, size_t count,
	const size_t *onsets, size_t last);

// Evidence for a line, and against a level, at that autocorrelation.
double curve_rises(const struct stretch *stretch, double correlation);

// steps: few steps, and level between them: a load that is another from time to time. `noise` is
// the variance of the floors' noise where it is known; 0: it is not.

// There are two or three of them, and no line: Schwarz's criterion, as a curve's.
bool steps_are_there(const struct stretch *stretch, double noise);

// Up to three steps through all of it fit better than a line from that point on, behind fewer steps
// or another line.
bool steps_fit_better(const struct stretch *all, size_t onset);

// Up to three steps leave no more than a wave does, without which the points are calm; or
// hardly more than the noise.
bool steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm,
	double noise);

// expiry: what lets go of much at once, from time to time, as a cache whose entries expire, and grows
// in between.

// There were such, nothing stayed behind, and since the last there was less time, by the clock,
// than before one of them, and than that.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

// interval: how steep may a rise be, when it is not known where in the stretch it began?

// Widens what is known of its slope; was_sought: the stretch begins where it seems to rise.
void interval_widen(const struct stretch *stretch, bool was_sought, double *low, double *high);

// seasonal: what comes and goes in equal times, as with the hours of a day, told from what stays.

// The points without a wave that goes through them at least twice and explains most of what they
// do, into out[], but those at its edges: how many. 0: there is none.
size_t seasonal_remove(const struct trend_point *points, size_t count,
	struct trend_point *out);

// seasonal_fold: a wave of any shape, whose period is known, by what lies whole periods away.

struct seasonal_fold {
	double slope;   // from each period to the next, their median, in a unit of time
	double squares; // of how far the floors lie off such a wave; INFINITY: it cannot be told
	size_t count;   // of floors that lie at none of its edges
	size_t points[KENDALL_MAX]; // which these are
	double calm[KENDALL_MAX];   // and what they are without the wave
};
void seasonal_fold(const struct stretch *stretch, double period,
	struct seasonal_fold *folded);

// smoothing: a series smoothed, where its floors alone do not tell.

enum { SMOOTHING_COARSE = 4 }; // windows taken together

// So many windows to one; how many these are.
size_t smoothing_coarse(const struct trend_point *points, size_t count,
	struct trend_point *coarse);

// Halfway between floor and peak in the floor's stead. False, and nothing is written: there is
// nothing else to see, since they hardly differ, or end no higher than they are for most of the
// time.
bool smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints);

// The mean in the floor's stead.
void smoothing_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Clearly more snapshots told of the earlier half of the windows than of the later.
bool smoothing_thins_out(const struct trend_point *points, size_t count);

// The mean in the floor's stead where floors and peaks go up and down each by itself, and as far:
// then they are two witnesses of noise that no snapshot shares with the next, of which a mean has
// the least, and it is known. Its variance; 0, and nothing is written: they are not.
double smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// The variance of noise that no value shares with the next, by what each floor lies off its
// neighbours.
double smoothing_noise(const struct trend_point *points, size_t count);

// The last window's mean, of few snapshots, lies below the one before: by more than such few are
// off by chance, and by much of the growth.
bool smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth);

// How many of them are means of so many snapshots as usual: all, or all but the last, which has
// just begun.
size_t smoothing_full(const struct trend_point *points, size_t count);

// trend: what a series of live bytes does: leak, settle, saw-tooth, follow the load?
//
// A leak raises the FLOOR: what is live at the quietest moment. So a series is one point for
// each of many windows of equal time, and it is the windows' minima that are tested: teeth and
// peaks of load, if they are shorter than a window or two, are gone before any test. Then
// (kendall_test()) Mann and Kendall's test with Hamed and Rao's correction says whether the floor
// rises, Theil and Sen's slope how fast; a sign test stands in where a curve is no line but
// never falls. Where two straight lines fit far better than one, what follows the break is
// tested as well: so late beginnings are found, and growth that ended is no leak.
//
// A rise is no leak when it only makes up for an earlier fall, when it ended, when it slows
// down towards a level, or when no more is live than the load explains.
//
// Pure functions of their arguments. They allocate nothing.

enum {
	TREND_MAX = KENDALL_MAX,   // points, at most
	TREND_LEAST = SHAPE_LEAST, // at least: fewer may rise one after the other by chance
};

// What was before this share of the time is start-up.
#define TREND_START_UP 0.1
// A rise that began after this share is young.
#define TREND_YOUNG 0.75
// Evidence that is worth a mention, and such that leaves hardly a doubt: Kass and Raftery, "Bayes
// factors", Journal of the American Statistical Association 90 (1995). More for what goes near what
// a leak does, or is only a part of it; and far more for what is looked for in another way, since
// there is none, or comes and goes, as blocks of a pool do.
#define TREND_POSITIVE 2
#define TREND_STRONG 6
#define TREND_VERY_STRONG 8.75
#define TREND_NO_ACCIDENT 20

enum verdict {
	VERDICT_LEAKS,      // grows steadily
	VERDICT_STEPS,      // grows in steps
	VERDICT_SETTLES,    // grew, and has levelled off
	VERDICT_SLOWS,      // grows, slower and slower
	VERDICT_SAW_TOOTH,  // grows for long and falls back at once, again and again
	VERDICT_OSCILLATES, // goes up and down otherwise
	VERDICT_LOAD,       // grew and fell, or goes with the number of allocations
	VERDICT_START_UP,   // grew at the beginning only
	VERDICT_FLAT,
	VERDICT_SHORT,      // too few points, or too late a rise
	VERDICT_SELDOM,     // the log does not tell: for those who make points
	VERDICT_UNSEEN,     // it grows, but may be freed past the library: likewise
	VERDICTS,
};
extern const char *const verdict_words[VERDICTS];

struct trend {
	enum verdict verdict;
	double confidence; // 0 to 1: that the floor's rise is not chance
	size_t onset;      // the point from which on it grows
	double slope, slope_low, slope_high; // bytes in a unit of time since then
	double growth;        // bytes of the floor since then
	double growth_blocks; // and its blocks
};

static inline bool
verdict_is_leak(enum verdict verdict)
{
	return verdict == VERDICT_LEAKS || verdict == VERDICT_STEPS;
}

// `least`: growth below that is none. count is at most TREND_MAX.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

// rise_test: from one beginning on, is there a rise of the floor that is no chance, and may it be
// something else than a leak?

// What a rise must show to be believed.
struct rise_criteria {
	double growth;
	double evidence; // for a line, and against a level
	bool by_signs;   // instead, that it hardly ever falls
	double noise;    // variance of that of floors, where it is known; 0: it is not
};

// A rise to be tested, from one beginning on.
struct rise_candidate {
	struct stretch stretch;
	struct curve curve;
	double evidence; // as in struct rise_criteria
	bool is_young;
	bool is_whole;   // the series from its beginning on, of which each part tells as much
	double noise;    // as in struct rise_criteria
};

// It slows down: as a curve that it is, and the line is not.
bool rise_test_slows(const struct rise_candidate *candidate);

// What it does then.
enum verdict rise_test_verdict(const struct curve *curve);

// How much there is from one point on, and how steep, when that is a rise.
void rise_test_measure(const struct stretch *stretch, const struct kendall *kendall,
	struct trend *trend);

// False: there is none but what chance makes, of so many beginnings that could have been tried.
// Else *trend says what it is.
bool rise_test(const struct stretch *all, const struct rise_candidate *candidate,
	size_t tries, const struct rise_criteria *criteria, struct trend *trend);

// changepoint: where may a rise begin?

enum { CHANGEPOINTS_MAX = 4 }; // that are tried

// The series' own beginning, and that behind each break but a late one: how many.
size_t changepoint_find_all(const struct trend_point *points, size_t count, size_t *onsets);

// A leak that is seen from an earlier point on began there, unless it hardly grew at first, or so
// fast that this was something else: by the clock, too, where there is one. Where the work has
// become another, as when other requests come than before, it grows by the clock as it did.
bool changepoint_is_better(const struct trend_point *points, size_t count,
	const struct trend *later, const struct trend *earlier);

// oscillation: how far and how often a series goes up and down, and what it is if it does not leak.

enum {
	OSCILLATION_TEETH = 3, // falls that are a habit
};

// The span between the lowest floor and the highest peak.
double oscillation_range(const struct trend_point *points, size_t count);

// Falls by at least that much, each from where it had risen as much.
unsigned oscillation_count(const struct trend_point *points, size_t count, double much);

// A rise from that point on, by so much, is one of its teeth.
bool oscillation_is_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// Teeth end where the rise begins, which falls no more, takes no longer than all of these, and ends
// hardly higher: it is one of them.
bool oscillation_is_long_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// `least`: growth below that is none.
enum verdict oscillation_verdict(const struct trend_point *points, size_t count,
	double least);

#endif
