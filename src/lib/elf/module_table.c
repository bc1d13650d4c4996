// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/table.h"
#include "base/hash.h"
#include "base/loss.h"
#include "base/text.h"
#include "elf/module_table.h"

enum {
	WORD_BITS = 64,
	// The room for a name is a multiple of this many bytes. So a later object's name may fit into
	// the same room, too.
	ROOM = 32,
};

// Entry 0 is MODULE_NONE and never filled.
static TABLE_STATIC struct module modules[PMEM_MODULES + 1];
// For each hash of an object's identity: number of the first entry in the list for that hash;
// atomic.
static TABLE_STATIC uint16_t index_of[PMEM_MODULES];
static TABLE_STATIC char names[PMEM_MODULES * 64 + MODULE_NAME_MAX];

static struct {
	uint32_t count;      // entries given out; atomic, never above PMEM_MODULES
	size_t names_length; // bytes of names[] in use; atomic
	// a bit for each number that is free to be reused; atomic
	uint64_t spare[PMEM_MODULES / WORD_BITS + 1];
	uint32_t spares;     // approximate number of bits set in `spare`; atomic
} state;

uint32_t
module_table_count(void)
{
	return __atomic_load_n(&state.count, __ATOMIC_ACQUIRE);
}

const struct module *
module_table_get(uint32_t number)
{
	const struct module *module = &modules[number];
	return __atomic_load_n(&module->ready, __ATOMIC_ACQUIRE) ? module : NULL;
}

enum module_stay *
module_table_stay(uint32_t number)
{
	return &modules[number].stay;
}

static bool
same_object(const struct module *a, const struct module *b)
{
	return a->start == b->start && a->end == b->end && a->path_hash == b->path_hash
		&& a->build_id_bytes == b->build_id_bytes
		&& memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
}

uint64_t
module_table_identity(const struct module *object)
{
	uint64_t hash = hash_step(hash_step(object->path_hash, object->start), object->end);
	for (int i = 0; i < object->build_id_bytes; i++)
		hash = hash_step(hash, object->build_id[i]);
	return hash | 1;
}

// Returns the object's list in the index.
static uint16_t *
list_of(const struct module *object)
{
	return &index_of[(module_table_identity(object) >> 1) % PMEM_MODULES];
}

// Returns the number of the object's entry on the list that begins with entry `number`.
static uint32_t
find_on_list(uint32_t number, const struct module *object)
{
	// If an entry is meanwhile reused for another object, the search may go on in that object's
	// list. So the number of steps is limited.
	for (uint32_t i = 0; number != MODULE_NONE && i < PMEM_MODULES; i++) {
		const struct module *module = module_table_get(number);
		if (module && same_object(module, object) && !module_table_is_left(number))
			return number;
		number = __atomic_load_n(&modules[number].next, __ATOMIC_ACQUIRE);
	}
	return MODULE_NONE;
}

uint32_t
module_table_find(const struct module *object)
{
	return find_on_list(__atomic_load_n(list_of(object), __ATOMIC_ACQUIRE), object);
}

// Writes the path to names[]. If the path fits into the room of the previous object with this
// number, `before`, uses that room again.
static void
keep_name(struct module *module, const struct module *before, const char *path)
{
	size_t room = (text_escaped_room(path, MODULE_NAME_MAX) + ROOM - 1) & -(size_t)ROOM;
	struct text text = {.bytes = (char *)before->name, .size = before->name_room};

	if (before->name_room < room) {
		size_t at = __atomic_fetch_add(&state.names_length, room, __ATOMIC_RELAXED);
		bool fits = at < sizeof(names) && room <= sizeof(names) - at;
		text = (struct text){.bytes = names + at, .size = fits ? room : 0};
	}
	module->name_room = (uint32_t)text.size;
	if (text.size == 0) {
		loss_count(LOSS_MODULES_FULL);
		module->name = "(no room for its name)";
		module->name_length = (uint32_t)strlen(module->name);
		return;
	}
	module->name = text.bytes;
	text_escaped(&text, path, MODULE_NAME_MAX);
	module->name_length = (uint32_t)text.length;
}

