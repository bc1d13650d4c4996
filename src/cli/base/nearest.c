#include <string.h>

#include "base/nearest.h"

enum {
	WORD_MAX = 32,
	SLIPS_MAX = 2,
};

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

// The distance of Damerau and Levenshtein, where nothing changes between swapped letters:
// rows[i][j] is that of the first i letters of one and the first j of the other.
static unsigned
slips_between(const char *a, const char *b)
{
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);
	unsigned rows[WORD_MAX + 1][WORD_MAX + 1];

	if (a_length > WORD_MAX || b_length > WORD_MAX)
		return WORD_MAX;
	for (size_t i = 0; i <= a_length; i++) {
		for (size_t j = 0; j <= b_length; j++) {
			if (i == 0 || j == 0) {
				rows[i][j] = (unsigned)(i + j);
				continue;
			}
			unsigned slips = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			slips = least(slips, least(rows[i - 1][j], rows[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				slips = least(slips, rows[i - 2][j - 2] + 1);
			rows[i][j] = slips;
		}
	}
	return rows[a_length][b_length];
}

void
nearest_try(struct nearest *nearest, const char *written, const char *word)
{
	unsigned slips = slips_between(written, word);

	// Of a short word two slips leave little.
	if (slips > SLIPS_MAX || slips * 2 > strlen(word))
		return;
	if (nearest->word && nearest->slips <= slips)
		return;
	nearest->word = word;
	nearest->slips = slips;
}
