// Starts a program for aarch64 by qemu, as if it were this one. WORDS are qemu's path and options, the
// program's path and its first arguments. Linked statically, it is not preloaded itself: what LD_PRELOAD
// names is the program's.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	static char *const words[] = {WORDS};
	enum { COUNT = sizeof(words) / sizeof(*words) };
	char *all[COUNT + argc + 3];
	char set[4096] = "LD_PRELOAD=";
	const char *preload = getenv("LD_PRELOAD");
	int count = 0;

	all[count++] = words[0];
	if (preload && *preload) {
		strncat(set, preload, sizeof(set) - strlen(set) - 1);
		all[count++] = "-E";
		all[count++] = set;
		unsetenv("LD_PRELOAD");
	}
	memcpy(&all[count], &words[1], (COUNT - 1) * sizeof(*words));
	memcpy(&all[count + COUNT - 1], &argv[1], argc * sizeof(*argv));
	execv(words[0], all);
	perror(words[0]);
	return 127;
}
