#include "base/term.h"
#include "log/progress.h"

const struct block *
progress_next(struct reading *reading)
{
	const struct block *block = reading_next(reading);
	uint64_t of;
	uint64_t done = reading_bytes(reading, &of);

	term_progress(block ? reading_path(reading) : NULL, done, of);
	return block;
}
