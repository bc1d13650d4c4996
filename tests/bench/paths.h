// paths: as many distinct call stacks as one asks for, of any depth. A path is a number;
// each frame of two functions that call each other in turn takes four bits of it, and calls the
// next from one of its sixteen call sites. So 4 frames make 65536 stacks, and what a
// profiler sees are real return addresses, of frames of two sizes.

#ifndef BENCH_PATHS_H
#define BENCH_PATHS_H

enum {
	PATHS_MAX = 65536, // of 5 frames or more; 16 of 2
	PATHS_FEW = 16,
};

typedef int path_step(unsigned frames, unsigned path, void *argument);

static struct {
	path_step *end;   // called by the innermost frame
	unsigned varying; // frames that take bits, from the innermost on
} paths;

// Stacks differ in this many of these frames; 0: up to PATHS_FEW in the innermost, which is
// a loop that allocates in a few places; with more in all, so that no frame is as it was in
// the stack before: the worst for whoever remembers it.
static void
paths_set(unsigned count, unsigned varying, path_step *end)
{
	paths.end = end;
	paths.varying = varying ? varying : count <= PATHS_FEW ? 1 : ~0U;
}

// Odd, so that no two are the same in 16 bits.
static unsigned
path_of(unsigned number)
{
	return paths.varying == 1 ? number : number * 40503U & (PATHS_MAX - 1);
}

static unsigned
path_site(unsigned frames, unsigned path)
{
	return frames <= paths.varying ? path >> ((frames - 1) & 3) * 4 & 15 : 0;
}

static path_step path_odd;

// The callers add different numbers: what follows the calls is not the same, and no
// compiler folds them into one.
static __attribute__((noinline)) int
path_even(unsigned frames, unsigned path, void *argument)
{
	path_step *next = frames == 1 ? paths.end : path_odd;
	switch (path_site(frames, path)) {
	case 0: return next(frames - 1, path, argument) + 1;
	case 1: return next(frames - 1, path, argument) + 2;
	case 2: return next(frames - 1, path, argument) + 3;
	case 3: return next(frames - 1, path, argument) + 4;
	case 4: return next(frames - 1, path, argument) + 5;
	case 5: return next(frames - 1, path, argument) + 6;
	case 6: return next(frames - 1, path, argument) + 7;
	case 7: return next(frames - 1, path, argument) + 8;
	case 8: return next(frames - 1, path, argument) + 9;
	case 9: return next(frames - 1, path, argument) + 10;
	case 10: return next(frames - 1, path, argument) + 11;
	case 11: return next(frames - 1, path, argument) + 12;
	case 12: return next(frames - 1, path, argument) + 13;
	case 13: return next(frames - 1, path, argument) + 14;
	case 14: return next(frames - 1, path, argument) + 15;
	default: return next(frames - 1, path, argument) + 16;
	}
}

static __attribute__((noinline)) int
path_odd(unsigned frames, unsigned path, void *argument)
{
	volatile long wide[6];
	wide[0] = path;
	path_step *next = frames == 1 ? paths.end : path_even;
	switch (path_site(frames, path)) {
	case 0: return next(frames - 1, path, argument) + (int)wide[0];
	case 1: return next(frames - 1, path, argument) - 2;
	case 2: return next(frames - 1, path, argument) - 3;
	case 3: return next(frames - 1, path, argument) - 4;
	case 4: return next(frames - 1, path, argument) - 5;
	case 5: return next(frames - 1, path, argument) - 6;
	case 6: return next(frames - 1, path, argument) - 7;
	case 7: return next(frames - 1, path, argument) - 8;
	case 8: return next(frames - 1, path, argument) - 9;
	case 9: return next(frames - 1, path, argument) - 10;
	case 10: return next(frames - 1, path, argument) - 11;
	case 11: return next(frames - 1, path, argument) - 12;
	case 12: return next(frames - 1, path, argument) - 13;
	case 13: return next(frames - 1, path, argument) - 14;
	case 14: return next(frames - 1, path, argument) - 15;
	default: return next(frames - 1, path, argument) - 16;
	}
}

#endif
