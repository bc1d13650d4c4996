// on each allocator
// A double or wild free ends the program with the same message and signal as without us.

#include <stdlib.h>
#include <string.h>

#include "host.h"

static char nowhere[4096];

static void
err(int kind)
{
	char *block = malloc(100);
	char *large = malloc(1 << 20);
	memset(block, 'A', 100);
	memset(large, 'A', 1 << 20);
	char *aligned = (char *)(((unsigned long)nowhere + 63) & ~63UL);
	switch (kind) {
	case 0: free(block); free(block); break;
	case 1: free(block + 16); break;
	case 2: free(block + 8); break;
	case 3: free(block + 1); break;
	case 4: free(aligned); break;
	case 5: free(large); free(block); free(block); break;
	case 6: free(large + 4096); break;
	case 7: memset(aligned - 16, 0xff, 16); free(aligned); break;
	case 8: aligned[-8] = 2, aligned[-7] = 2; free(aligned); break;
	case 9: use(realloc(block + 16, 10)); break;
	case 10: use(realloc(aligned, 10)); break;
	case 11: aligned[-8] = 1, aligned[-5] = 0x7f; free(aligned); break;
	}
}

void
host(void)
{
	if (host_role()[0])
		err(atoi(host_role()));
}

// tcmalloc names the pointer.
static const char *
message(const char *path)
{
	char *text = read_file(path);
	char *pointer = strstr(text, " invalid pointer 0x");
	if (pointer)
		strcpy(pointer, " invalid pointer");
	return text;
}

void
check(const struct logfile *log)
{
	(void)log;
	for (int kind = 0; kind < 12; kind++) {
		char role[8];
		snprintf(role, sizeof(role), "%d", kind);
		int without = run_again(role, false, "without");
		int with = run_again(role, true, "with");
		if (without != with || strcmp(message("without"), message("with")) != 0)
			fprintf(stderr, "kind %d: status %d and %d: %s and %s\n", kind, without, with,
				read_file("without"), read_file("with"));
		expect_equal(without, with);
		expect(strcmp(message("without"), message("with")) == 0);
	}
}
