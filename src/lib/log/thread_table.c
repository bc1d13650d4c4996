// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "format.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/top_k.h"
#include "base/file.h"
#include "log/thread_table.h"

enum {
	// Room for a thread's name with its NUL, as in the kernel (prctl(2), PR_SET_NAME).
	NAME_BYTES = 16,
	NAME_TEXT = 4 * NAME_BYTES,
	PERCENT_BITS = 7,
};

// A slot has the counters of one thread. Later threads may get the same slot, one after another.
// This is what is known of a slot's threads. While a thread has the slot, the slot's owner word
// identifies the thread.
struct member {
	// For each of the slot's two sums (tally.h): the owner word of the thread whose counts the sum
	// has. 0 if that thread has ended, or if its counts cannot be told from a former thread's.
	uint64_t words[2];
	uint64_t seen;     // the slot's owner word, as look_at() last read it
	uint64_t gone;     // the owner word of a thread that is known to have ended; 0 if none
	uint64_t named;    // the owner word of the thread that has `name`
	char name[NAME_BYTES];
};

static const struct counter none;
static TABLE_STATIC struct member members[THREAD_SLOTS];
static TABLE_STATIC uint64_t order[THREAD_SLOTS]; // slots of threads that may be shown
static TABLE_STATIC uint32_t first_most[2048];

static SYS_FORK_PAGE struct {
	unsigned now;
	pid_t process;
	uint32_t threads; // number of threads that have a slot
	uint32_t shown;   // the first `shown` slots of order[] are shown
	struct change ended;
	struct change rest;
	int names_left;   // how many threads' names this snapshot may still read
	bool refused;     // threads' names could not be read; this process does not try again
	// One entry for each source. The upper bits are the slot of the thread that has allocated more
	// than half of the source's bytes. The lowest bits are the percentage that this thread has
	// allocated. 0 if there is no such thread.
	struct growing most;
} state = {.most = {first_most, sizeof(first_most), false}};

static const struct slot *
slot_of(uint32_t at)
{
	return at == THREAD_SHARED ? thread_first_shared() : thread_slot_at(at);
}

static bool
is_shared(uint32_t at, uint64_t word)
{
	return at == THREAD_SHARED || slot_owner(word) == SLOT_NOBODY;
}

void
thread_table_begin(unsigned now, uint32_t sources)
{
	state.now = now;
	table_grow(&state.most, sources * sizeof(uint32_t));
	tally_begin(now);
}

void
thread_table_note(uint32_t source, const struct tally_most *most, uint64_t bytes)
{
	uint32_t *noted = state.most.at;

	if ((source + UINT64_C(1)) * sizeof(*noted) > state.most.bytes)
		return;
	noted[source] = 0;
	// That is, 2 * most->bytes <= bytes, without overflow.
	if (most->bytes <= bytes - most->bytes)
		return;
	// If one thread has allocated all, no division is needed.
	uint64_t percent = most->bytes == bytes ? 100
		: most->bytes < UINT64_MAX / 100 ? most->bytes * 100 / bytes
		: most->bytes / (bytes / 100);
	noted[source] = most->slot << PERCENT_BITS | (uint32_t)(percent < 100 ? percent : 100);
}

static bool
lives(struct member *member, const struct slot *slot, uint64_t word)
{
	if (slot == thread_slot)
		return true;
	if (member->gone == word)
		return false;
	// A thread that has ended stays ended: if its kernel id is used again, that is another thread.
	if (!sys_has_thread(state.process, slot_owner(word)))
		member->gone = word;
	return member->gone != word;
}

static uint64_t
beyond(uint64_t number, uint64_t base)
{
	return number > base ? number - base : 0;
}

