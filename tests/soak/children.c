#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "children.h"

enum { KEPT = 16, SHELF = 24, DEPTH_MAX = 2, DESCRIPTORS = 1024, OURS_FROM = 200 };

// Of the forking thread; a child has its copy.
static struct {
	int judge;
	uint64_t seed;
	int depth;
	struct record *record; // for its next child
	void *kept[KEPT];
	uint64_t *forked; // shared by all
} state;

pthread_mutex_t loader_quiet = PTHREAD_MUTEX_INITIALIZER;

struct shelf {
	void *blocks[SHELF];
	uint64_t seed;
};

#define FRAME __attribute__((noinline))
FRAME void *forker_kept(size_t n) { return book_alloc(SITE_KEPT, malloc(n), n); }
FRAME void *child_malloc(size_t n) { return book_alloc(SITE_CHILD_MALLOC, malloc(n), n); }
FRAME void *child_realloc(void *old, size_t n) { return book_realloc(SITE_CHILD_REALLOC, old, n); }

// The first steps leave a block of each site behind: what holds nothing is not in the last
// block by itself.
static FRAME void
child_step(struct shelf *shelf, int step)
{
	uint32_t number = next_random(&shelf->seed);
	void **block = &shelf->blocks[number % SHELF];
	bool pinned = step < 2;
	void *made = child_malloc(random_size(&shelf->seed));
	if (step == 1 || (!pinned && number % 3 == 0))
		made = child_realloc(made, random_size(&shelf->seed));
	if (pinned)
		return;
	void *old = *block;
	*block = made;
	book_free(old);
}

static FRAME void
child_steps(struct shelf *shelf, int steps)
{
	for (int i = 0; i < steps; i++)
		child_step(shelf, i);
}

static void *
child_thread(void *seed)
{
	struct shelf shelf = {.seed = (uintptr_t)seed};
	child_steps(&shelf, 100);
	return NULL;
}

static void
use_threads(uint64_t seed)
{
	pthread_t threads[3];
	for (uintptr_t i = 0; i < 3; i++) {
		if (pthread_create(&threads[i], NULL, child_thread, (void *)(seed + i)) != 0)
			_exit(90);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

// As daemons do; then its own descriptors are everywhere, and must get only what is its own.
static void
be_a_daemon(struct shelf *shelf)
{
	char byte;
	int pair[2];

	setsid();
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		close(fd);
	for (int fd = 0; fd < 3; fd++) {
		if (open("/dev/null", O_RDWR) != fd)
			_exit(91);
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0)
		_exit(92);
	for (int fd = OURS_FROM; fd < OURS_FROM + 8; fd++)
		dup2(pair[1], fd);
	child_steps(shelf, 200);
	if (recv(pair[0], &byte, 1, 0) != -1 || errno != EAGAIN)
		_exit(93);
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		bool own = fd < 5 || (fd >= OURS_FROM && fd < OURS_FROM + 8);
		if ((fcntl(fd, F_GETFD) >= 0) != own)
			_exit(94);
	}
}

static void
become_another(uint64_t seed)
{
	char judge[16], text[32];
	snprintf(judge, sizeof(judge), "%d", state.judge);
	snprintf(text, sizeof(text), "%lu", (unsigned long)seed);
	execl("/proc/self/exe", "soak", "again", judge, text, (char *)NULL);
	_exit(95);
}

static struct record *
shared_record(void)
{
	void *map = mmap(NULL, sizeof(struct record), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		_exit(96);
	return map;
}

static FRAME void
child_life(enum ending ending)
{
	struct shelf shelf = {.seed = state.seed};

	state.record = ending == END_FORK ? shared_record() : NULL;
	child_steps(&shelf, 150 + (int)(next_random(&shelf.seed) % 100));
	for (int i = 0; i < KEPT; i += 2) {
		book_free(state.kept[i]);
		state.kept[i] = NULL;
	}
	state.seed = shelf.seed;
	if (ending == END_FORK)
		children_next();
	if (ending == END_THREADS)
		use_threads(shelf.seed);
	if (ending == END_DAEMON)
		be_a_daemon(&shelf);
	if (ending == END_EXEC)
		become_another(shelf.seed);
	while (ending == END_KILLED)
		child_steps(&shelf, 1000);
	if (ending == END_ABORT)
		abort();
	if (ending == END_UNDERSCORE)
		_exit(0);
	exit(0);
}

static void
report(const struct record *record)
{
	// Less than PIPE_BUF: whole, whoever else writes.
	while (write(state.judge, record, sizeof(*record)) < 0 && errno == EINTR)
		;
}

static int
wait_for(pid_t pid)
{
	int status = -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static bool
will_exit(enum ending ending)
{
	return ending == END_EXIT || ending == END_DAEMON || ending == END_THREADS
		|| ending == END_FORK;
}

static pid_t
start_child(enum ending ending)
{
	extern char **environ;
	char *words[] = {"true", NULL};
	pid_t pid = -1;

	if (ending == END_SPAWN)
		return posix_spawn(&pid, "/bin/true", NULL, NULL, words, environ) == 0 ? pid : -1;
	if (will_exit(ending))
		pthread_mutex_lock(&loader_quiet);
	pid = fork();
	if (will_exit(ending))
		pthread_mutex_unlock(&loader_quiet);
	if (pid != 0)
		return pid;
	books_own = state.record->own;
	state.depth++;
	child_life(ending);
	return -1;
}

void
children_next(void)
{
	uint32_t number = next_random(&state.seed);
	enum ending ending = number % ENDINGS;
	if (ending == END_AGAIN || (ending == END_FORK && state.depth == DEPTH_MAX))
		ending = END_EXIT;

	struct record *record = state.record;
	*record = (struct record){.parent = getpid(), .ending = ending};
	memcpy(record->before, books_own, sizeof(record->before));
	memcpy(record->own, books_own, sizeof(record->own));
	record->pid = start_child(ending);
	if (ending == END_KILLED) {
		usleep(1000 + number / ENDINGS % 20000);
		kill(record->pid, SIGKILL);
	}
	record->status = record->pid > 0 ? wait_for(record->pid) : -1;
	__atomic_fetch_add(state.forked, 1, __ATOMIC_RELAXED);
	report(record);
	// Other blocks for the next one, from the same place.
	for (int i = 0; i < KEPT && state.depth == 0; i++) {
		void *old = state.kept[i];
		state.kept[i] = forker_kept(random_size(&state.seed));
		book_free(old);
	}
}

void
children_start(int judge, uint64_t seed)
{
	state.judge = judge;
	state.seed = seed;
	state.record = shared_record();
	state.forked = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

uint64_t
children_forked(void)
{
	return __atomic_load_n(state.forked, __ATOMIC_RELAXED);
}

void
children_again(int judge, uint64_t seed)
{
	struct shelf shelf = {.seed = seed};
	struct record record = {.pid = getpid(), .parent = getppid(), .ending = END_AGAIN};

	state.judge = judge;
	child_steps(&shelf, 300);
	memcpy(record.own, books_own, sizeof(record.own));
	report(&record);
	exit(0);
}
