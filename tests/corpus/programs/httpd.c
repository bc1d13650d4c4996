// An HTTP server on libmicrohttpd. A request has a state until it is answered; with the leak for ever, where
// its path has "/cancel". The twin has a cache of 2,000 pages.

#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "plant.h"

static int leaks;

struct request {
	char body[900];
	int turn;
};

__attribute__((noinline)) struct request *
new_request(int turn)
{
	struct request *made = malloc(sizeof *made);
	memset(made, 0, sizeof *made);
	made->turn = turn;
	return made;
}

__attribute__((noinline)) void
keep_page(int turn)
{
	static char *pages[2000];
	free(pages[turn % 2000]);
	memset(pages[turn % 2000] = malloc(700 + turn % 9), 'p', 700);
}

static enum MHD_Result
answer(void *own, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
	const char *data, size_t *data_bytes, void **state)
{
	static int turn;
	(void)own, (void)method, (void)version, (void)data, (void)data_bytes;
	if (!*state) {
		*state = new_request(turn++);
		return MHD_YES;
	}
	struct request *request = *state;
	char *page = malloc(20000);
	memset(page, 'a' + request->turn % 26, 20000);
	struct MHD_Response *response = MHD_create_response_from_buffer(20000, page, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result = MHD_queue_response(connection, 200, response);
	MHD_destroy_response(response);
	if (leaks && strstr(url, "/cancel"))
		plant(sizeof *request);
	else
		free(request);
	if (!leaks)
		keep_page(turn);
	return result;
}

int
main(int count, char **arguments)
{
	leaks = strcmp(arguments[count - 1], "leak") == 0;
	MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 8000, NULL, NULL, answer, NULL, MHD_OPTION_END);
	for (;;)
		pause();
}
