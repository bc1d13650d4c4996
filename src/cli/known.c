#include <stdlib.h>
#include <string.h>

#include "known.h"

enum {
	BUCKETS_FIRST = 64,
};

// A block that may have hidden changes.
struct hiding {
	uint64_t block;
	uint64_t live; // of sources that held no more than this
};

struct known_frame {
	struct frame frame;
	const char *text; // as in the log
	size_t length;
	uint64_t hash;
	struct known_frame *next;
};

struct known {
	struct arena *arena;
	size_t module_room, source_room, frame_room, note_room, loss_room, hiding_room;
	struct counts sum; // of all sources, as they were last shown
	struct source **buckets; // by id
	size_t bucket_count;
	struct known_frame **frame_buckets; // by text
	size_t frame_bucket_count;
	struct hiding *hidings;
	size_t hiding_count;
	size_t certain; // hidings before this one no longer matter
	size_t certain_marked[MARKS];
};

struct run *
known_new(struct arena *arena)
{
	struct run *run = arena_get(arena, sizeof(*run));
	run->known = arena_get(arena, sizeof(*run->known));
	run->known->arena = arena;
	run->exe = run->host = run->start = "";
	return run;
}

void
known_free(struct run *run)
{
	struct known *known = run->known;
	free(known->buckets);
	free(known->frame_buckets);
	free(known->hidings);
	free(run->modules);
	free(run->sources);
	free(run->frames);
	free(run->notes);
	free(run->losses);
}

static struct module *
new_module(struct run *run, const char *path, const char *build_id)
{
	struct arena *arena = run->known->arena;
	struct module *module = arena_get(arena, sizeof(*module));
	char *own = arena_text(arena, path, strlen(path));
	parse_unescape(own);
	module->path = own;
	module->build_id = arena_text(arena, build_id, strlen(build_id));
	run->modules = memory_grow(run->modules, run->module_count, &run->known->module_room,
		sizeof(*run->modules));
	run->modules[run->module_count++] = module;
	return module;
}

void
known_module(struct run *run, const struct parsed_module *parsed)
{
	for (size_t i = 0; i < run->module_count; i++) {
		const struct module *module = run->modules[i];
		// A header was repeated, and with it all that follows one.
		if (module->start == parsed->start && module->end == parsed->end
			&& strcmp(module->build_id, parsed->build_id) == 0
			&& strcmp(module->path, parsed->path) == 0)
			return;
	}
	struct module *module = new_module(run, parsed->path, parsed->build_id);
	module->start = parsed->start;
	module->end = parsed->end;
}

static const struct module *
module_at(const struct run *run, uint64_t address)
{
	for (size_t i = run->module_count; i > 0; i--) {
		const struct module *module = run->modules[i - 1];
		if (address >= module->start && address < module->end)
			return module;
	}
	return NULL;
}

// The module that the log's line names. It may be another than lies there now.
static const struct module *
module_named(struct run *run, const char *path, uint64_t address)
{
	for (size_t i = run->module_count; i > 0; i--) {
		const struct module *module = run->modules[i - 1];
		bool is_there = module->start == 0
			|| (address >= module->start && address < module->end);
		if (is_there && strcmp(module->path, path) == 0)
			return module;
	}
	return new_module(run, path, "");
}

// Cuts ` [0xADDRESS]` off.
static uint64_t
cut_address(char *text)
{
	char *open = strrchr(text, '[');
	char *end;

	if (!open || strncmp(open, "[0x", 3) != 0)
		return 0;
	uint64_t address = strtoull(open + 3, &end, 16);
	if (strcmp(end, "]") != 0)
		return 0;
	while (open > text && open[-1] == ' ')
		open--;
	*open = '\0';
	return address;
}

// Where MODULE(SYMBOL+0xOFFSET) has the parenthesis between the two. Both may contain some: C++
// symbols do, and the path of the module that lies there says how long the name is.
static char *
find_parenthesis(const struct run *run, char *text, uint64_t address)
{
	const struct module *module = address ? module_at(run, address) : NULL;
	size_t length = module ? strlen(module->path) : 0;
	if (module && strncmp(text, module->path, length) == 0 && text[length] == '(')
		return text + length;
	return strchr(text, '(');
}

