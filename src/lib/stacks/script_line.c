// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "stacks/script_line.h"

enum {
	SCRIPT_LINE_SHIFT = TABLE_CHUNK_BITS - 4,
	INDEX_SHIFT = TABLE_CHUNK_BITS - 2,
	INDEX = 2 * SCRIPT_LINES, // this size keeps the index half empty
	TEXTS = SCRIPT_LINES * 128,
	NONE = 0,
};

struct script_line {
	uint64_t hash; // written last, with release; 0 if the entry is empty
	uint32_t text; // index in `texts` of the line's first character
	uint16_t length;
	// offset in the text at which the text of script_line_short() begins; at most 255
	uint8_t short_from;
	// number of characters at the text's end that script_line_short() leaves out
	uint8_t short_less;
};

static void *script_line_chunks[TABLE_CHUNKS(SCRIPT_LINES, SCRIPT_LINE_SHIFT)];
static void *index_chunks[TABLE_CHUNKS(INDEX, INDEX_SHIFT)];
static void *text_chunks[TABLE_CHUNKS(TEXTS, TABLE_CHUNK_BITS)];

static const struct table lines = {
	script_line_chunks, SCRIPT_LINE_SHIFT, sizeof(struct script_line), NULL, TABLE_LINES};
static const struct table numbers = {index_chunks, INDEX_SHIFT, sizeof(uint32_t), NULL, TABLE_LINES};
static const struct table texts = {text_chunks, TABLE_CHUNK_BITS, 1, NULL, TABLE_LINES};

_Static_assert(sizeof(struct script_line) == 16, "SCRIPT_LINE_BYTES_MAX counts on it");

static struct {
	uint32_t lines; // number of the last line stored; atomic
	uint32_t texts; // characters in use; atomic
} used;

static struct script_line *
script_line_at(uint64_t pc)
{
	return table_get(&lines, pc & (SCRIPT_LINES - 1));
}

const char *
script_line_text(uint64_t pc, uint32_t *length)
{
	const struct script_line *line = script_line_at(pc);
	*length = line ? line->length : 0;
	return line ? table_get(&texts, line->text) : "";
}

const char *
script_line_short(uint64_t pc, uint32_t *length)
{
	const struct script_line *line = script_line_at(pc);
	const char *text = script_line_text(pc, length);
	*length -= line ? line->short_from + line->short_less : 0;
	return text + (line ? line->short_from : 0);
}

uint64_t
script_line_hash(uint64_t pc)
{
	const struct script_line *line = script_line_at(pc);
	return line ? line->hash : 0;
}

static bool
is_text(uint64_t pc, const char *text, uint32_t length)
{
	uint32_t other;
	const char *there = script_line_text(pc, &other);
	return other == length && memcmp(there, text, length) == 0;
}

// Reserves room for `length` characters in one chunk of `texts`. Sets `at` to the index of the
// first. Returns false if there is no room.
static bool
take_text(uint32_t length, uint32_t *at)
{
	uint32_t from = __atomic_load_n(&used.texts, __ATOMIC_RELAXED);
	do {
		uint32_t left = TABLE_CHUNK_BYTES - from % TABLE_CHUNK_BYTES;
		*at = length <= left ? from : from + left;
		if (*at + length > TEXTS || !table_reach(&texts, *at))
			return false;
	} while (!__atomic_compare_exchange_n(
		&used.texts, &from, *at + length, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

// Stores a line under a new number. No other thread can find the line before the number is in the
// index. Returns the number, or NONE if there is no room.
static uint32_t
describe(const char *text, const struct script_line *fresh)
{
	uint32_t at;
	uint32_t number = __atomic_load_n(&used.lines, __ATOMIC_RELAXED);

	if (number + 1 >= SCRIPT_LINES || !table_reach(&lines, number + 1)
		|| !take_text(fresh->length, &at))
		return NONE;
	number = __atomic_add_fetch(&used.lines, 1, __ATOMIC_RELAXED);
	struct script_line *line = number < SCRIPT_LINES ? table_reach(&lines, number) : NULL;
	if (!line)
		return NONE;
	memcpy(table_get(&texts, at), text, fresh->length);
	line->text = at;
	line->length = fresh->length;
	line->short_from = fresh->short_from;
	line->short_less = fresh->short_less;
	__atomic_store_n(&line->hash, fresh->hash, __ATOMIC_RELEASE);
	return number;
}

static uint64_t
find(const char *text, const struct script_line *wanted)
{
	uint32_t fresh = NONE;

	for (uint64_t at = wanted->hash;; at++) {
		uint32_t *entry = table_reach(&numbers, at & (INDEX - 1));
		if (!entry)
			return 0;
		uint32_t number = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
		if (number == NONE) {
			if (fresh == NONE)
				fresh = describe(text, wanted);
			if (fresh == NONE)
				return 0;
			if (__atomic_compare_exchange_n(entry, &number, fresh, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_ACQUIRE))
				return SCRIPT_LINE_FRAME | fresh;
		}
		if (script_line_hash(number) == wanted->hash
			&& is_text(number, text, wanted->length))
			return SCRIPT_LINE_FRAME | number;
	}
}

void
script_line_file(struct script_line_words *words, const char *name)
{
	struct text text = {.bytes = words->file, .size = SCRIPT_LINE_NAME_MAX};
	text_escaped(&text, *name ? name : "?", SCRIPT_LINE_NAME_MAX);
	words->file[text.length] = '\0';
}

void
script_line_function(struct script_line_words *words, const char *name)
{
	struct text text = {.bytes = words->function, .size = SCRIPT_LINE_NAME_MAX};
	text_function(&text, *name ? name : "?", SCRIPT_LINE_NAME_MAX);
	words->function[text.length] = '\0';
}

size_t
script_line_encode(char *to, uint32_t character)
{
	if (character < 0x80) {
		to[0] = (char)character;
		return 1;
	}
	size_t bytes = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
	for (size_t i = bytes; i-- > 1; character >>= 6)
		to[i] = (char)(0x80 | (character & 0x3f));
	to[0] = (char)((0xf00 >> bytes & 0xf0) | character);
	return bytes;
}

uint64_t
script_line_keep(const struct script_line_words *words)
{
	char bytes[SCRIPT_LINE_TEXT_MAX];
	struct text text = {.bytes = bytes, .size = sizeof(bytes)};
	struct script_line line = {.hash = HASH_SEED};
	const char *slash = strrchr(words->file, '/');
	size_t folder = slash ? (size_t)(slash + 1 - words->file) : 0;

	text_string(&text, words->file);
	text_named(&text, ":", words->line);
	text_string(&text, " in ");
	text_string(&text, words->function);
	text_string(&text, " [");
	text_string(&text, words->language);
	text_string(&text, "]");
	for (size_t i = 0; i < text.length; i++)
		line.hash = hash_step(line.hash, (unsigned char)bytes[i]);
	line.length = (uint16_t)text.length;
	line.short_from = (uint8_t)(folder <= UINT8_MAX ? folder : UINT8_MAX);
	line.short_less = (uint8_t)strlen(" []") + (uint8_t)strlen(words->language);
	return find(bytes, &line);
}
