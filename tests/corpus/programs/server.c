// A service in C, in several kinds. What it does for each request stands beside what it keeps.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "plant.h"

static int leaks;
static long start;

struct session {
	struct session *next;
	long until;
	char *name;
	char state[300];
};

static inline __attribute__((always_inline)) void *
filled(size_t bytes)
{
	return memset(malloc(bytes), 7, bytes);
}

__attribute__((noinline)) void
render(int i)
{
	char *page = filled(2000 + i % 7 * 1500);
	char *body = filled(9000 + i % 11 * 900);
	free(page);
	free(body);
}

__attribute__((noinline)) struct session *
open_session(int i)
{
	struct session *made = filled(sizeof *made);
	made->name = strdup("a name of someone who came here");
	made->next = NULL;
	made->until = time(NULL) + (leaks ? 60 : 280) + i % 20;
	return made;
}

// Sessions end by their time. With the leak every fourth is forgotten.
__attribute__((noinline)) void
sessions(int i)
{
	static struct session *first, **last = &first;
	struct session *made = open_session(i);
	if (leaks && i % 4 == 0) {
		plant(sizeof *made + 32);
	} else {
		*last = made;
		last = &made->next;
	}
	while (first && first->until < time(NULL)) {
		struct session *gone = first;
		first = gone->next;
		if (!first)
			last = &first;
		free(gone->name);
		free(gone);
	}
}

// From the sixth minute on orders are exported. Each has a buffer; the twin's are in a ring that fills.
__attribute__((noinline)) void
export_order(int i)
{
	static char *ring[1500];
	static int at;
	if (time(NULL) - start < 330)
		return;
	char *order = filled(700 + i % 5);
	if (leaks) {
		if (i % 4)
			free(order);
		else
			plant(700 + i % 5);
		return;
	}
	free(ring[at % 1500]);
	ring[at++ % 1500] = order;
}

struct config {
	struct config *next;
	char text[1000];
};

__attribute__((noinline)) struct config *
load_config(int rows)
{
	struct config *first = NULL;
	for (int i = 0; i < rows; i++) {
		struct config *row = filled(sizeof *row);
		row->next = first;
		first = row;
	}
	return first;
}

// Each 50 seconds a new configuration; two old ones are kept for requests that go on.
__attribute__((noinline)) void
reload(int i)
{
	static struct config *kept[3];
	static int at;
	if (i % 1000)
		return;
	struct config *new = load_config(60 + at % 3);
	if (leaks)
		plant(sizeof *new * (60 + at % 3));
	for (struct config *row = leaks ? NULL : kept[at % 3], *next; row; row = next) {
		next = row->next;
		free(row);
	}
	kept[at++ % 3] = new;
}

struct node {
	struct node *left, *right;
	char text[60];
};

__attribute__((noinline)) struct node *
new_node(void)
{
	struct node *made = filled(sizeof *made);
	made->left = made->right = NULL;
	return made;
}

// A document's shape is its bits: so the stacks are many.
__attribute__((noinline)) struct node *parse_list(unsigned bits, int depth);

__attribute__((noinline)) struct node *
parse_map(unsigned bits, int depth)
{
	struct node *made = new_node();
	if (depth)
		made->left = bits & 1 ? parse_map(bits >> 1, depth - 1) : parse_list(bits >> 1, depth - 1);
	return made;
}

__attribute__((noinline)) struct node *
parse_list(unsigned bits, int depth)
{
	struct node *made = new_node();
	if (depth)
		made->right = bits & 1 ? parse_map(bits >> 1, depth - 1) : parse_list(bits >> 1, depth - 1);
	return made;
}

static void
free_node(struct node *node)
{
	if (!node)
		return;
	free_node(node->left);
	free_node(node->right);
	free(node);
}

// The last documents are kept; with the leak one in six is never let go.
__attribute__((noinline)) void
document(int i)
{
	static struct node *kept[2000];
	unsigned bits = (unsigned)i * 2654435761u;
	struct node *made = parse_map(bits >> 7, 9);
	int slot = i % (leaks ? 100 : 2000);
	free_node(kept[slot]);
	kept[slot] = made;
	if (leaks && i % 6 == 0) {
		kept[slot] = NULL;
		plant(10 * sizeof *made);
	}
}