static void
split_frame(struct run *run, struct frame *frame, char *text)
{
	frame->function = "";
	frame->address = cut_address(text);
	size_t length = strlen(text);
	char *open = find_parenthesis(run, text, frame->address);

	if (open && length > 0 && text[length - 1] == ')') {
		text[length - 1] = '\0';
		*open = '\0';
		parse_unescape(text);
		frame->module = *text ? module_named(run, text, frame->address) : NULL;
		text = open + 1;
	}
	// As libunwind has it the offset is decimal, and there is nothing else.
	char *plus = strrchr(text, '+');
	if (plus) {
		frame->offset = strtoull(plus + 1, NULL, strncmp(plus, "+0x", 3) == 0 ? 16 : 10);
		*plus = '\0';
	}
	// `MODULE()`, and without anything in parentheses what is there is the module.
	if (!frame->module && frame->address && strchr(text, '/')) {
		frame->module = module_named(run, text, frame->address);
		return;
	}
	parse_unescape(text);
	frame->function = arena_text(run->known->arena, text, strlen(text));
}

static uint64_t
hash_text(const char *text, size_t length)
{
	// FNV-1a, 64 bits.
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static void
grow_frames(struct known *known, size_t count)
{
	if (count < known->frame_bucket_count)
		return;
	size_t buckets = known->frame_bucket_count ? known->frame_bucket_count * 2 : BUCKETS_FIRST;
	struct known_frame **now = memory_get(buckets, sizeof(struct known_frame *));
	for (size_t i = 0; i < known->frame_bucket_count; i++) {
		while (known->frame_buckets[i]) {
			struct known_frame *frame = known->frame_buckets[i];
			known->frame_buckets[i] = frame->next;
			frame->next = now[frame->hash & (buckets - 1)];
			now[frame->hash & (buckets - 1)] = frame;
		}
	}
	free(known->frame_buckets);
	known->frame_buckets = now;
	known->frame_bucket_count = buckets;
}

struct frame *
known_frame(struct run *run, char *text, bool is_hook)
{
	struct known *known = run->known;
	size_t length = strlen(text);
	uint64_t hash = hash_text(text, length) + is_hook;

	grow_frames(known, run->frame_count);
	struct known_frame **bucket = &known->frame_buckets[hash & (known->frame_bucket_count - 1)];
	for (struct known_frame *found = *bucket; found; found = found->next)
		if (found->hash == hash && found->length == length
			&& found->frame.is_hook == is_hook && memcmp(found->text, text, length) == 0)
			return &found->frame;

	struct known_frame *made = arena_get(known->arena, sizeof(*made));
	made->text = arena_text(known->arena, text, length);
	made->length = length;
	made->hash = hash;
	made->next = *bucket;
	*bucket = made;
	made->frame.is_hook = is_hook;
	made->frame.number = (unsigned)run->frame_count;
	split_frame(run, &made->frame, text);
	run->frames = memory_grow(run->frames, run->frame_count, &known->frame_room,
		sizeof(*run->frames));
	run->frames[run->frame_count++] = &made->frame;
	return &made->frame;
}

// Ids are hashes already; but not those that somebody makes up.
static size_t
bucket_of(const struct known *known, uint64_t id)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (known->bucket_count - 1);
}

static void
grow_sources(struct run *run)
{
	struct known *known = run->known;
	if (run->source_count < known->bucket_count)
		return;
	known->bucket_count = known->bucket_count ? known->bucket_count * 2 : BUCKETS_FIRST;
	free(known->buckets);
	known->buckets = memory_get(known->bucket_count, sizeof(struct source *));
	for (size_t i = 0; i < run->source_count; i++) {
		struct source *source = run->sources[i];
		size_t bucket = bucket_of(known, source->id);
		source->next = known->buckets[bucket];
		known->buckets[bucket] = source;
	}
}

