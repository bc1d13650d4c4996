// SPDX-License-Identifier: BSD-2-Clause
// api: the functions of src/pmem.h. Each function accepts any argument at any moment, and returns a
// negative number for what it cannot do.

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define PMEM_IS_LIBRARY
#include "pmem.h"
#include "base/guard.h"
#include "heap/real.h"
#include "threads/label.h"
#include "base/thread_state.h"
#include "threads/thread.h"
#include "sources/tally.h"
#include "sources/stack_store.h"
#include "sources/labelled_source.h"
#include "sources/source.h"
#include "stacks/script_line.h"
#include "log/snapshot.h"
#include "hooks/record.h"
#include "hooks/hook.h"

_Static_assert(PMEM_LABEL_BYTES == FORMAT_LABEL_BYTES, "a label has one length in both");

static long
answer_of(int64_t written)
{
	switch (written) {
	case SNAPSHOT_OFF: return PMEM_OFF;
	case SNAPSHOT_BUSY: return PMEM_BUSY;
	case SNAPSHOT_LENT: return PMEM_VFORK;
	case SNAPSHOT_UNWRITTEN: return PMEM_UNWRITTEN;
	case SNAPSHOT_NO_ROOM: return PMEM_NO_ROOM;
	default: return (long)written;
	}
}

// Writes a snapshot that the program asked for. `cfa` belongs to the frame of the exported function
// that the program called. guard_enter() needs it.
static long
ask(enum snapshot_reason reason, const char *label, uintptr_t cfa)
{
	int kept = errno;

	if (!guard_enter(cfa))
		return PMEM_BUSY;
	long answer = answer_of(snapshot_ask(reason, label));
	guard_leave();
	errno = kept;
	return answer;
}

static long
api_snapshot(const char *label)
{
	char copy[FORMAT_LABEL_BYTES + 1];

	if (!label_copy(copy, label))
		return PMEM_INVALID;
	return ask(SNAPSHOT_ASKED, copy, GUARD_CFA);
}
EXPORT(pmem_snapshot, api_snapshot);

static long
api_reset(void)
{
	return ask(SNAPSHOT_RESET, NULL, GUARD_CFA);
}
EXPORT(pmem_reset, api_reset);

// Begins a pause. All blocks that the thread allocates during the pause have one source. It is the
// stack of the pmem_pause() call that began the pause.
static int
api_pause(void)
{
	struct hook_call call = CALL(api_pause, "pmem_pause");

	if (!snapshot_is_on())
		return PMEM_OFF;
	if (!guard_enter(call.at.frame.sp))
		return PMEM_BUSY;
	int answer = PMEM_VFORK;
	if (snapshot_is_own_process()) {
		struct slot *slot = thread_own();
		if (thread_state.pauses == UINT16_MAX) {
			guard_leave();
			return PMEM_NO_ROOM;
		}
		if (thread_state.pauses == 0)
			thread_state.source = record_source(slot, &call, 0);
		answer = (int)++thread_state.pauses;
		// The memo is the thread's cache of its last stack. It is void from here on, throughout the
		// pause. Without a valid memo each allocation reaches new_source() in record.c, which
		// returns the pause's source.
		slot->memo_news = 0;
	}
	guard_leave();
	return answer;
}
EXPORT(pmem_pause, api_pause);

static int
api_resume(void)
{
	int answer = PMEM_NOT_PAUSED;

	if (!guard_enter(GUARD_CFA))
		return PMEM_BUSY;
	if (!snapshot_is_own_process())
		answer = PMEM_VFORK;
	else if (thread_state.pauses > 0)
		answer = (int)--thread_state.pauses;
	guard_leave();
	return answer;
}
EXPORT(pmem_resume, api_resume);

// Sets the thread's label. The memo of the thread's last stack becomes void, since the hashes in
// the memo depend on the label.
static int
say_label(struct slot *slot, const char *label)
{
	uint32_t number = label ? label_number(label) : 0;

	if (number != thread_state.label)
		slot->memo_news = 0;
	thread_state.label = (uint16_t)number;
	return label && number == 0 ? PMEM_NO_ROOM : (int)number;
}

