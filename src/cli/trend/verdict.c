// SPDX-License-Identifier: BSD-2-Clause

#include "trend/verdict.h"

const char *const verdict_words[VERDICTS] = {
	[VERDICT_LEAKS] = "leaks",
	[VERDICT_SLOWS] = "slows down",
	[VERDICT_LEVELLED_OFF] = "levelled off",
	[VERDICT_UP_AND_DOWN] = "up and down",
	[VERDICT_FLAT] = "flat",
	[VERDICT_SHORT] = "too short to tell",
	[VERDICT_SELDOM] = "seldom shown",
	[VERDICT_UNSEEN] = "freed unseen",
};
