// The reader of call frame information makes of each instruction what the standard says:
// rows worked out by hand. The bytes lie against a page that cannot be read.
// of whole stacks
// of x86-64

#include "unit.h"
#include "unwind/cfa.h"
#include "ehbytes.h"
#include "unwind/ehframe.h"

static struct eh_section section;
static int rows;

static const struct eh_case usual = {
	.version = 1,
	.augmentation = "zR",
	.augmentation_data = {"\x01\x1b", 2},
	// DW_CFA_def_cfa rsp, 8; DW_CFA_offset return address, 1
	.initial = {"\x0c\x07\x08\x90\x01", 5},
	.code_align = 1,
	.data_align = 0x78, // -8
};

static void
with(const char *instructions, size_t length)
{
	struct eh_case eh = usual;
	eh.instructions = (struct eh_bytes){instructions, length};
	eh_make(&section, &eh);
}
#define WITH(string) with(string, sizeof(string) - 1)

static enum ehframe_result
find(uintptr_t offset, struct cfa_program *program)
{
	return ehframe_find(&section.unwind, section.code + offset, program);
}

static struct cfa_row
row_at(uintptr_t offset)
{
	struct cfa_program program;
	struct cfa_row row;
	expect(find(offset, &program) == EHFRAME_FOUND);
	expect(program.start == section.code);
	expect(cfa_run(&program, section.code + offset, &row));
	rows++;
	return row;
}

static bool
is_damaged(uintptr_t offset)
{
	struct cfa_program program;
	struct cfa_row row;
	enum ehframe_result found = find(offset, &program);
	rows++;
	return found == EHFRAME_DAMAGED
		|| (found == EHFRAME_FOUND && !cfa_run(&program, section.code + offset, &row));
}

static bool
is_value(struct value value, enum value_base base, int64_t offset)
{
	return value.base == base && value.offset == offset;
}

static bool
has_cfa(uintptr_t at, enum value_base base, int64_t offset)
{
	return is_value(row_at(at).cfa, base, offset);
}

static bool
has_fp(uintptr_t at, enum cfa_saving saving, enum value_base base, int64_t offset)
{
	struct cfa_register fp = row_at(at).fp;
	return fp.saving == saving && (saving != CFA_SAVED || is_value(fp.at, base, offset));
}

// push %rbp; mov %rsp,%rbp; ...; leave; ret
static void
test_frame_pointer(void)
{
	WITH("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\xc6\x0c\x07\x08");
	expect(has_cfa(0, VALUE_SP, 8) && has_fp(0, CFA_SAME, 0, 0));
	expect(has_cfa(1, VALUE_SP, 16) && has_fp(1, CFA_SAVED, VALUE_CFA, -16));
	expect(has_cfa(3, VALUE_SP, 16));
	expect(has_cfa(4, VALUE_FP, 16) && has_cfa(0x23, VALUE_FP, 16));
	expect(has_cfa(0x24, VALUE_SP, 8) && has_fp(0x24, CFA_SAME, 0, 0));
	expect(has_cfa(eh_code_bytes - 1, VALUE_SP, 8));
	struct cfa_register ra = row_at(2).ra;
	expect(ra.saving == CFA_SAVED && is_value(ra.at, VALUE_CFA, -8));

	struct cfa_program program;
	expect(find(eh_code_bytes, &program) == EHFRAME_NONE);
	expect(ehframe_find(&section.unwind, section.code - 1, &program) == EHFRAME_NONE);
	expect(ehframe_find(&section.unwind, 0, &program) == EHFRAME_NONE);
	expect(ehframe_find(&section.unwind, UINTPTR_MAX, &program) == EHFRAME_NONE);
}

static void
test_advances(void)
{
	// advance_loc 0x3f, 1, 2, 4 bytes; between them def_cfa_offset 16, 24, ...
	WITH("\x7f\x0e\x10\x02\xff\x0e\x18\x03\x00\x20\x0e\x20\x04\x00\x40\x00\x00\x0e\x28");
	expect(has_cfa(0x3e, VALUE_SP, 8) && has_cfa(0x3f, VALUE_SP, 16));
	expect(has_cfa(0x13d, VALUE_SP, 16) && has_cfa(0x13e, VALUE_SP, 24));
	expect(has_cfa(0x213d, VALUE_SP, 24) && has_cfa(0x213e, VALUE_SP, 32));
	expect(has_cfa(0x613d, VALUE_SP, 32) && has_cfa(0x613e, VALUE_SP, 40));

	struct eh_case eh = usual;
	eh.code_align = 4;
	eh.instructions = EH_BYTES("\x41\x0e\x10\x02\x10\x0e\x18");
	eh_make(&section, &eh);
	expect(has_cfa(3, VALUE_SP, 8) && has_cfa(4, VALUE_SP, 16));
	expect(has_cfa(0x43, VALUE_SP, 16) && has_cfa(0x44, VALUE_SP, 24));

	// set_loc, relative to where it stands: the code begins 0x100000 behind the header.
	uint32_t to = 0x100000 + 0x123;
	char set[] = "\x41\x0e\x10\x01....\x0e\x18";
	WITH("\x41\x0e\x10\x01....\x0e\x18");
	size_t at = section.bytes - 4;
	while (memcmp((char *)section.unwind.header + at, set, 4) != 0)
		at--;
	to -= (uint32_t)at + 4;
	memcpy((char *)section.unwind.header + at + 4, &to, sizeof(to));
	expect(has_cfa(0x122, VALUE_SP, 16) && has_cfa(0x123, VALUE_SP, 24));
}

