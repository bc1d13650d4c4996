// Where an object has call frame information, the paths of its instructions lead to the same callers:
// each call in the objects that are loaded here, with their symbols, and as if they had none.
// of whole stacks

#include <dlfcn.h>
#include <string.h>

#include "unit.h"
#include "base/libc.h"
#include "elf/object.h"
#include "unwind/ehframe.h"
#include "unwind/x86_64/code_path.h"

static struct {
	unsigned calls, found, unknown, never, wrong;
} with[2];

static bool
is_right(const struct cfa_row *row, const struct frame_way *way)
{
	if (row->cfa.base != VALUE_SP && row->cfa.base != VALUE_FP)
		return false;
	// Where both lead to the cfa either may be said: only one base can be compared.
	if (way->by_fp == (row->cfa.base == VALUE_FP) && way->cfa_offset != row->cfa.offset)
		return false;
	if (row->fp.saving == CFA_SAVED)
		return way->saves_fp && row->fp.at.base == VALUE_CFA && way->fp_offset == row->fp.at.offset;
	return !way->saves_fp;
}

static void
compare(const struct code_path_in *in, const struct object *object, uintptr_t pc, int which)
{
	struct cfa_program program;
	struct cfa_row row;
	struct frame_way way;

	if (ehframe_find(&object->unwind, pc - 1, &program) != EHFRAME_FOUND
		|| !cfa_run(&program, pc - 1, &row))
		return;
	with[which].calls++;
	switch (code_path_find(in, pc, false, &way)) {
	case CODE_PATH_FOUND:
		with[which].found++;
		if (!is_right(&row, &way)) {
			with[which].wrong++;
			if (with[which].wrong < 20)
				printf("%d %s+%lx: cfi %d+%d fp %d %d; path by_fp %d+%d fp %d %d\n", which,
					object->name, pc - object->base, row.cfa.base, (int)row.cfa.offset,
					row.fp.saving, (int)row.fp.at.offset, way.by_fp, way.cfa_offset,
					way.saves_fp, way.fp_offset);
		}
		break;
	case CODE_PATH_NEVER: with[which].never++; break;
	default: with[which].unknown++; break;
	}
}

static int
look(struct dl_phdr_info *loaded, size_t bytes, void *every)
{
	(void)bytes;
	struct dynsym symbols, none;
	struct object object;
	unsigned number = 0;

	object_describe(loaded, &object);
	if (!dynsym_open(loaded, &symbols))
		return 0;
	none = symbols;
	none.table_count = 1;
	struct code_path_in in = {{0, 0}, &symbols}, bare = {{0, 0}, &none};
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		in.code = bare.code = segment_around(loaded, loaded->dlpi_addr + segment->p_vaddr);
		for (uintptr_t at = in.code.start; at < in.code.end;) {
			struct cfa_program program;
			if (ehframe_find(&object.unwind, at, &program) != EHFRAME_FOUND) {
				at++;
				continue;
			}
			for (at = program.start; at < program.end;) {
				struct instruction read = instruction_read((void *)at, (void *)in.code.end);
				at += read.bytes ? read.bytes : program.end - at;
				if (read.kind == INSTRUCTION_CALLS && number++ % *(unsigned *)every == 0) {
					compare(&in, &object, at, 0);
					compare(&bare, &object, at, 1);
				}
			}
			at = program.end;
		}
	}
	return 0;
}

int
main(int count, char **arguments)
{
	unsigned every = count > 1 ? (unsigned)atoi(arguments[1]) : 23;
	for (int i = 2; i < count; i++)
		expect(dlopen(arguments[i], RTLD_NOW));
	expect(libc_start());
	dl_iterate_phdr(look, &every);
	for (int i = 0; i < 2; i++)
		printf("figure: %s %u calls, %u found, %u unknown, %u never, %u wrong\n",
			i ? "without symbols" : "with symbols", with[i].calls, with[i].found,
			with[i].unknown, with[i].never, with[i].wrong);
	expect(with[0].wrong + with[1].wrong == 0);
	expect(with[0].calls >= 500);
	expect(with[0].found > with[0].calls / 2);
	expect(with[1].found > with[1].calls / 4);
	return 0;
}