struct source *
known_source(struct run *run, uint64_t id)
{
	struct known *known = run->known;
	grow_sources(run);
	size_t bucket = bucket_of(known, id);
	for (struct source *source = known->buckets[bucket]; source; source = source->next)
		if (source->id == id)
			return source;

	struct source *source = arena_get(known->arena, sizeof(*source));
	source->id = id;
	source->now.shown_in = NEVER_SHOWN;
	source->entry = NEVER_SHOWN;
	source->next = known->buckets[bucket];
	known->buckets[bucket] = source;
	run->sources = memory_grow(run->sources, run->source_count, &known->source_room,
		sizeof(*run->sources));
	run->sources[run->source_count++] = source;
	return source;
}

void
known_stack(struct run *run, struct source *source, struct frame *const *frames, unsigned depth)
{
	if (source->depth > 0 || depth == 0)
		return;
	source->frames = arena_get(run->known->arena, depth * sizeof(*source->frames));
	memcpy(source->frames, frames, depth * sizeof(*source->frames));
	source->depth = depth;
}

void
known_note(struct run *run, const char *text)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (strcmp(run->notes[i], text) == 0)
			return;
	run->notes = memory_grow(run->notes, run->note_count, &run->known->note_room,
		sizeof(*run->notes));
	run->notes[run->note_count++] = arena_text(run->known->arena, text, strlen(text));
}

static struct loss *
loss_named(struct run *run, const char *name)
{
	for (size_t i = 0; i < run->loss_count; i++)
		if (strcmp(run->losses[i].name, name) == 0)
			return &run->losses[i];
	run->losses = memory_grow(run->losses, run->loss_count, &run->known->loss_room,
		sizeof(*run->losses));
	struct loss *loss = &run->losses[run->loss_count++];
	loss->name = arena_text(run->known->arena, name, strlen(name));
	return loss;
}

void
known_losses(struct run *run, char *losses)
{
	char *name;
	uint64_t count;

	if (!losses)
		return;
	char *at = losses + strcspn(losses, " ");
	while (parse_loss(&at, &name, &count))
		loss_named(run, name)->count = count;
}

void
known_set(struct run *run, struct source *source, const struct counts *counts)
{
	for (int i = 0; i < MARKS; i++) {
		if (source->mark[i] != run->blocks_marked[i]) {
			source->marked[i] = source->now;
			source->mark[i] = run->blocks_marked[i];
		}
	}
	counts_subtract(&run->known->sum, &source->now.counts);
	counts_add(&run->known->sum, counts);
	source->now = (struct state){.counts = *counts, .shown_in = run->blocks};
}

struct counts
known_sum(const struct run *run)
{
	return run->known->sum;
}

void
known_hides(struct run *run, uint64_t live)
{
	struct known *known = run->known;
	known->hidings = memory_grow(known->hidings, known->hiding_count, &known->hiding_room,
		sizeof(*known->hidings));
	known->hidings[known->hiding_count++] = (struct hiding){run->blocks, live};
}

void
known_is_certain(struct run *run)
{
	run->known->certain = run->known->hiding_count;
}

void
run_mark(struct run *run, enum mark mark)
{
	run->blocks_marked[mark] = run->blocks;
	run->total_marked[mark] = run->total;
	run->known->certain_marked[mark] = run->known->certain;
}

struct state
source_marked(const struct run *run, const struct source *source, enum mark mark)
{
	if (run->blocks_marked[mark] == 0)
		return (struct state){.shown_in = NEVER_SHOWN};
	// What it was is kept by the first change behind the mark.
	return source->mark[mark] == run->blocks_marked[mark] ? source->marked[mark] : source->now;
}

bool
source_is_exact(const struct run *run, const struct state *state, uint64_t blocks)
{
	const struct known *known = run->known;
	size_t from = known->certain;

	if (state->shown_in == NEVER_SHOWN)
		return false;
	for (int mark = 0; mark < MARKS; mark++)
		if (blocks == run->blocks_marked[mark])
			from = known->certain_marked[mark];
	for (size_t i = known->hiding_count; i > from; i--) {
		const struct hiding *hiding = &known->hidings[i - 1];
		if (hiding->block <= state->shown_in)
			break;
		if (hiding->block < blocks && state->counts.live <= hiding->live)
			return false;
	}
	return true;
}