static void
test_plt(void)
{
	// rsp + 8 + ((rip & 15) >= 11) * 8
	WITH("\x0e\x10\x46\x0e\x18\x4a\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22");
	expect(has_cfa(5, VALUE_SP, 16) && has_cfa(6, VALUE_SP, 24));
	uintptr_t odd = section.code % 16;
	for (uintptr_t at = 16; at < 64; at++)
		expect(has_cfa(at, VALUE_SP, (odd + at) % 16 >= 11 ? 16 : 8));
}

static void
test_realigned(void)
{
	// lea 8(%rsp),%r10; and $-64,%rsp; push -8(%r10); push %rbp; mov %rsp,%rbp; push %r10
	WITH("\x45\x0c\x0a\x00\x4b\x10\x06\x02\x76\x00\x45\x0f\x03\x76\x78\x06\x60\x0c\x0a\x00"
	     "\x45\x0c\x07\x08");
	expect(has_cfa(4, VALUE_SP, 8) && has_cfa(5, VALUE_UNKNOWN, 0));
	expect(has_fp(0x10, CFA_SAVED, VALUE_FP, 0));
	expect(has_cfa(0x15, VALUE_AT_FP, -8) && has_fp(0x15, CFA_SAVED, VALUE_FP, 0));
	expect(has_cfa(0x35, VALUE_UNKNOWN, 0) && has_cfa(0x3a, VALUE_SP, 8));
}

static void
test_remembered(void)
{
	WITH("\x41\x0e\x10\x86\x02\x0a\x41\x0e\x18\xc6\x0a\x41\x0e\x20\x41\x0b\x41\x0b");
	expect(has_cfa(1, VALUE_SP, 16) && has_fp(1, CFA_SAVED, VALUE_CFA, -16));
	expect(has_cfa(2, VALUE_SP, 24) && has_fp(2, CFA_SAME, 0, 0));
	expect(has_cfa(3, VALUE_SP, 32));
	expect(has_cfa(4, VALUE_SP, 24) && has_fp(4, CFA_SAME, 0, 0));
	expect(has_cfa(5, VALUE_SP, 16) && has_fp(5, CFA_SAVED, VALUE_CFA, -16));

	WITH("\x41\x0b");
	expect(has_cfa(0, VALUE_SP, 8) && is_damaged(1));
	char deep[300];
	memset(deep, 0x0a, sizeof(deep));
	with(deep, sizeof(deep));
	expect(is_damaged(0));
}

static void
test_registers(void)
{
	// offset_extended, offset_extended_sf, GNU_negative_offset_extended: rbp at cfa - 24,
	// cfa - 32, cfa + 16
	WITH("\x05\x06\x03\x41\x11\x06\x04\x41\x2f\x06\x02\x41\x06\x06\x41\x07\x06\x41\x08\x06"
	     "\x41\x09\x06\x03\x41\x14\x06\x02\x41\x15\x06\x7e\x41\x16\x06\x02\x77\x08");
	expect(has_fp(0, CFA_SAVED, VALUE_CFA, -24) && has_fp(1, CFA_SAVED, VALUE_CFA, -32));
	expect(has_fp(2, CFA_SAVED, VALUE_CFA, 16) && has_fp(3, CFA_SAME, 0, 0));
	expect(has_fp(4, CFA_UNDEFINED, 0, 0) && has_fp(5, CFA_SAME, 0, 0));
	expect(has_fp(6, CFA_ELSEWHERE, 0, 0) && has_fp(7, CFA_ELSEWHERE, 0, 0));
	expect(has_fp(8, CFA_ELSEWHERE, 0, 0) && has_fp(9, CFA_ELSEWHERE, 0, 0));

	// def_cfa_sf rbp, -2; def_cfa_offset_sf -3; GNU_args_size; def_cfa_register rsp; rbx
	WITH("\x12\x06\x7e\x41\x13\x7d\x41\x2e\x20\x0d\x07\x41\x0d\x03\x41\x07\x10");
	expect(has_cfa(0, VALUE_FP, 16) && has_cfa(1, VALUE_FP, 24) && has_cfa(2, VALUE_SP, 24));
	expect(row_at(3).cfa.base == VALUE_UNKNOWN && row_at(4).ra.saving == CFA_UNDEFINED);

	// Of registers that do not lead outwards.
	WITH("\x83\x03\x8c\x04\x05\x0d\x05\x10\x0e\x02\x77\x00\xcf\x06\x0c");
	expect(has_cfa(0, VALUE_SP, 8) && has_fp(0, CFA_SAME, 0, 0));

	// The factor and the offset are as large as can be.
	WITH("\x12\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x13\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f");
	row_at(0);
}

