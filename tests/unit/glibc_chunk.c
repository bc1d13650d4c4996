// A header of a block that is a mapping of its own is known as glibc up to 2.42 writes it, and as it
// does from 2.43 on: there its size is without the header. What free() would refuse is none.

#include <stdlib.h>

#include "unit.h"
#include "heap/glibc_chunk.h"

enum { PAGE = 4096, PAGES = 4 };

static _Alignas(PAGE) size_t map[PAGES * PAGE / sizeof(size_t)];

// A chunk `before` bytes into the mapping, of this size.
static bool
is_plausible(size_t before, size_t size)
{
	size_t *header = map + before / sizeof(size_t);

	header[0] = before;
	header[1] = size | GLIBC_CHUNK_MMAPPED;
	return glibc_chunk_is_plausible(header + 2);
}

int
main(void)
{
	const size_t whole = PAGES * PAGE, header = 2 * sizeof(size_t);

	expect(is_plausible(0, whole) && is_plausible(0, whole - header));
	expect(is_plausible(240, whole - 240) && is_plausible(240, whole - 240 - header));
	for (size_t less = header; less < PAGE; less += header)
		expect(is_plausible(0, whole - less) == (less == header));
	// From 2.43 on a flag may stand in the word before the size: huge pages.
	map[0] = 1;
	map[1] = (whole - header) | GLIBC_CHUNK_MMAPPED;
	expect(glibc_chunk_is_plausible(map + 2));
	return EXIT_SUCCESS;
}
