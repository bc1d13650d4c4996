// long
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// link: -ldl
// Of a loaded object nothing is believed beyond its segments: where a program survives without us that
// it loads an object whose headers, tables and notes say anything, it survives with us.

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { OBJECTS = 300, BYTES_MAX = 1 << 20 };

static unsigned char whole[BYTES_MAX], mutated[BYTES_MAX];
static size_t whole_bytes;

static const char source[] =
	"#include <stdlib.h>\n"
	"void *volatile kept;\n"
	"__attribute__((noinline)) void *inner(int n) { kept = malloc(33 + n); return kept; }\n"
	"__attribute__((noinline)) void *middle(int n)\n"
	"{ volatile char on_stack[300]; on_stack[n] = 1; void *block = inner(n); on_stack[0] = 1;\n"
	"  return block; }\n"
	"__attribute__((noinline)) void *outer(int n) { void *block = middle(n); kept = block;\n"
	"  return n > 0 ? outer(n - 1) : block; }\n"
	"__attribute__((constructor)) static void up(void)\n"
	"{ for (int i = 0; i < 40; i++) free(outer(i % 7)); }\n"
	"void never_called(void) { outer(2); }\n";

static uint64_t
knob(const char *name, uint64_t otherwise)
{
	const char *set = getenv(name);
	return set ? strtoull(set, NULL, 10) : otherwise;
}

// xorshift64 (Marsaglia 2003).
static uint64_t random_state;

