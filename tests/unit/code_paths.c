// Where an object has call frame information, the paths of its instructions lead to the same callers:
// each call in the objects that are loaded here, with their symbols, and as if they had none.
// of whole stacks
// of x86-64

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
static unsigned wrongly_read, long_ways;

static const struct {
	uint8_t bytes[8];
	unsigned length;
	enum instruction_kind kind;
} instructions[] = {
	{{0x48, 0x0f, 0xa4, 0xc5, 4}, 5, INSTRUCTION_SPOILS_FP},       // shld $4,%rax,%rbp
	{{0x48, 0x0f, 0xac, 0xc5, 4}, 5, INSTRUCTION_SPOILS_FP},       // shrd $4,%rax,%rbp
	{{0x0f, 0xb4, 0x2f}, 3, INSTRUCTION_SPOILS_FP},                // lfs (%rdi),%ebp
	{{0x0f, 0xb4, 0x07}, 3, INSTRUCTION_OTHER},                    // lfs (%rdi),%eax
	{{0x66, 0x0f, 0xc5, 0xe8, 1}, 5, INSTRUCTION_SPOILS_FP},       // pextrw $1,%xmm0,%ebp
	{{0xf0, 0x0f, 0xc1, 0x2f}, 4, INSTRUCTION_SPOILS_FP},          // lock xadd %ebp,(%rdi)
	{{0xf0, 0x0f, 0xb1, 0x2f}, 4, INSTRUCTION_OTHER},              // lock cmpxchg %ebp,(%rdi)
	{{0x0f, 0x94, 0xc4}, 3, INSTRUCTION_OTHER},                    // sete %ah
	{{0x0f, 0xb0, 0xc4}, 3, INSTRUCTION_OTHER},                    // cmpxchg %al,%ah
	{{0x0f, 0xc0, 0xc4}, 3, INSTRUCTION_OTHER},                    // xadd %al,%ah
	{{0x0f, 0xc1, 0xc4}, 3, INSTRUCTION_SPOILS_SP},                // xadd %eax,%esp
	{{0xb4, 1}, 2, INSTRUCTION_OTHER},                             // mov $1,%ah
	{{0x8c, 0xdc}, 2, INSTRUCTION_SPOILS_SP},                      // mov %ds,%esp
	{{0xf3, 0x0f, 0x7e, 0xe4}, 4, INSTRUCTION_OTHER},              // movq %xmm4,%xmm4
	{{0xf3, 0x0f, 0x7e, 0xc5}, 4, INSTRUCTION_OTHER},              // movq %xmm5,%xmm0
	{{0x66, 0x0f, 0x7e, 0xc5}, 4, INSTRUCTION_SPOILS_FP},          // movd %xmm0,%ebp
	{{0x66, 0x48, 0x0f, 0x38, 0xf6, 0xe8}, 6, INSTRUCTION_SPOILS_FP}, // adcx %rax,%rbp
	{{0xf3, 0x48, 0x0f, 0x38, 0xf6, 0xe8}, 6, INSTRUCTION_SPOILS_FP}, // adox %rax,%rbp
	{{0xf3, 0x48, 0x0f, 0x38, 0xf6, 0xc5}, 6, INSTRUCTION_OTHER},  // adox %rbp,%rax
	{{0xc4, 0xe2, 0xd3, 0xf6, 0xc1}, 5, INSTRUCTION_SPOILS_FP},    // mulx %rcx,%rbp,%rax
	{{0xc4, 0xe2, 0xd0, 0xf3, 0xc8}, 5, INSTRUCTION_SPOILS_FP},    // blsr %rax,%rbp
	{{0xc4, 0xe2, 0xf0, 0xf2, 0xe8}, 5, INSTRUCTION_SPOILS_FP},    // andn %rax,%rcx,%rbp
	{{0xc4, 0xe2, 0xf0, 0xf2, 0xc5}, 5, INSTRUCTION_OTHER},        // andn %rbp,%rcx,%rax
	{{0x0f, 0xa2, 0x89, 0xc6}, 2, INSTRUCTION_OTHER},              // cpuid; mov %eax,%esi
	{{0x67, 0x0f, 0xb9, 0x40, 2}, 5, INSTRUCTION_STOPS},           // ud1 2(%eax),%eax
	{{0x0f, 0xc7, 0xf5}, 3, INSTRUCTION_SPOILS_FP},                // rdrand %ebp
	{{0xf3, 0x48, 0x0f, 0xae, 0xc5}, 5, INSTRUCTION_SPOILS_FP},    // rdfsbase %rbp
	{{0x0f, 0x02, 0xe8}, 3, INSTRUCTION_SPOILS_FP},                // lar %eax,%ebp
	{{0x0f, 0x03, 0xe8}, 3, INSTRUCTION_SPOILS_FP},                // lsl %eax,%ebp
	{{0x66, 0x0f, 0x3a, 0x16, 0xc5, 1}, 6, INSTRUCTION_SPOILS_FP}, // pextrd $1,%xmm0,%ebp
	{{0x66, 0x0f, 0x3a, 0x14, 0xe8, 1}, 6, INSTRUCTION_OTHER},     // pextrb $1,%xmm5,%eax
	{{0xc5, 0xf9, 0x7e, 0xc5}, 4, INSTRUCTION_SPOILS_FP},          // vmovd %xmm0,%ebp
	{{0xc5, 0xfa, 0x7e, 0xc5}, 4, INSTRUCTION_OTHER},              // vmovq %xmm5,%xmm0
	{{0xc5, 0xf8, 0x50, 0xe8}, 4, INSTRUCTION_SPOILS_FP},          // vmovmskps %xmm0,%ebp
	{{0xc5, 0xf8, 0x50, 0xc5}, 4, INSTRUCTION_OTHER},              // vmovmskps %xmm5,%eax
	{{0xc5, 0xf8, 0x93, 0xe8}, 4, INSTRUCTION_SPOILS_FP},          // kmovw %k0,%ebp
	{{0xc4, 0xe3, 0x79, 0x16, 0xc5, 1}, 6, INSTRUCTION_SPOILS_FP}, // vpextrd $1,%xmm0,%ebp
	{{0x62, 0xf1, 0x7e, 8, 0x78, 0xe8}, 6, INSTRUCTION_SPOILS_FP}, // vcvttss2usi %xmm0,%ebp
	{{0x62, 0xf1, 0x7c, 8, 0x78, 0xe8}, 6, INSTRUCTION_OTHER},     // vcvttps2udq %xmm0,%xmm5
};