static int
api_label(const char *label)
{
	char copy[FORMAT_LABEL_BYTES + 1];
	int answer = PMEM_VFORK;

	if (!snapshot_is_on())
		return PMEM_OFF;
	if (label && !label_copy(copy, label))
		return PMEM_INVALID;
	if (!guard_enter(GUARD_CFA))
		return PMEM_BUSY;
	if (snapshot_is_own_process())
		answer = say_label(thread_own(), label ? copy : NULL);
	guard_leave();
	return answer;
}
EXPORT(pmem_label, api_label);

static int
api_label_name(int number, char *name, int room)
{
	if (!real_is_on())
		return PMEM_OFF;
	if (number < 1 || (uint32_t)number >= label_count() || !name || room < 1)
		return PMEM_INVALID;
	const char *label = label_name((uint32_t)number);
	int length = label ? (int)strlen(label) : 0;
	if (length >= room)
		return PMEM_NO_ROOM;
	memcpy(name, label ? label : "", (size_t)length + 1);
	return length;
}
EXPORT(pmem_label_name, api_label_name);

static long long
api_live(void)
{
	struct counter sums[SLOT_GROUP];
	uint32_t count = source_count();
	uint64_t live = 0;

	if (!real_is_on())
		return PMEM_OFF;
	for (uint32_t first = 0; first < count; first += SLOT_GROUP) {
		uint32_t some = count - first < SLOT_GROUP ? count - first : SLOT_GROUP;
		tally_sum(first, some, sums);
		for (uint32_t i = 0; i < some; i++)
			live += counter_live(&sums[i]);
	}
	return (long long)live;
}
EXPORT(pmem_live, api_live);

static long
api_sources(void)
{
	return real_is_on() ? (long)source_count() : PMEM_OFF;
}
EXPORT(pmem_sources, api_sources);

static void
copy_frames(const struct source *source, uint32_t depth, void **frames, int room)
{
	const struct frame *frame = source->frames;

	for (uint32_t i = 0; i < depth && i < (uint32_t)room; i++, frame++) {
		frame = stack_store_frame(frame);
		frames[i] = (void *)(uintptr_t)frame->pc;
	}
}

// Tells the program what source `number` has counted. `base` has the source's counters at the last
// pmem_reset(), `sum` the present counters. `base` is read first. Since counters only grow, `sum`
// is never less than `base`.
static int
api_source_at(long number, struct pmem_source *told, void **frames, int room)
{
	struct counter sum;

	if (!real_is_on())
		return PMEM_OFF;
	if (number < 0 || number >= (long)source_count() || !told || room < 0
		|| (room > 0 && !frames))
		return PMEM_INVALID;
	const struct source *source = source_get((uint32_t)number);
	uint32_t depth = source ? __atomic_load_n(&source->depth, __ATOMIC_ACQUIRE) : 0;
	struct counter base = tally_base((uint32_t)number);
	tally_sum((uint32_t)number, 1, &sum);
	if (sum.allocs == 0 || (depth == 0 && number != SOURCE_OTHER))
		return 0;
	*told = (struct pmem_source){
		.id = depth > 0 ? source->id : 0,
		.live = (long long)counter_live(&sum),
		.blocks = (long long)(sum.allocs - sum.frees),
		.alloc = sum.alloc_bytes,
		.allocs = sum.allocs,
		.free = sum.free_bytes,
		.frees = sum.frees,
		.alloc_since = sum.alloc_bytes - base.alloc_bytes,
		.allocs_since = sum.allocs - base.allocs,
		.free_since = sum.free_bytes - base.free_bytes,
		.frees_since = sum.frees - base.frees,
		.depth = (int)depth,
		.label = (int)labelled_source_get((uint32_t)number).label,
	};
	if (depth > 0)
		copy_frames(source, depth, frames, room);
	return 1;
}
EXPORT(pmem_source_at, api_source_at);

static int
api_frame_line(const void *frame, char *text, int room)
{
	uint64_t pc = (uintptr_t)frame;
	uint32_t length;

	if (!real_is_on())
		return PMEM_OFF;
	if (!script_line_is(pc) || script_line_hash(pc) == 0 || !text || room < 1)
		return PMEM_INVALID;
	const char *line = script_line_text(pc, &length);
	if (length >= (uint32_t)room)
		return PMEM_NO_ROOM;
	memcpy(text, line, length);
	text[length] = '\0';
	return (int)length;
}
EXPORT(pmem_frame_line, api_frame_line);
