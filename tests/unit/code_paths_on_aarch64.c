// Where an object has call frame information, the paths of its instructions lead to the same callers: each
// call in the objects that are loaded here.
// of whole stacks
// of aarch64

#include <dlfcn.h>

#include "unit.h"
#include "base/libc.h"
#include "elf/object.h"
#include "unwind/ehframe.h"
#include "unwind/rule.h"
#include "unwind/aarch64/code_path.h"

static unsigned calls, found, unknown, never, wrong;

// Frames as compilers for musl make them, and others.
extern const char behind_plain[], behind_large[], behind_alloca[], behind_stop[], behind_other[], behind_cold[];
__asm__(".text\n"
	"plain: stp x29, x30, [sp, #-48]!\n mov x29, sp\n stp x19, x20, [sp, #16]\n cbz x0, 1f\n bl plain\n"
	".globl behind_plain\nbehind_plain: b 2f\n1: nop\n2: ldp x19, x20, [sp, #16]\n ldp x29, x30, [sp], #48\n ret\n"
	"large: sub sp, sp, #4080\n stp x29, x30, [sp, #32]\n add x29, sp, #32\n bl plain\n"
	".globl behind_large\nbehind_large: ldp x29, x30, [sp, #32]\n add sp, sp, #4080\n b plain\n"
	"alloca_user: stp x29, x30, [sp, #-32]!\n mov x29, sp\n sub sp, sp, x0\n bl plain\n"
	".globl behind_alloca\nbehind_alloca: mov sp, x29\n ldp x29, x30, [sp], #32\n ret\n"
	// It never returns. What follows it is another function.
	"stop: stp x29, x30, [sp, #-16]!\n bl stop\n"
	".globl behind_stop\nbehind_stop: nop\n"
	// x30 is stored in another way.
	"other: str x30, [sp, #-16]!\n bl plain\n"
	".globl behind_other\nbehind_other: ldr x30, [sp], #16\n ret\n"
	// Behind a call that never returns lies another function's end, whose frame is another.
	"cold: stp x29, x30, [sp, #-64]!\n bl stop\n"
	".globl behind_cold\nbehind_cold: ldp x29, x30, [sp], #48\n ret\n");

static void
test_frames(void)
{
	struct segment code = {(uintptr_t)behind_plain - 64, (uintptr_t)behind_cold + 8};
	struct code_path_frame frame;

	expect(code_path_find(&code, (uintptr_t)behind_plain, &frame) == CODE_PATH_FOUND);
	expect(!frame.by_fp && frame.cfa == 48 && frame.fp == -48 && frame.ra == -40);
	expect(code_path_find(&code, (uintptr_t)behind_large, &frame) == CODE_PATH_FOUND);
	expect(!frame.by_fp && frame.cfa == 4080 && frame.fp == 32 - 4080 && frame.ra == 40 - 4080);
	expect(code_path_find(&code, (uintptr_t)behind_alloca, &frame) == CODE_PATH_FOUND);
	expect(frame.by_fp && frame.cfa == 32 && frame.fp == -32 && frame.ra == -24);
	expect(code_path_find(&code, (uintptr_t)behind_stop, &frame) == CODE_PATH_NEVER);
	expect(code_path_find(&code, (uintptr_t)behind_other, &frame) == CODE_PATH_UNKNOWN);
	expect(code_path_find(&code, (uintptr_t)behind_cold, &frame) == CODE_PATH_UNKNOWN);
	expect(code_path_find(&code, (uintptr_t)behind_plain + 2, &frame) == CODE_PATH_UNKNOWN);
}

static bool
is_right(const struct cfa_row *row, const struct code_path_frame *frame)
{
	if (row->cfa.base != VALUE_SP && row->cfa.base != VALUE_FP)
		return false;
	// Where both lead to the cfa either may be said: only one base can be compared.
	if (frame->by_fp == (row->cfa.base == VALUE_FP) && frame->cfa != row->cfa.offset)
		return false;
	return row->fp.saving == CFA_SAVED && row->fp.at.base == VALUE_CFA && row->fp.at.offset == frame->fp
		&& row->ra.saving == CFA_SAVED && row->ra.at.base == VALUE_CFA && row->ra.at.offset == frame->ra;
}

static void
compare(const struct segment *code, const struct object *object, uintptr_t pc)
{
	struct cfa_program program;
	struct code_path_frame frame;
	struct cfa_row row;

	if (ehframe_find(&object->unwind, pc - 1, &program) != EHFRAME_FOUND
		|| !cfa_run(&program, pc - 1, &row))
		return;
	calls++;
	switch (code_path_find(code, pc, &frame)) {
	case CODE_PATH_FOUND:
		found++;
		if (!is_right(&row, &frame) && wrong++ < 20)
			printf("%s+%lx: cfi %d+%d fp %d ra %d; path by_fp %d+%d fp %d ra %d\n", object->name,
				(long)(pc - object->base), row.cfa.base, (int)row.cfa.offset, (int)row.fp.at.offset,
				(int)row.ra.at.offset, frame.by_fp, frame.cfa, frame.fp, frame.ra);
		break;
	case CODE_PATH_NEVER: never++; break;
	default: unknown++; break;
	}
}

static int
look(struct dl_phdr_info *loaded, size_t bytes, void *every)
{
	(void)bytes;
	struct object object;
	unsigned number = 0;

	object_describe(loaded, &object);
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		struct segment code = segment_around(loaded, loaded->dlpi_addr + segment->p_vaddr);
		for (uintptr_t at = (code.start + 3) & -UINT64_C(4); at + 4 <= code.end; at += 4) {
			uint32_t word = *(const uint32_t *)at;
			bool is_call = (word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000;
			if (is_call && number++ % *(unsigned *)every == 0)
				compare(&code, &object, at + 4);
		}
	}
	return 0;
}

int
main(int count, char **arguments)
{
	unsigned every = count > 1 ? (unsigned)atoi(arguments[1]) : 3;

	for (int i = 2; i < count; i++)
		expect(dlopen(arguments[i], RTLD_NOW));
	test_frames();
	expect(libc_start());
	dl_iterate_phdr(look, &every);
	printf("figure: %u calls, %u found, %u unknown, %u never, %u wrong\n", calls, found, unknown, never, wrong);
	expect(wrong == 0);
	expect(calls >= 500);
	expect(found > calls / 2);
	return 0;
}