// Reduces a slot's sums to what its present thread has counted. Subtracts the base, which has the
// counts of the slot's former threads. The owner word is read after the sums were made, so the sums
// have no counts of later owners. If the slot got a new owner meanwhile, the sums may lack some
// counts that the base has. Then beyond() makes the difference 0.
static void
look_at(uint32_t at, const struct slot *slot)
{
	struct counter *sums = &tally_of(at)->sums[state.now];
	struct member *member = &members[at];
	uint64_t word = slot_word(slot);
	struct counter base;

	member->seen = word;
	member->words[state.now] = word;
	if (is_shared(at, word))
		return;
	state.threads += slot_owner(word) != 0;
	if (!slot_base(slot, word, &base) || !lives(member, slot, word)) {
		member->words[state.now] = 0;
		*sums = (struct counter){0};
		return;
	}
	sums->allocs = beyond(sums->allocs, base.allocs);
	sums->alloc_bytes = beyond(sums->alloc_bytes, base.alloc_bytes);
	sums->free_bytes = beyond(sums->free_bytes, base.free_bytes);
	sums->frees = beyond(sums->frees, base.frees);
}

// Returns the counts of a slot, after look_at(). If the slot is shared or still has the same
// thread, the result's `before` has the last snapshot's counts. Otherwise `before` has zeros.
static struct change
change_of(uint32_t at)
{
	const struct counter *sums = tally_of(at)->sums;
	const struct member *member = &members[at];
	struct change change = {.now = sums[state.now]};

	bool is_same = member->words[state.now] != 0 && member->words[0] == member->words[1];
	if (is_same || is_shared(at, member->seen))
		change.before = sums[!state.now];
	return change;
}

static bool
by_churn(uint64_t a, uint64_t b)
{
	struct change one = change_of((uint32_t)a);
	struct change other = change_of((uint32_t)b);
	uint64_t churn = counter_churn(&one.now, &one.before);
	uint64_t other_churn = counter_churn(&other.now, &other.before);

	if (churn != other_churn)
		return churn > other_churn;
	churn = counter_churn(&one.now, &none);
	other_churn = counter_churn(&other.now, &none);
	return churn != other_churn ? churn > other_churn : a < b;
}

static void
change_add(struct change *sum, const struct change *more)
{
	counter_add(&sum->now, &more->now);
	counter_add(&sum->before, &more->before);
}

static void
change_subtract(struct change *sum, const struct change *less)
{
	counter_subtract(&sum->now, &less->now);
	counter_subtract(&sum->before, &less->before);
}

// Returns true if the slot got its thread while this snapshot summed up counters. The sums may then
// lack counts of former threads. The present thread's counts would seem too low by the lacking
// counts.
static bool
has_just_begun(uint32_t at)
{
	return tally_of(at)->word != members[at].seen;
}

// Moves the counts of a slot's thread from state.ended to state.rest. A shared slot has the counts
// of several threads. state.ended is the total at first, so in the end it has the counts of ended
// threads. Adds the slot to order[] if its thread may be shown. thread_table_look() later subtracts
// the shown threads from state.rest.
static uint32_t
take_slot(uint32_t at, bool all, uint32_t count)
{
	look_at(at, slot_of(at));
	struct change change = change_of(at);
	change_add(&state.rest, &change);
	change_subtract(&state.ended, &change);
	if (is_shared(at, members[at].seen) || has_just_begun(at)
		|| !counter_moved(&change.now, all ? &none : &change.before))
		return count;
	order[count] = at;
	return count + 1;
}

static void
read_name(struct member *member, uint64_t word)
{
	char bytes[NAME_BYTES * 2];
	char path[48] = "";
	struct text text = {.bytes = path, .size = sizeof(path) - 1};

	if (state.refused || state.names_left-- <= 0)
		return;
	text_string(&text, "/proc/self/task/");
	text_number(&text, (uint64_t)slot_owner(word));
	text_string(&text, "/comm");
	long length = file_peek(path, bytes, sizeof(bytes));
	state.refused = length == -EACCES || length == -EPERM || length == -ENOSYS;
	if (length <= 0 || length > NAME_BYTES)
		return;
	memset(member->name, 0, sizeof(member->name));
	memcpy(member->name, bytes, (size_t)length - 1);
	member->named = word;
}

