// logcheck LOG...: reads logs by logfile.h, prints what is wrong and a line of figures.
// Exit status 1 when anything is.

#include <inttypes.h>
#include <stdlib.h>

#include "logfile.h"

int
main(int argc, char **argv)
{
	int complaints = 0;
	int blocks = 0;
	uint64_t accounted = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: logcheck LOG...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		struct logfile log;
		int found = log_read(&log, argv[i], stdout);
		if (found < 0)
			printf("%s: no such log\n", argv[i]);
		else if (found == 0 && log.block_count == 0)
			printf("%s: no blocks\n", argv[i]);
		complaints += found != 0 || log.block_count == 0;
		blocks += log.block_count;
		accounted += log.accounted;
	}
	printf("%d logs, %d blocks, %" PRIu64 " allocations accounted, %d bad\n", argc - 1,
		blocks, accounted, complaints);
	return complaints != 0;
}
