// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "language/java_vm.h"

enum {
	KNOWN_MAJOR = 17,
	ENTRIES_MAX = 1 << 14, // upper bound of the entries of a table; version 17 has 2,000
	NAME_MAX_BYTES = 64,   // upper bound for a wanted name
	PAGE = 4096,
};

struct java_vm java_vm;

static bool is_read; // true once all fields of java_vm are set; atomic

const char java_vm_unknown[]
	= "this version of Java is not known to this pmem (17 is): no lines of Java are shown";

enum what {
	OFFSET,  // offset of a field in its object
	ADDRESS, // address of a variable
	BYTES,   // size of a type in bytes
};

// The names are arrays in the table, not pointers. So the table needs no relocations at the start.
static const struct wanted {
	char type[24];
	char field[32]; // "" for a type
	enum what what;
	size_t at; // offset in struct java_vm of the field that gets the value
} wanted[] = {
#define FIELD(type, field, name) {type, field, OFFSET, offsetof(struct java_vm, name)}
#define VARIABLE(type, field, name) {type, field, ADDRESS, offsetof(struct java_vm, name)}
#define TYPE(type, name) {type, "", BYTES, offsetof(struct java_vm, name)}
	VARIABLE("Abstract_VM_Version", "_vm_major_version", major),
	VARIABLE("CodeCache", "_heaps", heaps),
	VARIABLE("CodeCache", "_low_bound", code_low),
	VARIABLE("CodeCache", "_high_bound", code_high),
	VARIABLE("AbstractInterpreter", "_code", interpreter),
	VARIABLE("StubRoutines", "_call_stub_return_address", call_stub_return),
	VARIABLE("Symbol", "_vm_symbols[0]", symbols),
	FIELD("GrowableArrayBase", "_len", array_length),
	FIELD("GrowableArray<int>", "_data", array_data),
	FIELD("CodeHeap", "_memory", heap_memory),
	FIELD("CodeHeap", "_segmap", heap_segments),
	FIELD("CodeHeap", "_log2_segment_size", heap_segment_bits),
	FIELD("VirtualSpace", "_low", space_low),
	FIELD("VirtualSpace", "_high", space_high),
	TYPE("HeapBlock", block_bytes),
	FIELD("HeapBlock::Header", "_used", block_used),
	FIELD("StubQueue", "_stub_buffer", queue_begin),
	FIELD("StubQueue", "_buffer_limit", queue_bytes),
	FIELD("CodeBlob", "_name", code_name),
	FIELD("CodeBlob", "_code_begin", code_begin),
	FIELD("CodeBlob", "_code_end", code_end),
	FIELD("CodeBlob", "_frame_size", code_frame_words),
	FIELD("CompiledMethod", "_method", code_method),
	FIELD("CompiledMethod", "_scopes_data_begin", code_scopes),
	FIELD("CompiledMethod", "_deopt_handler_begin", code_deopt),
	FIELD("CompiledMethod", "_deopt_mh_handler_begin", code_deopt_mh),
	FIELD("nmethod", "_metadata_offset", code_metadata),
	FIELD("nmethod", "_scopes_pcs_offset", code_places),
	FIELD("nmethod", "_dependencies_offset", code_places_end),
	FIELD("nmethod", "_orig_pc_offset", code_orig_pc),
	FIELD("nmethod", "_compile_id", code_id),
	FIELD("PcDesc", "_pc_offset", place_pc),
	FIELD("PcDesc", "_scope_decode_offset", place_scope),
	TYPE("PcDesc", place_bytes),
	FIELD("Method", "_constMethod", method_const),
	FIELD("Method", "_flags", method_flags),
	FIELD("ConstMethod", "_constants", const_pool),
	FIELD("ConstMethod", "_flags", const_flags),
	FIELD("ConstMethod", "_code_size", const_code_bytes),
	FIELD("ConstMethod", "_name_index", const_name),
	TYPE("ConstMethod", const_bytes),
	FIELD("ConstantPool", "_pool_holder", pool_holder),
	FIELD("ConstantPool", "_source_file_name_index", pool_file),
	TYPE("ConstantPool", pool_bytes),
	FIELD("Klass", "_name", class_name),
	FIELD("Symbol", "_length", symbol_length),
	FIELD("Symbol", "_body", symbol_body),
	FIELD("JavaCallWrapper", "_anchor", wrapper_anchor),
	FIELD("JavaFrameAnchor", "_last_Java_sp", anchor_sp),
	FIELD("JavaFrameAnchor", "_last_Java_pc", anchor_pc),
	FIELD("JavaFrameAnchor", "_last_Java_fp", anchor_fp),
#undef FIELD
#undef VARIABLE
#undef TYPE
};

enum { WANTED = sizeof(wanted) / sizeof(*wanted) };

_Static_assert(WANTED == sizeof(struct java_vm) / sizeof(uint64_t) && WANTED <= 64,
	"each field is found, and has a bit");

// Describes one of the two tables. HotSpot's variables say where the table is, how large an entry
// is, and where an entry's parts are. Each field here is the address of one of these variables. The
// variables are read later, since the constructors of HotSpot's library may not have set them yet.
static struct table_of {
	const uint64_t *entries, *stride, *type, *field, *value, *address;
} fields, types;

