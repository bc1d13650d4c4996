// Call frame information that is wrong in every way we could think of: a library is damaged
// some thousand times, loaded, called through and unloaded. Never a fault, never a loop;
// each call is counted, and each step down.
//
// HARM_SEED and HARM_OBJECTS choose other damage, and more of it.

#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum {
	BYTES_MAX = 1 << 18,
	RECORDS_MAX = 64,
	CALLS = 5, // of a shape: the first with a cold memo
	SHAPES = 5,
};

typedef void *(*give)(size_t);
typedef void *(*shape)(give, size_t);

// Frames of each kind that compilers make: rsp alone, rbp, a realigned stack, many saved
// registers, a recursion; each calls back, so that the damaged frames are in the middle.
static const char library[] =
	"#include <alloca.h>\n#include <stddef.h>\n#include <stdlib.h>\n"
	"typedef void *(*give)(size_t);\n#define F __attribute__((noinline))\n"
	"static F void use(void *p) { __asm__ volatile(\"\" : : \"r\"(p) : \"memory\"); }\n"
	"F void *own(give f, size_t n) { void *p = malloc(n); use(f); return p; }\n"
	"F void *small(give f, size_t n) { void *p = f(n); use(p); return p; }\n"
	"F void *large(give f, size_t n) { char b[300]; use(b); void *p = small(f, n); use(b); return p; }\n"
	"F void *framed(give f, size_t n) { char *b = alloca(n); use(b); void *p = large(f, n); use(b);\n"
	"  return p; }\n"
	"F void *aligned(give f, size_t n) { _Alignas(64) char b[128]; char *c = alloca(n); use(b); use(c);\n"
	"  void *p = framed(f, n); use(b); use(c); return p; }\n"
	"F void *deep(give f, size_t n) { void *p; static int d; if (++d < 9) p = deep(f, n);\n"
	"  else p = aligned(f, n); d--; use(p); return p; }\n";

static const char *const shapes[SHAPES] = {"own", "small", "framed", "aligned", "deep"};

static struct {
	uint8_t good[BYTES_MAX];
	uint8_t bad[BYTES_MAX];
	size_t bytes;
	size_t header, header_bytes; // .eh_frame_hdr
	size_t frame, frame_bytes;   // .eh_frame
	size_t records[RECORDS_MAX]; // offsets of CIEs and FDEs
	int record_count;
} file;

static uint64_t seed = 20261121;
static char doing[160];

static uint64_t
noise(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static uint64_t
below(uint64_t limit)
{
	return noise() % limit;
}

// What a fault looks like: not a core, but which damage it was.
static void
fault(int number)
{
	char text[200];
	int length = snprintf(text, sizeof(text), "signal %d at %s\n", number, doing);
	if (write(2, text, (size_t)length) < 0)
		_exit(4);
	_exit(3);
}

// Of the good file: damage is done upon damage.
static uint32_t
word(size_t at)
{
	uint32_t word;
	memcpy(&word, file.good + at, sizeof(word));
	return word;
}

static void
set_word(size_t at, uint32_t word)
{
	memcpy(file.bad + at, &word, sizeof(word));
}

static void
read_good_file(const char *name)
{
	FILE *in = fopen(name, "r");
	expect(in != NULL);
	file.bytes = fread(file.good, 1, BYTES_MAX, in);
	fclose(in);

	const Elf64_Ehdr *elf = (const void *)file.good;
	const Elf64_Shdr *sections = (const void *)(file.good + elf->e_shoff);
	const char *names = (const char *)file.good + sections[elf->e_shstrndx].sh_offset;
	for (int i = 0; i < elf->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, ".eh_frame") == 0)
			file.frame = sections[i].sh_offset, file.frame_bytes = sections[i].sh_size;
		if (strcmp(names + sections[i].sh_name, ".eh_frame_hdr") == 0)
			file.header = sections[i].sh_offset, file.header_bytes = sections[i].sh_size;
	}
	expect(file.frame && file.header);
	for (size_t at = file.frame; word(at) != 0 && file.record_count < RECORDS_MAX;
		at += 4 + word(at))
		file.records[file.record_count++] = at;
	expect(file.record_count > 8);
}

// Any record's bytes from `skipped` on; their number.
static size_t
in_record(size_t skipped, size_t *at)
{
	size_t record = file.records[below((uint64_t)file.record_count)];
	size_t length = 4 + word(record);
	*at = record + skipped;
	return length > skipped ? length - skipped : 0;
}

