#include <stdlib.h>

#include "base/memory.h"
#include "print/share.h"

struct remainder {
	unsigned __int128 left;
	size_t index;
};

static int
by_left(const void *a, const void *b)
{
	const struct remainder *one = a;
	const struct remainder *other = b;

	if (one->left != other->left)
		return one->left > other->left ? -1 : 1;
	return (one->index > other->index) - (one->index < other->index);
}

void
share_split(unsigned *tenths, unsigned whole, const uint64_t *parts, size_t count)
{
	struct remainder *remainders = memory_get(count, sizeof(*remainders));
	unsigned __int128 sum = 0;
	unsigned left = whole;

	for (size_t i = 0; i < count; i++) {
		tenths[i] = 0;
		sum += parts[i];
	}
	for (size_t i = 0; i < count && sum > 0; i++) {
		unsigned __int128 part = (unsigned __int128)parts[i] * whole;
		tenths[i] = (unsigned)(part / sum);
		remainders[i] = (struct remainder){part % sum, i};
		left -= tenths[i];
	}
	qsort(remainders, count, sizeof(*remainders), by_left);
	for (size_t i = 0; sum > 0 && i < left; i++)
		tenths[remainders[i].index]++;
	free(remainders);
}