const char *
java_vm_open(const struct dynsym *symbols)
{
	fields = (struct table_of){
		.entries = symbol_data(symbols, "gHotSpotVMStructs"),
		.stride = symbol_data(symbols, "gHotSpotVMStructEntryArrayStride"),
		.type = symbol_data(symbols, "gHotSpotVMStructEntryTypeNameOffset"),
		.field = symbol_data(symbols, "gHotSpotVMStructEntryFieldNameOffset"),
		.value = symbol_data(symbols, "gHotSpotVMStructEntryOffsetOffset"),
		.address = symbol_data(symbols, "gHotSpotVMStructEntryAddressOffset"),
	};
	types = (struct table_of){
		.entries = symbol_data(symbols, "gHotSpotVMTypes"),
		.stride = symbol_data(symbols, "gHotSpotVMTypeEntryArrayStride"),
		.type = symbol_data(symbols, "gHotSpotVMTypeEntryTypeNameOffset"),
		.value = symbol_data(symbols, "gHotSpotVMTypeEntrySizeOffset"),
	};
	__atomic_store_n(&is_read, false, __ATOMIC_RELAXED);
	bool are_there = fields.entries && fields.stride && fields.type && fields.field && fields.value
		&& fields.address && types.entries && types.stride && types.type && types.value;
	return are_there ? NULL : java_vm_unknown;
}

static bool
is_wanted(const struct wanted *one, const char *type, const char *field)
{
	return *one->type == *type && strcmp(one->type, type) == 0
		&& (field ? *one->field && strcmp(one->field, field) == 0 : !*one->field);
}

// Returns true if the bytes can be read. `asked` is the last page that was found readable. The
// kernel is asked, since another library may have HotSpot's name, and anything in place of these
// tables.
static bool
can_read(uintptr_t from, size_t bytes, uintptr_t *asked)
{
	for (uintptr_t page = from & -(uintptr_t)PAGE; page < from + bytes; page += PAGE) {
		if (page != *asked && !sys_readable(page))
			return false;
		*asked = page;
	}
	return from + bytes > from;
}

// Reads the word at an offset in an entry. Returns false if it cannot be read.
static bool
read_word(uintptr_t entry, uint64_t offset, uint64_t *word, uintptr_t *asked)
{
	if (!can_read(entry + offset, sizeof(*word), asked))
		return false;
	*word = word_at(entry, offset);
	return true;
}

static bool
read_name(uintptr_t entry, uint64_t offset, const char **name, uintptr_t *asked)
{
	uint64_t at;

	if (!read_word(entry, offset, &at, &asked[0]) || at == 0 || !can_read(at, 1, &asked[1]))
		return false;
	size_t rest = PAGE - at % PAGE;
	*name = (const char *)at;
	return rest >= NAME_MAX_BYTES || memchr(*name, '\0', rest)
		|| can_read(at, NAME_MAX_BYTES, &asked[1]);
}

// Sets the fields of java_vm whose values are in the table. Returns a bit for each field found.
static uint64_t
take(const struct table_of *table)
{
	uintptr_t entry = *table->entries;
	uintptr_t asked[2] = {UINTPTR_MAX, UINTPTR_MAX};
	uint64_t found = 0;

	for (unsigned i = 0; entry && i < ENTRIES_MAX; i++, entry += *table->stride) {
		const char *type, *field = NULL;
		if (!read_name(entry, *table->type, &type, asked)
			|| (table->field && !read_name(entry, *table->field, &field, asked)))
			break;
		for (unsigned j = 0; j < WANTED; j++) {
			uint64_t value;
			if (!is_wanted(&wanted[j], type, field)
				|| !read_word(entry,
					wanted[j].what == ADDRESS ? *table->address : *table->value, &value, asked))
				continue;
			memcpy((char *)&java_vm + wanted[j].at, &value, sizeof(value));
			found |= UINT64_C(1) << j;
		}
	}
	return found;
}

enum interpreter_verdict
java_vm_read(void)
{
	if (__atomic_load_n(&is_read, __ATOMIC_ACQUIRE))
		return INTERPRETER_HOLDS;
	uintptr_t asked = UINTPTR_MAX;
	uint64_t first;
	if (*fields.stride == 0 || *types.stride == 0 || *fields.entries == 0 || *types.entries == 0)
		return INTERPRETER_UNSURE;
	if (!read_word(*fields.entries, *fields.type, &first, &asked)
		|| (first != 0 && !read_word(*types.entries, *types.type, &first, &asked)))
		return INTERPRETER_DIFFERS;
	if (first == 0)
		return INTERPRETER_UNSURE;
	if ((take(&fields) | take(&types)) != UINT64_MAX >> (64 - WANTED))
		return INTERPRETER_DIFFERS;
	if (!can_read(java_vm.major, sizeof(uint32_t), &asked)
		|| (int32_t)half_at(java_vm.major, 0) != KNOWN_MAJOR)
		return INTERPRETER_DIFFERS;
	__atomic_store_n(&is_read, true, __ATOMIC_RELEASE);
	return INTERPRETER_HOLDS;
}

const char *
java_vm_text(uintptr_t symbol, uint32_t *length)
{
	uint16_t bytes;
	memcpy(&bytes, (const char *)symbol + java_vm.symbol_length, sizeof(bytes));
	*length = bytes;
	return (const char *)symbol + java_vm.symbol_body;
}
