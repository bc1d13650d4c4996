// judge: starts the soak's server under the library, takes its logs away while it runs (by
// rename and by truncation, as logrotate would), reads all of them, and compares those of the
// children and the server's last snapshot with their own accounts.
//
//	judge SERVER SECONDS SEED THRESHOLD
//
// The environment for the server is in SOAK_PRELOAD. Exit status 1 when anything differs.

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "tally.h"

enum { HARVEST_BYTES = 1 << 20 };

// A run that ended with exit(): its last snapshot has all there is.
static void
judge_exit(const struct record *record, const struct logfile *log, int run)
{
	char what[64];
	const struct log_snapshot *last = last_of(log, run);
	uint64_t churn = books_churn(record->own) - books_churn(record->before);
	// Threads begin with blocks of the loader's, and a program with those of its start.
	bool others_move = record->ending == END_THREADS || record->ending == END_AGAIN;
	struct inherited inherited = {.others_move = others_move};

	snprintf(what, sizeof(what), "child %d (ending %d)", record->pid, record->ending);
	if (!last || strcmp(last->reason, "exit") != 0) {
		differ("%s: no last block", what);
		return;
	}
	if (!others_move && churn_in(log, run) != churn)
		differ("%s: churn %" PRIu64 ", not %" PRIu64, what, churn_in(log, run), churn);
	if (sources_were_full(last))
		return;
	for (int i = SITES_SHARED; i < SITES; i++)
		same_book(what, site_names[i], book_in(last, i), inherited_shown(record, i, &inherited));
	inherited_judge(what, &inherited, log, run);
}

// A run that ended otherwise: the log is at most a threshold behind, and what a thread keeps
// to itself, and the call under way, and never more than a call ahead.
static void
judge_cut_short(const struct record *record, const struct logfile *log)
{
	uint64_t own = books_churn(record->own) - books_churn(record->before);
	uint64_t logged = churn_in(log, 0);
	uint64_t call = 2 * BOOK_BYTES_MAX;
	uint64_t behind = state.threshold + state.threshold / 64 + call;

	if (logged > own + call || own > logged + behind)
		differ("child %d (ending %d): churn %" PRIu64 ", not about %" PRIu64, record->pid,
			record->ending, logged, own);
}

static const struct record *
find_again(pid_t pid)
{
	for (int i = 0; i < state.again_count; i++) {
		if (state.again[i].pid == pid) {
			static struct record found;
			found = state.again[i];
			state.again[i] = state.again[--state.again_count];
			return &found;
		}
	}
	return NULL;
}

static void
judge_exec(const struct record *record, const struct logfile *log)
{
	const struct record *again = find_again(record->pid);

	judge_cut_short(record, log);
	if (!again || log->run_count != 2)
		differ("child %d: %d runs after exec", record->pid, log->run_count);
	else
		judge_exit(again, log, 1);
}

static bool
ended_well(const struct record *record)
{
	switch (record->ending) {
	case END_ABORT: return WIFSIGNALED(record->status) && WTERMSIG(record->status) == SIGABRT;
	case END_KILLED: return WIFSIGNALED(record->status) && WTERMSIG(record->status) == SIGKILL;
	default: return record->status == 0;
	}
}

static void
judge_child(const struct record *record)
{
	char path[64];
	struct logfile log;
	uint64_t differences = state.differences;

	state.endings[record->ending]++;
	if (record->ending == END_AGAIN) {
		if (state.again_count == AGAIN_MAX)
			abort();
		state.again[state.again_count++] = *record;
		return;
	}
	if (!ended_well(record))
		differ("child %d (ending %d): status %#x", record->pid, record->ending, record->status);
	if (record->ending == END_KILLED)
		tally("faults", 1);
	snprintf(path, sizeof(path), "pmem.%d.log", record->pid);
	char older[80];
	snprintf(older, sizeof(older), "%s.1", path);
	unlink(older);
	if (!read_all(&log, path)) {
		if (record->ending != END_KILLED && record->ending != END_SPAWN)
			differ("child %d (ending %d): no log", record->pid, record->ending);
		return;
	}
	// Killed before it wrote anything into the file that it had made.
	if (log.run_count == 0 && record->ending != END_KILLED)
		differ("child %d (ending %d): an empty log", record->pid, record->ending);
	if (log.run_count > 0 && record->ending != END_SPAWN
		&& (log.runs[0].pid != record->pid || log.runs[0].forked_from != record->parent))
		differ("child %d: not its header: %s", record->pid, log.runs[0].header);
	if (record->ending == END_EXEC)
		judge_exec(record, &log);
	else if (record->ending == END_KILLED || record->ending == END_ABORT
		|| record->ending == END_UNDERSCORE)
		judge_cut_short(record, &log);
	else if (record->ending != END_SPAWN)
		judge_exit(record, &log, 0);
	forget(&log);
	put_away(path, differences);
}

