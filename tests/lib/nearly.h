// nearly: expects numbers that are computed to be what they should be, within so much; and counts
// those that are not.

#ifndef TESTS_NEARLY_H
#define TESTS_NEARLY_H

#include <math.h>
#include <stdio.h>

static int wrong;

static inline void
expect(const char *what, double is, double should, double within)
{
	if (fabs(is - should) <= within)
		return;
	printf("%s: %.9g, expected %.9g\n", what, is, should);
	wrong++;
}

#endif