__attribute__((noinline)) void *
connection(void *number)
{
	static __thread char *scratch;
	int i = (int)(long)number;
	scratch = filled(6000 + i % 5 * 100);
	for (int n = 0; n < 20; n++, usleep(50000))
		render(i + n);
	if (!leaks || i % 2)
		free(scratch);
	else
		plant(6000 + i % 5 * 100);
	return NULL;
}

__attribute__((noinline)) void *
pooled(void *number)
{
	char *scratch = filled(90000);
	for (int n = 0;; n++, usleep(400000)) {
		render((int)(long)number + n);
		scratch[n % 90000] = 1;
	}
	return NULL;
}

// A thread for each connection; the twin has them in a pool that grows with the load.
__attribute__((noinline)) void
threads(int i)
{
	pthread_t thread;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
	if (i % 10 == 0)
		pthread_create(&thread, &small, connection, (void *)(long)(i / 10));
	if (!leaks && i % 1200 == 0 && i < 9600)
		pthread_create(&thread, &small, pooled, (void *)(long)i);
	pthread_attr_destroy(&small);
}

// Of six workers the fifth leaks; each has a cache that fills.
static void
fork_workers(void (*request)(int))
{
	for (int worker = 0; worker < 6; worker++) {
		if (fork())
			continue;
		leaks = leaks && worker == 4;
		for (int i = 0;; i++, pace(4)) {
			render(i);
			request(i);
		}
	}
	while (wait(NULL) > 0)
		continue;
}

__attribute__((noinline)) void
remember_answer(int i)
{
	static char *cache[1200];
	char *answer = filled(900 + i % 9);
	if (leaks) {
		plant(900 + i % 9);
	} else {
		free(cache[i % 1200]);
		cache[i % 1200] = answer;
	}
}

// A leak of a MiB an hour; the twin's table is full after a quarter of an hour.
__attribute__((noinline)) void
note_visitor(int i)
{
	static char *seen[900];
	if (i % 20)
		return;
	char *visitor = filled(280 + i % 9);
	if (leaks) {
		plant(280 + i % 9);
	} else {
		free(seen[i / 20 % 900]);
		seen[i / 20 % 900] = visitor;
	}
}

// A job each ten minutes makes a report; the twin has the last one alone.
__attribute__((noinline)) char *
make_report(int bytes)
{
	return filled(bytes);
}

__attribute__((noinline)) void
nightly(int i)
{
	static char *rows[100];
	if (i % 12000 != 4000)
		return;
	if (leaks)
		plant(100 * 3000 + 99 * 100 / 2);
	for (int row = 0; row < 100; row++) {
		if (!leaks)
			free(rows[row]);
		rows[row] = make_report(3000 + row);
	}
}

// Memory that the service maps itself; the twin has 12 such areas at most.
__attribute__((noinline)) void
map_area(int i)
{
	static void *areas[12];
	if (i % 400)
		return;
	void *area = mmap(NULL, 256 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(area, 1, 256 << 10);
	if (leaks)
		plant(256 << 10);
	else if (areas[i / 400 % 12])
		munmap(areas[i / 400 % 12], 256 << 10);
	areas[i / 400 % 12] = area;
}

int
main(int count, char **arguments)
{
	const char *kind = arguments[1];
	leaks = strcmp(arguments[count - 1], "leak") == 0;
	start = time(NULL);
	void (*request)(int) = strcmp(kind, "sessions") == 0 ? sessions
		: strcmp(kind, "late") == 0 ? export_order
		: strcmp(kind, "reload") == 0 ? reload
		: strcmp(kind, "document") == 0 ? document
		: strcmp(kind, "threads") == 0 ? threads
		: strcmp(kind, "slow") == 0 ? note_visitor
		: strcmp(kind, "map") == 0 ? map_area
		: strcmp(kind, "nightly") == 0 ? nightly
		: remember_answer;
	if (request == remember_answer)
		fork_workers(request);
	for (int i = 0;; i++, pace(20)) {
		render(i);
		request(i);
	}
}