static uint32_t
odd_number(void)
{
	static const uint32_t odd[] = {0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0x7fff, 0xffff, 0xfffff,
		0x100000, 0x100001, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffffe, 0xffffffff};
	uint64_t which = below(sizeof(odd) / sizeof(*odd) + 2);
	return which < sizeof(odd) / sizeof(*odd) ? odd[which]
						  : (uint32_t)below(which & 1 ? UINT32_MAX : 4096);
}

static void
flip_bits(size_t at, size_t bytes)
{
	for (uint64_t i = 1 + below(16); i > 0; i--)
		file.bad[at + below(bytes)] ^= (uint8_t)(1 << below(8));
}

static void
write_noise(size_t at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		file.bad[at + i] = (uint8_t)noise();
}

// A program put over the instructions of all FDEs, what is left of each is filled with NOPs.
static void
put_program(const uint8_t *program, size_t length, uint8_t filler)
{
	for (int i = 0; i < file.record_count; i++) {
		size_t at = file.records[i];
		// An FDE has a header of 16 bytes and an augmentation without bytes.
		if (word(at + 4) == 0 || word(at) < 14)
			continue;
		size_t room = word(at) - 13;
		memset(file.bad + at + 17, filler, room);
		memcpy(file.bad + at + 17, program, length < room ? length : room);
	}
}

static size_t
add_uleb(uint8_t *bytes, uint64_t number)
{
	size_t length = 0;
	for (; number > 0x7f; number >>= 7)
		bytes[length++] = (uint8_t)(number | 0x80);
	bytes[length++] = (uint8_t)number;
	return length;
}

// Well-formed, and a lie: the frame is said to be somewhere else, its fp too.
static void
put_lie(void)
{
	uint8_t program[32] = {0x0c}; // DW_CFA_def_cfa
	size_t length = 1;
	program[length++] = below(2) ? 7 : 6;
	length += add_uleb(program + length, below(4) ? below(100) * 8 : odd_number());
	if (below(2)) {
		program[length++] = 0x86; // DW_CFA_offset r6
		length += add_uleb(program + length, below(4) ? below(60) : odd_number());
	} else if (below(2)) {
		program[length++] = 0x2f; // DW_CFA_GNU_negative_offset_extended
		program[length++] = 6;
		length += add_uleb(program + length, below(60));
	}
	put_program(program, length, 0);
}

// A CFA by an expression, of which there are endless kinds that mean nothing.
static void
put_expression(void)
{
	uint8_t program[10] = {0x0f, 8};
	for (int i = 2; i < 10; i++) {
		static const uint8_t known[] = {0x06, 0x08, 0x09, 0x1a, 0x1c, 0x22, 0x23, 0x24, 0x2a,
			0x30, 0x4f, 0x70, 0x76, 0x77, 0x77, 0x80, 0x2f, 0x28, 0x12, 0x14, 0x96};
		program[i] = below(3) ? known[below(sizeof(known))] : (uint8_t)noise();
	}
	if (below(2))
		program[1] = (uint8_t)below(40);
	put_program(program, sizeof(program), 0);
}

static void
put_filler(void)
{
	static const uint8_t fillers[] = {0x0a, 0x0b, 0x41, 0x7f, 0x02, 0x03, 0x04, 0x01, 0xff, 0x80,
		0x3f, 0x1c, 0x16, 0x0f, 0x10, 0xc6, 0x07, 0x2d, 0x2e, 0x30};
	put_program(NULL, 0, fillers[below(sizeof(fillers))]);
}

static void
damage_length(void)
{
	size_t at;
	in_record(0, &at);
	set_word(at, odd_number());
}

static void
damage_pointer(void)
{
	size_t at;
	in_record(4, &at);
	set_word(at, below(2) ? odd_number() : (uint32_t)below(file.bytes));
}

// Alignments, augmentation, encodings, first instructions; now and then a signal's frame.
static void
damage_cie(void)
{
	size_t at = file.records[0];
	static const char letters[] = "zRSLPBeh";
	expect(word(at + 4) == 0 && file.good[at + 9] == 'z');
	switch (below(6)) {
	case 0: file.bad[at + 8] = (uint8_t)noise(); break;
	case 1: file.bad[at + 10] = (uint8_t)letters[below(sizeof(letters))]; break;
	case 2: file.bad[at + 10] = 'S'; break;
	case 3: write_noise(at + 12, 3); break;
	case 4: write_noise(at + 15, 2); break;
	default: write_noise(at + 17, word(at) - 13); break;
	}
}

