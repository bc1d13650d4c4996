// judge: what is known of the run, and reading and comparing logs, for judge.c.

#ifndef SOAK_JUDGE_H
#define SOAK_JUDGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "books.h"
#include "logfile.h"

enum { AGAIN_MAX = 64, MOST_SHOWN = 30 };

extern struct judge {
	pid_t server;
	uint64_t threshold;
	uint64_t differences, snapshots, logs, beheaded, truncated, blocks;
	uint64_t endings[ENDINGS];
	struct record again[AGAIN_MAX]; // whose first half has not been reported
	int again_count;
	bool calibrating; // see judge_beneath()
	struct book start;
	int headless; // of the server's next logs, one may have been truncated within a run
} state;

// Says what differs, the first times, and counts it.
void __attribute__((format(printf, 1, 2))) differ(const char *format, ...);

// Frees what was read.
void forget(struct logfile *log);

// Cuts off what comes before the first header.
void behead(const char *path);

// Removes a log that has been judged, or keeps it when more differs than before.
void put_away(const char *path, uint64_t differences_before);

// False: there is none. What is wrong is said.
bool read_all(struct logfile *log, const char *path);

// The sum of the entries of a site.
struct book book_in(const struct log_snapshot *snapshot, enum site site);
void same_book(const char *what, const char *site, struct book log, struct book own);
bool sources_were_full(const struct log_snapshot *snapshot);

// What a child has from before its fork and does not show, as far as it is known.
struct inherited {
	struct book silent;    // the sum over all sites of its own
	uint64_t freed, frees; // bytes and calls that it has freed of these
	bool others_move;      // also blocks that nobody booked
};

// What the log of a child that ended shows of a site; the rest of its account is added.
struct book inherited_shown(
	const struct record *record, enum site site, struct inherited *inherited);

// Whether {inherited} in the blocks of the run can be that.
void inherited_judge(const char *what, const struct inherited *inherited,
	const struct logfile *log, int run);

// From the first snapshot of a run to its last.
uint64_t churn_in(const struct logfile *log, int run);

// The last snapshot of a run; NULL: none.
const struct log_snapshot *last_of(const struct logfile *log, int run);

#endif
