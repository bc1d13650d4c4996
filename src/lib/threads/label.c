// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "threads/label.h"

// The labels in order of first use, from number 1 on. The thread that sets the hash of an entry
// then writes the entry's name.
static TABLE_STATIC struct label {
	uint64_t hash; // hash of the name; 0 if the number is free; atomic
	bool is_named; // true once `name` is written; atomic
	char name[FORMAT_LABEL_BYTES + 1];
} labels[LABELS];

// Returns how many bytes a UTF-8 character has, by its first byte (RFC 3629, 4). Returns 0 if no
// character begins with this byte.
static size_t
length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// Returns false for codes that fit in fewer than `length` bytes, halves of surrogate pairs, codes
// beyond Unicode, and control characters.
static bool
is_character(uint32_t code, size_t length)
{
	static const uint32_t least[] = {0, 0x20, 0xa0, 0x800, 0x10000};
	return code >= least[length] && code != 0x7f && code <= 0x10ffff
		&& (code < 0xd800 || code > 0xdfff);
}

static bool
is_text(const char *label)
{
	size_t length;

	for (; *label; label += length) {
		unsigned char first = (unsigned char)*label;
		length = length_of(first);
		if (length == 0)
			return false;
		uint32_t code = length == 1 ? first : first & (0x7fU >> length);
		// The NUL at the end is no continuation byte, so nothing beyond it is read.
		for (size_t i = 1; i < length; i++) {
			if (((unsigned char)label[i] & 0xc0) != 0x80)
				return false;
			code = code << 6 | ((unsigned char)label[i] & 0x3f);
		}
		if (!is_character(code, length))
			return false;
	}
	return true;
}

bool
label_copy(char label[FORMAT_LABEL_BYTES + 1], const char *from)
{
	size_t length = 0;

	while (from && length <= FORMAT_LABEL_BYTES && (label[length] = from[length]))
		length++;
	if (length == 0 || length > FORMAT_LABEL_BYTES)
		return false;
	return is_text(label);
}

static uint32_t
find(uint64_t hash)
{
	for (uint32_t i = 1; i < LABELS; i++) {
		uint64_t found = __atomic_load_n(&labels[i].hash, __ATOMIC_ACQUIRE);
		if (found == hash)
			return i;
		if (found == 0)
			break;
	}
	return 0;
}

static uint32_t
take_number(const char *label, uint64_t hash)
{
	for (uint32_t i = 1; i < LABELS; i++) {
		uint64_t found = __atomic_load_n(&labels[i].hash, __ATOMIC_ACQUIRE);
		if (found == 0
			&& __atomic_compare_exchange_n(&labels[i].hash, &found, hash, false,
				__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			memcpy(labels[i].name, label, strlen(label) + 1);
			__atomic_store_n(&labels[i].is_named, true, __ATOMIC_RELEASE);
			return i;
		}
		if (found == hash)
			return i;
	}
	return 0;
}

uint32_t
label_number(const char *label)
{
	uint64_t hash = hash_string(label) | 1;

	uint32_t number = find(hash);
	if (number > 0)
		return number;
	// Signals are blocked. A handler's siglongjmp() between the stores of hash and name would leave
	// the number without a name for ever.
	uint64_t mask = sys_hold_signals();
	number = take_number(label, hash);
	sys_let_signals(mask);
	return number;
}

uint32_t
label_count(void)
{
	uint32_t count = 1;
	while (count < LABELS && __atomic_load_n(&labels[count].hash, __ATOMIC_ACQUIRE) != 0)
		count++;
	return count;
}

const char *
label_name(uint32_t number)
{
	return __atomic_load_n(&labels[number].is_named, __ATOMIC_ACQUIRE) ? labels[number].name : NULL;
}

uint64_t
label_salt(uint32_t number)
{
	return number > 0 ? labels[number].hash : 0;
}