static bool
exists(const char *path, off_t least)
{
	struct stat file;
	return stat(path, &file) == 0 && file.st_size >= least;
}

static void
read_harvest(void)
{
	struct logfile log;
	uint64_t differences = state.differences;

	if (state.headless > 0)
		behead("harvest.log");
	state.headless--;
	if (read_all(&log, "harvest.log"))
		forget(&log);
	put_away("harvest.log", differences);
}

// Takes the server's log away and reads it.
static void
harvest(const char *path)
{
	if (rename(path, "harvest.log") != 0)
		return;
	// The block under way goes to where the file is now. When there is another it is done.
	for (int i = 0; i < 1000 && !exists(path, 1) && kill(state.server, 0) == 0; i++)
		usleep(1000);
	read_harvest();
}

static void
harvest_when_due(void)
{
	static int turn;
	char path[64], older[80];

	snprintf(path, sizeof(path), "pmem.%d.log", state.server);
	snprintf(older, sizeof(older), "%s.1", path);
	if (rename(older, "harvest.log") == 0)
		read_harvest();
	if (!exists(path, HARVEST_BYTES))
		return;
	if (++turn % 5 == 0 && truncate(path, 0) == 0) {
		// It, or the one that was rotated just before.
		state.headless = 2;
		state.truncated++;
	} else if (turn % 5 < 3) {
		harvest(path);
	}
}

// What the library's own start had of the allocator beneath is not in its log. How much that
// is the first run tells, of a server that ends at once.
static void
judge_beneath(const struct final *final, const struct log_snapshot *last)
{
	struct book all = {last->total.alloc + state.start.alloc, last->total.free + state.start.free,
		last->total.allocs + state.start.allocs, last->total.frees + state.start.frees};
	if (!final->counted_beneath)
		return;
	if (state.calibrating)
		state.start = (struct book){final->beneath.alloc - all.alloc,
			final->beneath.free - all.free, final->beneath.allocs - all.allocs,
			final->beneath.frees - all.frees};
	else
		same_book("the server", "all that reached the allocator", all, final->beneath);
}

// What a handler allocated inside a hook is under {other}.
static void
judge_handlers(const struct final *final, const struct log_snapshot *last)
{
	const struct log_source *other = log_by_id(last, "other");
	uint64_t nested = log_loss(last, "nested");
	if ((other ? other->counts.allocs : 0) != nested)
		differ("{other} has %" PRIu64 " allocations, not %" PRIu64,
			other ? other->counts.allocs : 0, nested);
	if (state.calibrating || final->signals == 0)
		return;
	printf("figure: %" PRIu64 " allocations in handlers, %" PRIu64 " of them inside a hook\n",
		final->books[SITE_HANDLER].allocs, nested);
}

static void
print_figures(const struct final *final, const struct log_snapshot *last)
{
	printf("figure: %" PRIu64 " allocations, %" PRIu64 " threads, %" PRIu64 " forks, %" PRIu64
		" dlopens at %" PRIu64 " places, %" PRIu64 " signals, %" PRIu64 " jumps out of one\n",
		last->total.allocs, final->threads, final->forks, final->dlopens, final->places,
		final->signals, final->jumps);
	printf("figure: %" PRIu64 " blocks written, %" PRIu64 " sources; library %" PRIu64
		" KiB resident after a third, %" PRIu64 " at the end\n", last->number + 1, last->sources,
		final->resident_before / 1024, final->resident_after / 1024);
	for (int i = 0; i < last->loss_count; i++)
		printf("figure: lost %s=%" PRIu64 "\n", last->losses[i].name, last->losses[i].count);
}

