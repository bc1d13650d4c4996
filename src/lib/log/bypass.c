// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <link.h>
#include <string.h>

#include "base/sys.h"
#include "base/segment.h"
#include "base/table.h"
#include "base/loss.h"
#include "stacks/script_line.h"
#include "sources/source.h"
#include "elf/loader.h"
#include "base/dynsym.h"
#include "elf/object.h"
#include "heap/real.h"
#include "log/bypass.h"

enum {
	FAMILY_MAX = 8, // upper bound of an object's undefined symbols in malloc()'s family
	RELOCATIONS_MAX = 1 << 20, // upper bound of an object's relocations that are examined
	// Most objects whose address ranges are kept. Sources of further objects are not marked
	// (mark_sources()).
	RANGES_MAX = 512,
};

// Only the thread that holds the snapshot lock uses these fields. A look is a call of
// bypass_look().
static struct {
	// Number of objects on the loader's list at the start; 0 if the loader does not say.
	uint64_t first;
	uint64_t adds;    // number of objects ever added to the loader's list, as of the last look
	uint64_t unseen;  // count of LOSS_UNSEEN_FREES at the last look
	unsigned pending; // number of objects with a call that is not bound yet
	unsigned looks;   // looks since pending objects were last examined
	unsigned patience; // number of looks after which pending objects are examined again
	uint32_t sources; // number of sources at the last look
	unsigned count;   // number of objects that bypass us
	unsigned names_count;
	unsigned ranges_count;
	uint32_t marked; // mark_sources() has examined all sources with lower numbers
} state;

// The addresses of an object that bypasses us.
struct range {
	uint64_t start, end;
};

static TABLE_STATIC struct range ranges[RANGES_MAX]; // sorted by start

static TABLE_STATIC char names[BYPASS_NAMES_MAX][BYPASS_NAME_BYTES + 1];

// The state of one walk of the loader's list.
struct walk {
	uint64_t place; // position on the list of the object that is examined, counted from 1
	unsigned found;
	unsigned pending;
};

// An object's relocations (ELF gABI, "Relocation"): first those of its procedure linkage table,
// then all others.
struct relocations {
	const ElfW(Rela) *at[2];
	uint64_t bytes[2];
};

// What can_read() remembers from call to call. An address in an object can be read if it lies in a
// readable segment, and its page is still mapped.
struct reader {
	const struct dl_phdr_info *loaded;
	struct segment around; // the segment of the address that was checked last
	uintptr_t page;        // the last page that was found to be mapped
};

static bool
can_read(struct reader *reader, const void *from, size_t bytes)
{
	const uintptr_t pages = ~(uintptr_t)4095;
	uintptr_t at = (uintptr_t)from;
	uintptr_t last = at + bytes - 1;

	if (!segment_has(&reader->around, at, bytes))
		reader->around = segment_around(reader->loaded, at);
	if (!segment_has(&reader->around, at, bytes))
		return false;
	if ((at & pages) == reader->page && (last & pages) == reader->page)
		return true;
	reader->page = last & pages;
	return sys_is_there(at, bytes);
}

static void
find_relocations(struct reader *reader, const ElfW(Dyn) *dynamic, struct relocations *found)
{
	memset(found, 0, sizeof(*found));
	for (; can_read(reader, dynamic, sizeof(*dynamic)) && dynamic->d_tag != DT_NULL;
		 dynamic++) {
		switch (dynamic->d_tag) {
		case DT_JMPREL: found->at[0] = (const void *)dynamic->d_un.d_ptr; break;
		case DT_PLTRELSZ: found->bytes[0] = dynamic->d_un.d_val; break;
		case DT_RELA: found->at[1] = (const void *)dynamic->d_un.d_ptr; break;
		case DT_RELASZ: found->bytes[1] = dynamic->d_un.d_val; break;
		case DT_PLTREL:
			if (dynamic->d_un.d_val != DT_RELA)
				return;
		}
	}
	for (int i = 0; i < 2; i++) {
		if ((uintptr_t)found->at[i] % sizeof(uint64_t) != 0)
			found->bytes[i] = 0;
	}
}

// Finds an object's undefined symbols that are in malloc()'s family. Returns true if one of them is
// a name of glibc's own, such as __libc_malloc: calls by such a name always bypass us.
static bool
find_family(
	struct reader *reader, const struct dynsym *symbols, uint32_t *family, unsigned *count)
{
	static const char *const kin[] = {"malloc", "free", "calloc", "realloc"};
	static const char own[] = "__libc_";
	struct reader texts = *reader;
	uint32_t symbols_count = dynsym_count_undefined(symbols);

