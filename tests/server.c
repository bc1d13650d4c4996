// server: a small server that leaks, to show the logger at work. It answers lines read from
// standard input. Three kinds of memory: what a request needs and gives back, a cache that
// fills and then stays, and sessions that are opened and, one in four, forgotten.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE = 64 };

struct session {
	char user[200];
	struct session *next;
};

static char *cache[CACHE];
static struct session *sessions;

void
open_session(const char *user)
{
	struct session *session = calloc(1, sizeof(*session));
	strncpy(session->user, user, sizeof(session->user) - 1);
	session->next = sessions;
	sessions = session;
}

void
close_session(void)
{
	struct session *session = sessions;
	sessions = session->next;
	free(session);
}

const char *
look_up(unsigned key)
{
	if (!cache[key % CACHE])
		cache[key % CACHE] = malloc(512);
	return cache[key % CACHE];
}

void
handle(const char *line, unsigned number)
{
	char *answer = malloc(4096);
	open_session(line);
	snprintf(answer, 4096, "%u %s %p\n", number, line, (const void *)look_up(number));
	// The leak: every fourth caller hangs up early, and nobody closes the session.
	if (number % 4 != 0)
		close_session();
	fputs(answer, stdout);
	free(answer);
}

int
main(void)
{
	char line[256];
	for (unsigned number = 1; fgets(line, sizeof(line), stdin); number++)
		handle(line, number);
	return 0;
}