static void
test_instructions(void)
{
	for (size_t i = 0; i < sizeof(instructions) / sizeof(instructions[0]); i++) {
		const uint8_t *bytes = instructions[i].bytes;
		const uint8_t *end = bytes + sizeof(instructions[i].bytes);
		struct instruction read = instruction_read(bytes, end);
		if (read.kind == instructions[i].kind && read.bytes == instructions[i].length)
			continue;
		printf("%02x %02x %02x: kind %d, %d bytes\n", bytes[0], bytes[1], bytes[2], read.kind,
			read.bytes);
		wrongly_read++;
	}
}

// never_ends() is seen to return nowhere only by its instructions, one after the other: the path to its
// jump is lost. A search from long_way()'s start reads more instructions than one may.
// A caller's fp is kept by saves_twice(), whose first copy another register overwrites.
extern const char behind_the_call[], before_the_copies[];
__asm__(".text\n.globl nothing\n.type nothing,@function\nnothing: ret\n.size nothing,.-nothing\n"
	".globl never_ends\n.type never_ends,@function\nnever_ends: sub $8,%rsp\n0: call nothing\n"
	"nop\njmp 0b\n.size never_ends,.-never_ends\n"
	".globl long_way\n.type long_way,@function\nlong_way: sub $8,%rsp\n.rept 5000\ncld\n.endr\n"
	"call never_ends\nbehind_the_call: add $8,%rsp\nret\n.size long_way,.-long_way\n"
	"saves_twice: sub $8,%rsp\ncall nothing\nbefore_the_copies: add $8,%rsp\n"
	"push %rbp\nxor %ebp,%ebp\npop %rbp\n"
	"push %r12\npush %rbp\nxor %ebp,%ebp\npop %rbp\npop %r12\nret\n");

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
	// The sanitizer's runtime brings C++'s, whose landing pads nothing but the runtime reaches. No path leads
	// there, and code with landing pads never lacks call frame information.
	if (!dynsym_open(loaded, &symbols)
		|| dynsym_find(&symbols, "__gxx_personality_v0", DYNSYM_HASH("__gxx_personality_v0")))
		return 0;
	none = symbols;
	none.table_count = 1;
	struct code_path_in in = {{0, 0}, &symbols}, bare = {{0, 0}, &none};
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		in.code = bare.code = segment_around(loaded, loaded->dlpi_addr + segment->p_vaddr);
		if (segment_has(&in.code, (uintptr_t)behind_the_call, 1)) {
			struct frame_way way;
			long_ways++;
			expect(code_path_find(&in, (uintptr_t)behind_the_call, false, &way) == CODE_PATH_UNKNOWN);
			expect(code_path_find(&bare, (uintptr_t)before_the_copies, false, &way) == CODE_PATH_FOUND);
			expect(!way.saves_fp && !way.by_fp && way.cfa_offset == 16);
		}
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
	test_instructions();
	expect(wrongly_read == 0);
	expect(libc_start());
	dl_iterate_phdr(look, &every);
	for (int i = 0; i < 2; i++)
		printf("figure: %s %u calls, %u found, %u unknown, %u never, %u wrong\n",
			i ? "without symbols" : "with symbols", with[i].calls, with[i].found,
			with[i].unknown, with[i].never, with[i].wrong);
	expect(long_ways == 1);
	expect(with[0].wrong + with[1].wrong == 0);
	expect(with[0].calls >= 500);
	expect(with[0].found > with[0].calls / 2);
	expect(with[1].found > with[1].calls / 4);
	return 0;
}
