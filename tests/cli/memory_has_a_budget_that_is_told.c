// Where what is read takes more memory than its budget the reader ends and says so, before the machine
// has none left; whatever the memory was for.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"

enum { MIB = 1 << 20, MOST = 64, STEPS = 200 };

static void
grow_blocks(void)
{
	for (int i = 0; i < STEPS; i++)
		memset(memory_get(1, MIB), 1, MIB);
}

static void
grow_items(void)
{
	static char *items;
	static size_t room;

	for (size_t i = 0; i < (size_t)STEPS * MIB; i++) {
		items = memory_grow(items, i, &room, 1);
		items[i] = 1;
	}
}

static void
grow_arena(void)
{
	static struct arena arena;

	for (int i = 0; i < STEPS * 1024; i++)
		memset(arena_get(&arena, 1024), 1, 1024);
}

// Its end, and what it says.
static int
is_told(const char *what, void (*grow)(void))
{
	char words[512] = "";
	int ends[2], status;

	if (pipe(ends) != 0)
		return 0;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		memory_most = (unsigned long long)MOST * MIB;
		grow();
		_exit(0);
	}
	close(ends[1]);
	ssize_t length = read(ends[0], words, sizeof(words) - 1);
	words[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	int good = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DATA
		&& strstr(words, "pmem: more than 64 MiB of memory are needed");
	if (!good)
		printf("%s: status %x: %s\n", what, (unsigned)status, words);
	return good;
}

int
main(void)
{
	int good = is_told("blocks", grow_blocks);

	good &= is_told("items", grow_items);
	good &= is_told("an arena", grow_arena);
	return !good;
}
