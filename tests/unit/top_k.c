// The first of the order come to the front, sorted; nothing is lost.

#include "unit.h"
#include "base/top_k.h"

static bool larger(uint64_t a, uint64_t b) { return a > b; }

int
main(void)
{
	static uint64_t items[1000];
	for (size_t count = 0; count <= 1000; count += count < 20 ? 1 : 97) {
		for (size_t wanted = 0; wanted <= count + 3; wanted += count < 20 ? 1 : 101) {
			uint64_t sum = 0;
			for (size_t i = 0; i < count; i++)
				sum += items[i] = (i * 7919 + count) % 613;
			top_k_select(items, count, wanted, larger);
			size_t first = wanted < count ? wanted : count;
			for (size_t i = 0; i < count; i++) {
				sum -= items[i];
				if (i > 0 && i < first)
					expect(items[i - 1] >= items[i]);
				if (i >= first && first > 0)
					expect(items[i] <= items[first - 1]);
			}
			expect(sum == 0);
		}
	}
	return 0;
}