static uint32_t
take_spare(void)
{
	for (uint32_t i = 0; i < sizeof(state.spare) / sizeof(*state.spare); i++) {
		uint64_t bits = __atomic_load_n(&state.spare[i], __ATOMIC_ACQUIRE);
		while (bits != 0) {
			uint32_t number = i * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
			if (!__atomic_compare_exchange_n(&state.spare[i], &bits, bits & (bits - 1),
				    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
				continue;
			__atomic_fetch_sub(&state.spares, 1, __ATOMIC_RELAXED);
			return number;
		}
	}
	return MODULE_NONE;
}

static uint32_t
take_number(void)
{
	uint32_t number = module_table_count();
	do {
		if (number >= PMEM_MODULES)
			return take_spare();
	} while (!__atomic_compare_exchange_n(&state.count, &number, number + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return number + 1;
}

static void
give_back(uint32_t number)
{
	struct module *entry = &modules[number];
	__atomic_store_n(&entry->ready, false, __ATOMIC_RELEASE);
	__atomic_store_n(&entry->stay, MODULE_HERE, __ATOMIC_RELEASE);
	__atomic_fetch_add(&state.spares, 1, __ATOMIC_RELAXED);
	__atomic_fetch_or(&state.spare[number / WORD_BITS], UINT64_C(1) << number % WORD_BITS,
		__ATOMIC_RELEASE);
}

uint32_t
module_table_enter(struct module *object, const char *path)
{
	uint16_t *list = list_of(object);
	uint16_t first = __atomic_load_n(list, __ATOMIC_ACQUIRE);
	uint32_t number = take_number();
	struct module *entry = &modules[number];

	if (number == MODULE_NONE)
		return MODULE_NONE;
	keep_name(object, entry, path);
	*entry = *object;
	do {
		uint32_t other = find_on_list(first, object);
		if (other != MODULE_NONE) {
			give_back(number);
			return other;
		}
		__atomic_store_n(&entry->next, first, __ATOMIC_RELAXED);
		__atomic_store_n(&entry->ready, true, __ATOMIC_RELEASE);
	} while (!__atomic_compare_exchange_n(
		list, &first, (uint16_t)number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return number;
}

bool
module_table_is_short(void)
{
	uint32_t used = module_table_count() - __atomic_load_n(&state.spares, __ATOMIC_RELAXED);
	return used > PMEM_MODULES / 2;
}

void
module_table_leave(void)
{
	for (uint32_t i = 1; i <= module_table_count(); i++) {
		enum module_stay gone = MODULE_GONE;
		__atomic_compare_exchange_n(module_table_stay(i), &gone, MODULE_LEFT, false,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	}
}

void
module_table_keep(uint32_t number)
{
	enum module_stay left = MODULE_LEFT;
	__atomic_compare_exchange_n(module_table_stay(number), &left, MODULE_GONE, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// Removes the entry from its list in the index. Meanwhile other threads may add entries at the
// list's start.
static void
take_off(uint32_t number)
{
	struct module *entry = &modules[number];
	uint16_t *at = list_of(entry);
	uint16_t found = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	while (found != MODULE_NONE) {
		if (found != number) {
			at = &modules[found].next;
			found = __atomic_load_n(at, __ATOMIC_ACQUIRE);
		} else if (__atomic_compare_exchange_n(
				   at, &found, entry->next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			return;
		}
	}
}

void
module_table_reuse(void)
{
	for (uint32_t i = 1; i <= module_table_count(); i++) {
		if (module_table_is_left(i)) {
			take_off(i);
			give_back(i);
		}
	}
}

bool
module_table_has_left(void)
{
	for (uint32_t i = 1; i <= module_table_count(); i++) {
		if (module_table_is_left(i))
			return true;
	}
	return false;
}