static uint64_t
any(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static uint64_t
below(uint64_t limit)
{
	return limit ? any() % limit : 0;
}

// What a field may say instead.
static uint64_t
odd_value(uint64_t now)
{
	static const uint64_t often[] = {0, 1, 2, 8, 0xff, 0xfff, 0x1000, 0x7ffffff0, 0xffffffff,
		UINT64_C(0x7fffffffffffffff), UINT64_MAX, UINT64_MAX - 4095};
	switch (below(5)) {
	case 0: return often[below(sizeof(often) / sizeof(*often))];
	case 1: return now + below(64) * 8 - 256;
	case 2: return now + (below(9) - 4) * 4096;
	case 3: return below(whole_bytes + 8192);
	default: return now ^ UINT64_C(1) << below(64);
	}
}

static void
change(size_t at, size_t bytes)
{
	uint64_t value = 0;

	if (at + bytes > whole_bytes)
		return;
	memcpy(&value, mutated + at, bytes);
	value = odd_value(value);
	memcpy(mutated + at, &value, bytes);
}

static const Elf64_Shdr *
section_of(unsigned type, const char *name)
{
	const Elf64_Ehdr *header = (const void *)whole;
	const Elf64_Shdr *sections = (const void *)(whole + header->e_shoff);
	const char *names = (const char *)whole + sections[header->e_shstrndx].sh_offset;

	for (int i = 0; i < header->e_shnum; i++) {
		if ((!type || sections[i].sh_type == type)
			&& (!name || strcmp(names + sections[i].sh_name, name) == 0))
			return &sections[i];
	}
	return NULL;
}

static void
change_in_section(const Elf64_Shdr *section, size_t unit)
{
	if (section)
		change(section->sh_offset + below(section->sh_size / unit) * unit, unit);
}

static void
change_program_header(void)
{
	const Elf64_Ehdr *header = (const void *)whole;
	size_t at = header->e_phoff + below(header->e_phnum) * sizeof(Elf64_Phdr);

	if (below(4) == 0)
		change(at + below(2) * 4, 4);
	else
		change(at + 8 + below(6) * 8, 8);
}

// A note, or call frame information, is said to lie elsewhere: at the edge of a segment, mostly behind
// it.
static void
move_a_part(void)
{
	const Elf64_Ehdr *header = (const void *)whole;
	Elf64_Phdr *parts = (void *)(mutated + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++) {
		const Elf64_Phdr *near = &parts[below(header->e_phnum)];
		if (parts[i].p_type != PT_NOTE && parts[i].p_type != PT_GNU_EH_FRAME)
			continue;
		parts[i].p_vaddr = near->p_vaddr + (below(2) ? near->p_memsz : 0);
		parts[i].p_vaddr = (parts[i].p_vaddr & -UINT64_C(4096)) + below(3) * 4096 - below(2) * 16;
		parts[i].p_memsz = parts[i].p_filesz = below(3) * 4096 + 16;
	}
}

// A symbol that nobody looks for by name is said to be all of the code, and to be called anything.
static void
name_all_code(void)
{
	const Elf64_Shdr *section = section_of(SHT_DYNSYM, NULL), *code = section_of(0, ".text");
	size_t last = section->sh_size / sizeof(Elf64_Sym) - 1;
	Elf64_Sym *symbol = (Elf64_Sym *)(mutated + section->sh_offset) + 1 + below(last);

	symbol->st_name = (Elf64_Word)odd_value(symbol->st_name);
	symbol->st_value = code->sh_addr;
	symbol->st_size = code->sh_size;
}

// The filter lets nobody look further, and what is behind it is anything.
static void
end_hashes(void)
{
	const Elf64_Shdr *section = section_of(SHT_GNU_HASH, NULL);
	uint32_t *words = (uint32_t *)(mutated + section->sh_offset);
	uint32_t filters = ((uint32_t *)(whole + section->sh_offset))[2];

	memset(words + 4, 0, filters * sizeof(uint64_t));
	for (size_t i = 4 + filters * 2; i < section->sh_size / sizeof(*words); i++)
		words[i] = below(2) ? (uint32_t)odd_value(words[i]) : words[i];
}

static void
mutate(uint64_t seed)
{
	random_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	memcpy(mutated, whole, whole_bytes);
	for (uint64_t times = 1 + below(3); times > 0; times--) {
		switch (below(12)) {
		case 0: change(16 + below(6) * 8, 8); break;
		case 1: change_program_header(); break;
		case 2: change_in_section(section_of(SHT_DYNAMIC, NULL), 8); break;
		case 3: change_in_section(section_of(SHT_DYNSYM, NULL), 8); break;
		case 4: change_in_section(section_of(SHT_DYNSYM, NULL), 4); break;
		case 5: change_in_section(section_of(SHT_GNU_HASH, NULL), 4); break;
		case 6: change_in_section(section_of(SHT_STRTAB, ".dynstr"), 1); break;
		case 7: change_in_section(section_of(0, ".eh_frame_hdr"), 4); break;
		case 8: change_in_section(section_of(0, ".eh_frame"), 4); break;
		case 9: move_a_part(); break;
		case 10: name_all_code(); break;
		default: end_hashes(); break;
		}
	}
}

static void
read_whole(void)
{
	FILE *file = fopen("whole.so", "r");
	expect(file != NULL);
	whole_bytes = fread(whole, 1, sizeof(whole), file);
	fclose(file);
}

// In a child: what it does to itself is its own.
static int
load_one(uint64_t seed)
{
	char name[64];
	int status = -1;

	mutate(seed);
	FILE *file = fopen("mutated.so", "w");
	expect(file && fwrite(mutated, 1, whole_bytes, file) == whole_bytes);
	fclose(file);
	pid_t child = fork();
	if (child == 0) {
		alarm(20);
		void *loaded = dlopen("./mutated.so", RTLD_NOW);
		for (int i = 0; i < 100; i++)
			free(malloc(1000));
		_exit(loaded ? 0 : 1);
	}
	expect(child > 0 && waitpid(child, &status, 0) == child);
	snprintf(name, sizeof(name), "pmem.%d.log", child);
	remove(name);
	return status;
}

void
host(void)
{
	uint64_t first = knob("HARM_SEED", 0) * 1000000;
	uint64_t count = knob("HARM_OBJECTS", OBJECTS * 10) / 10;

	if (!host_role()[0])
		return;
	FILE *said = fopen(host_role(), "we");
	read_whole();
	for (uint64_t i = 0; i < count; i++) {
		fprintf(said, "%x\n", (unsigned)load_one(first + i));
		fflush(said);
	}
	fclose(said);
}

void
check(const struct logfile *log)
{
	uint64_t loaded = 0, number = 0, harmed = 0;
	unsigned bare, with_us;

	(void)log;
	build_c("whole.so", "-shared -fPIC -O1 -fno-builtin -fvisibility=protected -Wl,--build-id "
		"-Wl,-z,max-page-size=65536", source);
	// The loader itself reads beyond an object. What lies there is alike: one as large as ours, and
	// addresses that are not random.
	personality(ADDR_NO_RANDOMIZE);
	build_c("large.so", "-shared -fPIC", "char room[3860000];");
	expect_equal((uint64_t)run_preloaded("bare", "./large.so", "output"), 0);
	expect_equal((uint64_t)run_again("with_us", true, "output"), 0);
	FILE *one = fopen("bare", "r"), *other = fopen("with_us", "r");
	while (fscanf(one, "%x", &bare) == 1) {
		expect(fscanf(other, "%x", &with_us) == 1);
		if (bare == 0 && with_us != 0)
			fprintf(stderr, "object %llu of HARM_SEED: %x instead of %x\n",
				(unsigned long long)number, with_us, bare);
		harmed += bare == 0 && with_us != 0;
		loaded += bare == 0;
		number++;
	}
	printf("figure: of %llu objects %llu can be loaded\n", (unsigned long long)number,
		(unsigned long long)loaded);
	expect(loaded > number / 2);
	expect_equal(harmed, 0);
}