	*count = 0;
	for (uint32_t i = 1; i < symbols_count && *count < FAMILY_MAX; i++) {
		if (!can_read(reader, &symbols->table[i], sizeof(*symbols->table)))
			return false;
		uint32_t at = symbols->table[i].st_name;
		size_t left = at < symbols->names_bytes ? symbols->names_bytes - at : 0;
		left = left < sizeof("__libc_realloc") ? left : sizeof("__libc_realloc");
		const char *name = symbols->names + at;
		if (left == 0 || !can_read(&texts, name, left))
			continue;
		bool is_own = left >= sizeof(own) && memcmp(name, own, sizeof(own) - 1) == 0;
		const char *rest = is_own ? name + sizeof(own) - 1 : name;
		for (size_t k = 0; k < sizeof(kin) / sizeof(*kin); k++) {
			if (strcmp(rest, kin[k]) == 0)
				family[(*count)++] = i;
		}
		if (is_own && *count > 0 && family[*count - 1] == i)
			return true;
	}
	return false;
}

enum binding {
	BINDING_OURS, // bound to our function; also if the bound address is 0 or cannot be read
	BINDING_NONE_YET, // not bound before the first call
	BINDING_PAST_US,
};

// Returns whose function one of the object's relocations leads to now.
static enum binding
binding_of(struct reader *reader, const struct object *object, const ElfW(Rela) *relocation)
{
	const void *at = (const void *)(object->base + relocation->r_offset);
	uintptr_t bound;

	if (!can_read(reader, at, sizeof(bound)))
		return BINDING_OURS;
	memcpy(&bound, at, sizeof(bound));
	if (bound == 0 || code_range_has(&real.self, bound))
		return BINDING_OURS;
	// An address in the object itself is a stub's: the first call will bind the function.
	return bound >= object->start && bound < object->end ? BINDING_NONE_YET
														 : BINDING_PAST_US;
}

static enum binding
binding_of_object(const struct dl_phdr_info *loaded, const struct object *object)
{
	const ElfW(Dyn) *dynamic = NULL;
	uint32_t family[FAMILY_MAX];
	unsigned count;
	struct dynsym symbols;
	struct relocations relocations;
	struct reader reader = {.loaded = loaded};
	struct reader words = reader;
	enum binding most = BINDING_OURS;

	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr);
	}
	if (!dynamic || !can_read(&reader, dynamic, sizeof(*dynamic))
		|| !dynsym_open(loaded, &symbols)
		|| !can_read(&reader, symbols.gnu_hash ? symbols.gnu_hash : symbols.hash,
			2 * sizeof(uint32_t)))
		return BINDING_OURS;
	if (find_family(&reader, &symbols, family, &count))
		return BINDING_PAST_US;
	find_relocations(&reader, dynamic, &relocations);
	for (int i = 0; count > 0 && i < 2; i++) {
		uint64_t end = relocations.bytes[i] / sizeof(ElfW(Rela));
		for (uint64_t k = 0; k < end && k < RELOCATIONS_MAX; k++) {
			const ElfW(Rela) *relocation = &relocations.at[i][k];
			if (!can_read(&reader, relocation, sizeof(*relocation)))
				break;
			uint32_t symbol = (uint32_t)ELF64_R_SYM(relocation->r_info);
			for (unsigned f = 0; symbol != 0 && f < count; f++) {
				enum binding now = symbol == family[f]
					? binding_of(&words, object, relocation) : BINDING_OURS;
				most = now > most ? now : most;
			}
		}
	}
	return most;
}

static void
keep_name(unsigned number, const char *path)
{
	struct text text = {.bytes = names[number], .size = BYPASS_NAME_BYTES};

	if (number >= BYPASS_NAMES_MAX)
		return;
	text_escaped(&text, path, BYPASS_NAME_BYTES);
	names[number][text.length] = '\0';
}

static void
keep_range(const struct object *object)
{
	unsigned at = state.ranges_count;

	if (at == RANGES_MAX)
		return;
	for (; at > 0 && ranges[at - 1].start > object->start; at--)
		ranges[at] = ranges[at - 1];
	ranges[at] = (struct range){object->start, object->end};
	state.ranges_count++;
}