void
thread_table_look(const struct change *total, bool all)
{
	uint32_t most = PMEM_SHOW_THREADS;
	uint32_t count = 0;

	state.threads = 0;
	state.process = sys_getpid();
	state.ended = *total;
	state.rest = (struct change){0};
	state.names_left = PMEM_SHOW_THREADS;
	if (thread_first_shared())
		count = take_slot(THREAD_SHARED, all, count);
	for (uint32_t i = 0; thread_slot_at(i); i++)
		count = take_slot(i, all, count);
	state.shown = count < most ? count : most;
	top_k_select(order, count, state.shown, by_churn);
	for (uint32_t i = 0; i < state.shown; i++) {
		struct change change = change_of((uint32_t)order[i]);
		struct member *member = &members[order[i]];
		change_subtract(&state.rest, &change);
		// The name is read at each snapshot, since the thread may have got a new name.
		read_name(member, member->seen);
	}
}

// If one thread has allocated more than half of the source's bytes, returns this thread's
// percentage. Returns 0 if there is no such thread. Sets `member` to the entry of members[] for the
// thread's slot.
static uint32_t
most_of(uint32_t source, struct member **member)
{
	const uint32_t *noted = state.most.at;
	uint32_t most = 0;

	if ((source + UINT64_C(1)) * sizeof(*noted) <= state.most.bytes && state.threads > 1)
		most = noted[source];
	*member = &members[most >> PERCENT_BITS];
	// If the slot has just got another thread, either thread may have counted the bytes. So no
	// thread is named.
	return has_just_begun(most >> PERCENT_BITS) ? 0 : most & ((1 << PERCENT_BITS) - 1);
}

void
thread_table_want(uint32_t source)
{
	struct member *member;
	if (most_of(source, &member) > 0 && member->named != member->seen)
		read_name(member, member->seen);
}

static void
write_name(struct text *text, const struct member *member)
{
	bool has_name = member->named == member->seen && member->name[0];
	text_word(text, has_name ? member->name : "-", NAME_TEXT);
}

static void
write_change(struct text *text, const struct change *change)
{
	const struct counter *now = &change->now;
	const struct counter *before = &change->before;

	text_pair(text, " alloc:", now->alloc_bytes - before->alloc_bytes, now->alloc_bytes);
	text_pair(text, ", free:", now->free_bytes - before->free_bytes, now->free_bytes);
	text_pair(text, ", allocs:", now->allocs - before->allocs, now->allocs);
	text_pair(text, ", frees:", now->frees - before->frees, now->frees);
	text_string(text, "\n");
}

static void
write_sum(struct text *text, const char *what, const struct change *change)
{
	if (!counter_moved(&change->now, &none))
		return;
	text_string(text, what);
	write_change(text, change);
}

void
thread_table_write(struct text *text)
{
	for (uint32_t i = 0; i < state.shown; i++) {
		struct change change = change_of((uint32_t)order[i]);
		text_named(text, FORMAT_THREAD, (uint64_t)slot_owner(members[order[i]].seen));
		text_string(text, " ");
		write_name(text, &members[order[i]]);
		write_change(text, &change);
	}
	write_sum(text, FORMAT_THREAD FORMAT_ENDED " -", &state.ended);
	write_sum(text, FORMAT_THREAD FORMAT_REST " -", &state.rest);
}

void
thread_table_write_most(struct text *text, uint32_t source)
{
	struct member *member;
	uint32_t percent = most_of(source, &member);

	if (percent == 0)
		return;
	text_named(text, FORMAT_BY, (uint64_t)slot_owner(member->seen));
	text_string(text, "/");
	write_name(text, member);
	text_named(text, "/", percent);
	text_string(text, "%");
}

void
thread_table_fork(void)
{
	state.refused = false;
}
