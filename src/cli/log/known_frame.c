// The modules and frames of a run, each once.

#include <stdlib.h>
#include <string.h>

#include "log/known.h"

struct known_frame {
	struct frame frame; // comes first: a frame is one of these
	const char *text; // as in the log
	size_t length;
	uint64_t hash;
	struct known_frame *next;
};

static struct module *
new_module(struct run *run, const char *path, const char *build_id)
{
	struct arena *arena = run->known->arena;
	struct module *module = arena_get(arena, sizeof(*module));
	module->path = arena_text(arena, path, strlen(path));
	module->build_id = arena_text(arena, build_id, strlen(build_id));
	run->modules = memory_grow(run->modules, run->module_count, &run->known->module_room,
		sizeof(*run->modules));
	run->modules[run->module_count++] = module;
	return module;
}

void
known_module(struct run *run, const struct parsed_module *parsed)
{
	parse_unescape(parsed->path);
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
	// Of one that is not known: the one that belongs to the last.
	unsigned depth = 0;
	for (char *at = text + strlen(text); at-- > text;) {
		depth += *at == ')';
		if (*at == '(' && depth > 0 && --depth == 0)
			return at;
	}
	return NULL;
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

bool
known_frame_is(const struct frame *frame, const char *text)
{
	return strcmp(((const struct known_frame *)frame)->text, text) == 0;
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
