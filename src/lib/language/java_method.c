// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "language/java_vm.h"
#include "language/java_stream.h"
#include "language/java_method.h"

enum {
	FLAG_HIDDEN = 8, // a bit of a Method's flags (Method::_hidden)
	FLAG_LINES = 1,  // a bit of a ConstMethod's flags (ConstMethod::_has_linenumber_table)
	// A table of lines has an entry for each line. It is the line's first instruction and its
	// number, as differences to the entry before. An entry is usually one byte. The upper 5 bits
	// are the instruction's difference, the lower 3 bits the number's.
	PAIR_SHIFT = 3,
	PAIR_MASK = 7,
	PAIR_IS_LONG = 0xff, // both differences follow this byte, as numbers of java_stream.h
	LINES_MAX = 1 << 16, // upper bound of a method's lines, and of its bytes (JVMS 4.7.3)
};

// Reads a 16-bit number of a HotSpot object.
static uint16_t
short_at(uintptr_t object, size_t offset)
{
	uint16_t number;
	memcpy(&number, (const char *)object + offset, sizeof(number));
	return number;
}

static uintptr_t
const_of(uintptr_t method)
{
	return word_at(method, java_vm.method_const);
}

static uintptr_t
pool_of(uintptr_t method)
{
	return word_at(const_of(method), java_vm.const_pool);
}

// Returns the Symbol at an index of a constant pool.
static uintptr_t
symbol_in_pool(uintptr_t pool, uint16_t index)
{
	return word_at(pool, java_vm.pool_bytes + index * sizeof(uintptr_t));
}

static uintptr_t
name_of(uintptr_t method)
{
	return symbol_in_pool(pool_of(method), short_at(const_of(method), java_vm.const_name));
}

static uintptr_t
class_name_of(uintptr_t method)
{
	return word_at(word_at(pool_of(method), java_vm.pool_holder), java_vm.class_name);
}

// Returns where a method's instructions begin, right after its ConstMethod.
static uintptr_t
code_of(uintptr_t method)
{
	return const_of(method) + java_vm.const_bytes;
}

static uint16_t
code_bytes_of(uintptr_t method)
{
	return short_at(const_of(method), java_vm.const_code_bytes);
}

int32_t
java_method_bytecode(uintptr_t method, uintptr_t instruction)
{
	uintptr_t bytecode = instruction - code_of(method);
	return bytecode < code_bytes_of(method) ? (int32_t)bytecode : -1;
}

bool
java_method_is_hidden(uintptr_t method)
{
	return short_at(method, java_vm.method_flags) & FLAG_HIDDEN;
}

// Returns the line that begins at the instruction, or the line that begins nearest before it. The
// table's entries need not be in order.
uint32_t
java_method_line(uintptr_t method, int32_t bytecode)
{
	const uint8_t *at = (const uint8_t *)code_of(method) + code_bytes_of(method);
	int32_t from = 0, number = 0, best = -1, line = 0;

	if (bytecode < 0 || !(short_at(const_of(method), java_vm.const_flags) & FLAG_LINES))
		return 0;
	for (unsigned i = 0; i < LINES_MAX && *at != 0; i++) {
		uint8_t pair = *at++;
		from += pair == PAIR_IS_LONG ? java_read_signed(&at) : pair >> PAIR_SHIFT;
		number += pair == PAIR_IS_LONG ? java_read_signed(&at) : pair & PAIR_MASK;
		if (from == bytecode)
			return (uint32_t)number;
		if (from < bytecode && from >= best) {
			best = from;
			line = number;
		}
	}
	return (uint32_t)line;
}

static uint64_t
hash_text(uint64_t hash, uintptr_t symbol)
{
	uint32_t length;
	const char *text = java_vm_text(symbol, &length);

	for (uint32_t i = 0; i < length; i++)
		hash = hash_step(hash, (uint8_t)text[i]);
	return hash_step(hash, length);
}

uint64_t
java_method_hash(uintptr_t method)
{
	uint64_t hash = hash_text(hash_text(HASH_SEED, class_name_of(method)), name_of(method));
	uint16_t file = short_at(pool_of(method), java_vm.pool_file);

	return file ? hash_text(hash, symbol_in_pool(pool_of(method), file)) : hash;
}

// Returns the last 8 characters of a name. If a program generates classes, their names usually
// differ at the end.
static uint64_t
end_of(uintptr_t symbol)
{
	uint64_t end = 0;
	uint32_t length;
	const char *text = java_vm_text(symbol, &length);
	uint32_t bytes = length < sizeof(end) ? length : (uint32_t)sizeof(end);

	memcpy(&end, text + length - bytes, bytes);
	return end;
}

uint64_t
java_method_id(uintptr_t method)
{
	uintptr_t class_name = class_name_of(method);
	uint64_t shape = word_at(const_of(method), java_vm.const_code_bytes);

	shape = hash_step(method ^ (uint64_t)java_method_line(method, 0) << 48, shape);
	return hash_step(hash_step(shape, class_name), end_of(class_name));
}

// A text of limited length. Characters that do not fit are cut off.
struct name {
	// Room for one character more than is kept: if that character is set, the text was cut.
	char text[SCRIPT_LINE_NAME_MAX + 2];
	uint32_t length;
};

static void
append_text(struct name *name, const char *text, uint32_t length)
{
	uint32_t room = (uint32_t)sizeof(name->text) - 1 - name->length;
	if (length > room)
		length = room;
	memcpy(name->text + name->length, text, length);
	name->length += length;
	name->text[name->length] = '\0';
}

// Returns the length of the package in a class's name, with the / at its end.
static uint32_t
package_length(const char *text, uint32_t length)
{
	while (length > 0 && text[length - 1] != '/')
		length--;
	return length;
}

// Returns the length of a class's name. In a hidden class an address follows the name; it does not
// count.
static uint32_t
length_without_address(const char *text, uint32_t length)
{
	for (uint32_t i = length; i-- > 2;)
		if (text[i - 2] == '+' && text[i - 1] == '0' && text[i] == 'x')
			return i - 2;
	return length;
}

void
java_method_words(uintptr_t method, struct script_line_words *words)
{
	struct name file = {0}, function = {0};
	uint32_t length, class_length;
	const char *class = java_vm_text(class_name_of(method), &class_length);
	uint16_t file_index = short_at(pool_of(method), java_vm.pool_file);
	const char *text = java_vm_text(name_of(method), &length);

	class_length = length_without_address(class, class_length);
	uint32_t package = package_length(class, class_length);
	append_text(&function, class + package, class_length - package);
	append_text(&function, ".", 1);
	append_text(&function, text, length);
	append_text(&file, class, file_index ? package : class_length);
	if (file_index) {
		text = java_vm_text(symbol_in_pool(pool_of(method), file_index), &length);
		append_text(&file, text, length);
	} else {
		append_text(&file, ".class", 6);
	}
	script_line_file(words, file.text);
	script_line_function(words, function.text);
}