static bool
lies_past_us(uintptr_t pc)
{
	size_t above = table_first_from(ranges, state.ranges_count, sizeof(*ranges), pc + 1);
	return above > 0 && pc < ranges[above - 1].end;
}

// Returns true if the source's caller is in an object whose free() is not ours. Frames of the C
// library, such as strdup()'s, are skipped.
static bool
is_freed_past_us(const struct source *source, uint32_t depth)
{
	const struct frame *frame = stack_store_frame(source->frames) + 1;

	for (uint32_t i = 1; i < depth; i++, frame++) {
		frame = stack_store_frame(frame);
		if (script_line_is(frame->pc))
			return false;
		if (!code_range_has(&real.libc, frame->pc))
			return lies_past_us(frame->pc);
	}
	return false;
}

// Marks the sources whose blocks are freed by calls that bypass us. Looks at each source once after
// each change of ranges[]. A source that another thread has not written yet has depth 0: the next
// call looks at that source and all later ones again.
static void
mark_sources(void)
{
	uint32_t count = source_count();
	uint32_t unwritten = count;

	for (uint32_t i = state.marked; state.ranges_count > 0 && i < count; i++) {
		const struct source *source = source_get(i);
		uint32_t depth = source ? __atomic_load_n(&source->depth, __ATOMIC_ACQUIRE) : 0;
		if (depth == 0)
			unwritten = i < unwritten ? i : unwritten;
		else if (is_freed_past_us(source, depth))
			source_set_unseen(i);
	}
	state.marked = unwritten;
}

// Returns true if objects with a call that was not bound yet are to be examined again.
static bool
asks_again(void)
{
	return state.pending > 0
		&& (loss_get(LOSS_UNSEEN_FREES) > state.unseen || state.looks >= state.patience);
}

// Returns true if the loader's list is worth a visit. A new source is a sign that an object may
// have been loaded: the loader allocates for each object, usually with a new stack.
static bool
may_be_due(void)
{
	state.looks++;
	return source_count() != state.sources || loss_get(LOSS_UNSEEN_FREES) != state.unseen
		|| asks_again();
}

static bool
is_due(const struct dl_phdr_info *loaded)
{
	bool is_news = loaded->dlpi_adds != state.adds;
	bool is_again = asks_again();

	state.unseen = loss_get(LOSS_UNSEEN_FREES);
	if (!is_news && !is_again)
		return false;
	state.patience = is_news ? 1 : 2 * state.patience;
	state.looks = 0;
	state.adds = loaded->dlpi_adds;
	state.ranges_count = 0;
	state.marked = SOURCE_OTHER + 1;
	return true;
}

static int
step(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	struct walk *walk = context;
	struct object object;

	if (walk->place++ == 0
		&& (bytes < sizeof(*loaded) || state.first == 0 || !is_due(loaded)))
		return 1;
	if (walk->place <= state.first)
		return 0;
	object_describe(loaded, &object);
	enum binding binding = binding_of_object(loaded, &object);
	if (binding == BINDING_PAST_US) {
		keep_name(walk->found++, object.name);
		keep_range(&object);
	}
	walk->pending += binding == BINDING_NONE_YET;
	return 0;
}

void
bypass_start(void)
{
	state.first = state.adds = loader_first_count();
	state.marked = SOURCE_OTHER + 1;
}

static bool
look(void)
{
	struct walk walk = {0};
	unsigned before = state.count;
	uint32_t sources = source_count();

	if (!may_be_due())
		return false;
	int result = loader_visit(step, &walk);
	// If the result is negative, the list could not be visited: the next look tries again.
	if (result >= 0)
		state.sources = sources;
	if (result != 0)
		return false;
	state.pending = walk.pending;
	// If no object bypasses us any more, the count and the names of those that did are kept.
	if (walk.found == 0)
		return false;
	state.count = walk.found;
	state.names_count = walk.found < BYPASS_NAMES_MAX ? walk.found : BYPASS_NAMES_MAX;
	return state.count > before;
}

bool
bypass_look(void)
{
	bool are_more = look();
	mark_sources();
	return are_more;
}

void
bypass_write(struct text *text)
{
	for (unsigned i = 0; i < state.names_count; i++) {
		text_string(text, i > 0 ? ", " : "");
		text_string(text, names[i]);
	}
	if (state.count > state.names_count) {
		text_named(text, " and ", state.count - state.names_count);
		text_string(text, " more");
	}
}
