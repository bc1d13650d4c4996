// logcheck [-t] LOG...: reads logs by logfile.h, prints what is wrong and a line of figures.
// Exit status 1 when anything is; a block cut off counts, too, but with -t: its process was
// killed.

#include <inttypes.h>
#include <string.h>

#include "logfile.h"

int
main(int argc, char **argv)
{
	int complaints = 0;
	int blocks = 0;
	uint64_t accounted = 0;

	int first = argc > 1 && strcmp(argv[1], "-t") == 0 ? 2 : 1;
	int torn = 0;

	if (argc <= first) {
		fprintf(stderr, "usage: logcheck [-t] LOG...\n");
		return 2;
	}
	for (int i = first; i < argc; i++) {
		struct logfile log;
		int found = log_read(&log, argv[i], stdout);
		if (found < 0)
			printf("%s: no such log\n", argv[i]);
		else if (found == 0 && log.snapshot_count == 0)
			printf("%s: no blocks\n", argv[i]);
		else if (log.torn > 0)
			printf("%s: %d blocks were cut off\n", argv[i], log.torn);
		complaints += found != 0 || log.snapshot_count == 0 || (log.torn > 0 && first == 1);
		torn += found >= 0 ? log.torn : 0;
		blocks += log.snapshot_count;
		accounted += log.accounted;
	}
	printf("%d logs, %d blocks, %d cut off, %" PRIu64 " allocations accounted, %d bad\n",
		argc - first, blocks, torn, accounted, complaints);
	return complaints != 0;
}