static void
judge_server(void)
{
	char path[64];
	struct logfile log;
	struct final final;
	int fd = open("final", O_RDONLY);

	snprintf(path, sizeof(path), "pmem.%d.log", state.server);
	if (fd < 0 || read(fd, &final, sizeof(final)) != sizeof(final))
		differ("the server did not come to its end");
	close(fd);
	if (state.headless > 0)
		behead(path);
	uint64_t differences = state.differences;
	if (!read_all(&log, path) || log.snapshot_count == 0) {
		differ("the server has no log");
		return;
	}
	const struct log_snapshot *last = log_last(&log);
	if (strcmp(last->reason, "exit") != 0)
		differ("the server has no last block");
	judge_beneath(&final, last);
	if (!sources_were_full(last)) {
		for (int i = 0; i < SITES; i++) {
			if (i != SITE_HANDLER)
				same_book("the server", site_names[i], book_in(last, i), final.books[i]);
		}
		judge_handlers(&final, last);
	}
	if (final.descriptors_before != final.descriptors_after)
		differ("descriptors: %d, then %d", final.descriptors_before, final.descriptors_after);
	// Its tables are touched as sources come, and by nothing else.
	if (final.resident_after > final.resident_before + (64 << 10) + last->sources * 4096)
		differ("the library grew from %" PRIu64 " bytes to %" PRIu64, final.resident_before,
			final.resident_after);
	if (final.corrupted)
		differ("%" PRIu64 " blocks were written to", final.corrupted);
	if (!state.calibrating)
		print_figures(&final, last);
	forget(&log);
	put_away(path, differences);
	strcat(path, ".1");
	unlink(path);
}

static pid_t
start_server(const char *server, const char *seconds, const char *seed, int judge)
{
	char descriptor[16];
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	snprintf(descriptor, sizeof(descriptor), "%d", judge);
	setenv("LD_PRELOAD", getenv("SOAK_PRELOAD"), 1);
	execl(server, server, "server", descriptor, seconds, seed, (char *)NULL);
	_exit(127);
}

// Starts a server and judges all that it brings about, until its end.
static void
judge_run(char **argv, const char *seconds)
{
	int ends[2];
	int status = -1;
	struct record record;

	// A short pipe: who forks waits for us, and no child's log is met by a later child with
	// the same id. Its other end is ours alone: a server without a judge ends.
	if (pipe(ends) != 0 || fcntl(ends[0], F_SETPIPE_SZ, 4096) < 0
			|| fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0)
		abort();
	state.server = start_server(argv[1], seconds, argv[3], ends[1]);
	close(ends[1]);
	// The end of it is left alone: the log must have its last snapshot.
	time_t quiet = time(NULL) + (time_t)(atof(seconds) * 0.9);
	struct pollfd wait = {.fd = ends[0], .events = POLLIN};
	for (;;) {
		if (poll(&wait, 1, 50) > 0) {
			if (read(ends[0], &record, sizeof(record)) != sizeof(record))
				break;
			judge_child(&record);
		}
		if (time(NULL) < quiet)
			harvest_when_due();
	}
	close(ends[0]);
	waitpid(state.server, &status, 0);
	if (status != 0)
		differ("the server ended with %#x", status);
	judge_server();
}

int
main(int argc, char **argv)
{
	uint64_t children = 0;

	if (argc != 5)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	state.threshold = strtoul(argv[4], NULL, 10);
	state.calibrating = true;
	judge_run(argv, "0");
	state.calibrating = false;
	judge_run(argv, argv[2]);
	for (int i = 0; i < ENDINGS; i++)
		children += i == END_AGAIN ? 0 : state.endings[i];
	printf("figure: %" PRIu64 " children: %" PRIu64 " killed, %" PRIu64 " exec, %" PRIu64
		" daemons\n", children, state.endings[END_KILLED], state.endings[END_EXEC],
		state.endings[END_DAEMON]);
	printf("figure: %" PRIu64 " logs and %" PRIu64 " snapshots parsed, %" PRIu64
		" truncated, %" PRIu64 " within a run, %" PRIu64 " blocks accounted, differences %" PRIu64
		"\n", state.logs, state.snapshots, state.truncated, state.beheaded, state.blocks,
		state.differences);
	return state.differences != 0;
}
