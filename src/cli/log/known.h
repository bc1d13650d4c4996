// known: what is known of a run: its modules, frames and sources, each once, and since when
// what is known of a source is certain. What reading.c fills snapshot by snapshot.

#ifndef PMEM_CLI_KNOWN_H
#define PMEM_CLI_KNOWN_H

#include "base/memory.h"
#include "log/parse.h"
#include "log/model.h"

enum {
	BUCKETS_FIRST = 64,
};

struct known {
	struct arena *arena;
	size_t module_room, source_room, frame_room, note_room, loss_room;
	struct counts sum; // of all sources, as they were last shown
	struct source **buckets; // by id
	size_t bucket_count;
	struct known_frame **frame_buckets; // by text
	size_t frame_bucket_count;
};

// A run without anything; its memory is the arena's, but for what known_free() frees.
struct run *known_new(struct arena *arena);
void known_free(struct run *run);

// A module line. Objects may be unloaded, and others come to lie where they lay: of those that
// have an address the latest is meant.
void known_module(struct run *run, const struct parsed_module *parsed);

// The frame of this text, as in the log: MODULE(SYMBOL+0xOFFSET) [0xADDRESS], or what
// backtrace_symbols() and libunwind made of it in the first pmem's. May write to text.
struct frame *known_frame(struct run *run, char *text, bool is_hook);

// Whether the frame's text is this one.
bool known_frame_is(const struct frame *frame, const char *text);

// The first source of this id. New: without frames, and never shown.
struct source *known_source(struct run *run, uint64_t id);

// The source of this id that was last shown with these counts; NULL: none.
struct source *known_by_counts(const struct run *run, uint64_t id, const struct counts *counts);

// The source of this id that has these frames, by their addresses: where the same code was
// loaded twice there are several. New: a twin.
struct source *known_twin(struct run *run, uint64_t id, struct frame *const *frames,
	unsigned depth);

// {other}.
struct source *known_other(struct run *run);

// Its frames were read once more: those that had no name take the one that they have now. When
// none has got one, none will.
void known_renamed(struct source *source, struct frame *const *frames, unsigned depth);

// Gives a source its stack, once.
void known_stack(struct run *run, struct source *source, struct frame *const *frames,
	unsigned depth);

void known_note(struct run *run, const char *text);

// The losses of a snapshot, the line; NULL: it has none. May write to it.
void known_losses(struct run *run, char *losses);

// Sets what a source has, and what it had in the snapshot before. Notes that where a mark wants
// it, if no snapshot since the mark can have hidden a change. `is_next`: the snapshot before is
// the one that was read last.
void known_set(struct run *run, struct source *source, const struct counts *counts,
	const struct counts *before, bool is_next);

// What all its sources have, {other} too, as they were last shown.
struct counts known_sum(const struct run *run);

#endif
