#include "base/term.h"
#include "log/progress.h"

const struct snapshot *
progress_next(struct reading *reading)
{
	const struct snapshot *snapshot = reading_next(reading);
	uint64_t of;
	uint64_t done = reading_bytes(reading, &of);

	term_progress(snapshot ? reading_path(reading) : NULL, done, of);
	return snapshot;
}
