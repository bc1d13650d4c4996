// SPDX-License-Identifier: BSD-2-Clause

#include "trend/verdict.h"

const char *const verdict_words[VERDICTS] = {
	[VERDICT_LEAKS] = "leaks",
	[VERDICT_STEPS] = "leaks in steps",
	[VERDICT_SETTLES] = "settles",
	[VERDICT_SLOWS] = "slows down",
	[VERDICT_SAW_TOOTH] = "saw-tooth",
	[VERDICT_OSCILLATES] = "up and down",
	[VERDICT_LOAD] = "follows load",
	[VERDICT_START_UP] = "start-up",
	[VERDICT_FLAT] = "flat",
	[VERDICT_SHORT] = "too short to tell",
	[VERDICT_SELDOM] = "seldom shown",
	[VERDICT_UNSEEN] = "freed unseen",
};
