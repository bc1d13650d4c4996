// each: -DPMEM_CHECK=1
// A condition that does not hold is counted, and the first one's place is known.

#include <string.h>

#include "unit.h"
#include "base/check.h"
#include "base/loss.h"

int
main(void)
{
	int line;

	CHECK(1 + 1 == 2);
	expect(!check_first(&line));
	expect(loss_get(LOSS_CHECKS_FAILED) == 0);
	int first = __LINE__ + 1;
	CHECK(1 + 1 == 3);
	CHECK(1 + 1 == 4);
	const char *file = check_first(&line);
	expect(file && strstr(file, "unit/check.c"));
	expect((uint64_t)line == (uint64_t)first);
	expect(loss_get(LOSS_CHECKS_FAILED) == 2);
	return 0;
}