static void
damage_table(void)
{
	size_t count = word(file.header + 8);
	size_t table = file.header + 12;
	switch (below(5)) {
	case 0: set_word(file.header + 8, odd_number()); break;
	case 1: write_noise(file.header, 4); break;
	case 2:
		for (size_t i = 0; i < count; i++)
			memcpy(file.bad + table + 8 * i, file.good + table + 8 * below(count), 8);
		break;
	case 3:
		for (size_t i = 0; i < count; i++)
			set_word(table + 8 * i + 4, below(2) ? odd_number() : (uint32_t)below(4096));
		break;
	default:
		for (size_t i = 0; i < count; i++)
			set_word(table + 8 * i, odd_number());
		break;
	}
}

static void
damage(uint64_t kind)
{
	size_t at;
	size_t bytes;

	switch (kind) {
	case 0: flip_bits(file.frame, file.frame_bytes); break;
	case 1: flip_bits(file.header, file.header_bytes); break;
	case 2: damage_length(); break;
	case 3: damage_pointer(); break;
	case 4: damage_cie(); break;
	case 5: damage_table(); break;
	case 6: put_lie(); break;
	case 7: put_lie(); break;
	case 8: put_expression(); break;
	case 9: put_filler(); break;
	case 10:
		bytes = in_record(13, &at);
		write_noise(at, bytes);
		break;
	case 11:
		// The section ends early, in nothing or in noise.
		bytes = below(file.frame_bytes);
		memset(file.bad + file.frame + bytes, below(2) ? 0 : 0xff, file.frame_bytes - bytes);
		break;
	default:
		for (int i = 0; i < file.record_count; i++) {
			bytes = in_record(17, &at);
			write_noise(at, bytes < 4 ? bytes : 4);
		}
		break;
	}
}

enum { KINDS = 13 };

static uint64_t stacks;

FRAME void *give_block(size_t bytes)
{
	void *block = malloc(bytes);
	use(block);
	return block;
}

static void
call_through(const char *name)
{
	void *opened = dlopen(name, RTLD_NOW);
	expect(opened != NULL);
	for (int i = 0; i < SHAPES; i++) {
		shape call = (shape)dlsym(opened, shapes[i]);
		expect(call != NULL);
		for (int n = 1; n <= CALLS; n++) {
			char *block = call(give_block, (size_t)(n * 16));
			expect(block != NULL);
			memset(block, n, (size_t)(n * 16));
			stacks++;
			free(block);
		}
	}
	dlclose(opened);
}

static uint64_t
objects(void)
{
	const char *wanted = getenv("HARM_OBJECTS");
	return wanted ? strtoull(wanted, NULL, 0) : 3000;
}

static void
make_library(void)
{
	FILE *source = fopen("shapes.c", "w");
	fputs(library, source);
	fclose(source);
	unsetenv("LD_PRELOAD");
	expect(system("${CC:-gcc} -O2 -fno-builtin -fno-optimize-sibling-calls -fno-ipa-cp "
		"-shared -fPIC -o shapes.so shapes.c") == 0);
}

FRAME void
work(void)
{
	if (getenv("HARM_SEED"))
		seed = strtoull(getenv("HARM_SEED"), NULL, 0);
	printf("seed %lu\n", (unsigned long)seed);
	fflush(stdout);
	read_good_file("shapes.so");
	for (uint64_t i = 0; i < objects(); i++) {
		// Two names in turn: what is loaded where the last one was is another object.
		const char *name = i & 1 ? "./one.so" : "./two.so";
		uint64_t kind = i % KINDS;

		snprintf(doing, sizeof(doing), "object %lu, damage %lu", (unsigned long)i,
			(unsigned long)kind);
		memcpy(file.bad, file.good, file.bytes);
		damage(kind);
		if (below(4) == 0)
			damage(below(KINDS));
		unlink(name);
		FILE *out = fopen(name, "w");
		fwrite(file.bad, 1, file.bytes, out);
		expect(fclose(out) == 0);
		call_through(name);
	}
	use(malloc(stacks));
}

void
host(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM};

	if (host_role()[0] == '\0')
		return;
	for (int i = 0; i < 6; i++)
		signal(faults[i], fault);
	alarm(250);
	work();
}

void
check(const struct logfile *none)
{
	struct logfile log;

	(void)none;
	make_library();
	expect_equal(run_again("work", true, NULL), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	uint64_t taken = log_from(last, "work")->counts.live;
	expect_equal(taken, objects() * SHAPES * CALLS);
	expect(last->total.allocs >= taken);
	printf("figure: %lu objects, %lu stacks, %lu short, faults 0\n",
		(unsigned long)objects(), (unsigned long)taken,
		(unsigned long)log_loss(last, "stacks_short"));
}