static enum ehframe_result
augmented(uint8_t version, const char *string, struct eh_bytes data)
{
	struct cfa_program program;
	struct eh_case eh = usual;
	eh.version = version;
	eh.augmentation = string;
	eh.augmentation_data = data;
	eh_make(&section, &eh);
	rows++;
	return find(0, &program);
}

static void
test_augmentations(void)
{
	expect(augmented(1, "zR", EH_BYTES("\x01\x1b")) == EHFRAME_FOUND);
	expect(augmented(3, "zR", EH_BYTES("\x01\x1b")) == EHFRAME_FOUND);
	expect(augmented(1, "zRS", EH_BYTES("\x01\x1b")) == EHFRAME_SIGNAL);
	expect(augmented(1, "zPLR", EH_BYTES("\x07\x9b....\x1b\x1b")) == EHFRAME_FOUND);
	expect(augmented(1, "zPLR", EH_BYTES("\x0b\x00........\x1b\x1b")) == EHFRAME_FOUND);
	expect(augmented(1, "zR", EH_BYTES("\x03\x1b..")) == EHFRAME_FOUND);
	// Of old compilers, of the future, and of nobody.
	expect(augmented(1, "eh", EH_BYTES("........")) == EHFRAME_DAMAGED);
	expect(augmented(4, "zR", EH_BYTES("\x01\x1b")) == EHFRAME_DAMAGED);
	expect(augmented(1, "zX", EH_BYTES("\x01\x1b")) == EHFRAME_DAMAGED);
	expect(augmented(1, "zR", EH_BYTES("\x7f\x1b")) == EHFRAME_DAMAGED);
	expect(augmented(1, "zPR", EH_BYTES("\x02\x03.\x1b")) == EHFRAME_DAMAGED);
	expect(augmented(1, "zR", EH_BYTES("\x01\x05")) == EHFRAME_DAMAGED);
	expect(augmented(1, "zR", EH_BYTES("\x01\x3b")) == EHFRAME_DAMAGED);
}

// A word of the section becomes another, and then what it was.
static bool
is_damage(size_t at, uint32_t word)
{
	struct cfa_program program;
	char *bytes = (char *)section.unwind.header + at;
	uint32_t kept;

	memcpy(&kept, bytes, sizeof(kept));
	memcpy(bytes, &word, sizeof(word));
	enum ehframe_result found = find(0, &program);
	memcpy(bytes, &kept, sizeof(kept));
	rows++;
	return found == EHFRAME_DAMAGED;
}

static void
test_damage(void)
{
	uint32_t fde;

	WITH("\x41\x0e\x10");
	memcpy(&fde, (char *)section.unwind.header + 16, sizeof(fde));
	expect(find(0, &(struct cfa_program){0}) == EHFRAME_FOUND);
	expect(is_damage(0, 0x3b031b02) && is_damage(0, 0x3b031c01));
	expect(is_damage(8, 3 + (uint32_t)section.bytes / 8) && is_damage(8, UINT32_MAX));
	expect(is_damage(16, 0x7fffffff) && is_damage(16, 0x80000000));
	expect(is_damage(16, (uint32_t)section.bytes) && is_damage(16, (uint32_t)section.bytes - 2));
	static const uint32_t lengths[] = {0, 3, 0x1000, 0x100001, 0x7fffffff, 0xfffffffe, 0xffffffff};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		expect(is_damage(fde, lengths[i]) && is_damage(EH_HEADER, lengths[i]));
	expect(is_damage(fde + 4, 0) && is_damage(fde + 4, UINT32_MAX) && is_damage(fde + 4, 4));
	expect(is_damage(fde + 4, fde + 5));

	// Cut off in the middle of an instruction, or an instruction nobody knows.
	WITH("\x0c\x87\x88\x80\x80\x80\x80"); // without a NOP behind
	expect(is_damaged(0));
	WITH("\x0f\x7f\x77\x08");
	expect(is_damaged(0));
	WITH("\x3f");
	expect(is_damaged(0));
	WITH("\x04\x01\x00");
	expect(is_damaged(0));
}

int
main(void)
{
	section.area = eh_pages();
	test_frame_pointer();
	test_advances();
	test_plt();
	test_realigned();
	test_remembered();
	test_registers();
	test_augmentations();
	test_damage();
	printf("figure: %d rows\n", rows);
	return 0;
}
