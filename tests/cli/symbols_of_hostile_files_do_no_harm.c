// A small ELF file cut off at each length, and changed in random places into values that break
// sums, is read without harm: whatever it says, what is asked of it has an answer.

#include <elf.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "symbols/elffile.h"
#include "symbols_subject.h"

enum { CHANGES = 20000, SYMBOLS = 12, NAME_BYTES = 8 };

struct file {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	struct {
		Elf64_Nhdr note;
		char owner[4];
		unsigned char id[20];
	} note;
	struct {
		char name[12];
		uint32_t checksum;
	} link;
	Elf64_Sym symbols[SYMBOLS];
	char strings[SYMBOLS * NAME_BYTES];
	char section_names[64];
	Elf64_Shdr sections[6];
};

static struct file
sound_file(void)
{
	struct file file = {
		.header = {
			.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64,
				__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT},
			.e_type = ET_DYN,
			.e_phoff = offsetof(struct file, segment),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shoff = offsetof(struct file, sections),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 6,
			.e_shstrndx = 5,
		},
		.segment = {.p_type = PT_LOAD, .p_vaddr = 0x401234, .p_align = 4096},
		.note = {{4, 20, NT_GNU_BUILD_ID}, "GNU", {0xab, 0xcd}},
		.link = {"debug.file", 0x12345678},
		.section_names = "\0.note\0.gnu_debuglink\0.symtab\0.strtab\0.debug_info",
	};
	for (unsigned i = 0; i < SYMBOLS; i++) {
		sprintf(file.strings + i * NAME_BYTES, "f%u", i);
		// The odd ones lie in those before them.
		file.symbols[i] = (Elf64_Sym){
			.st_name = i * NAME_BYTES,
			.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
			.st_shndx = 1,
			.st_value = 0x1000 * (i + 1) - (i % 2) * 0x800,
			.st_size = i % 2 ? 0x100 : 0xc00,
		};
	}
#define SECTION(name, type, field, link) \
	{name, type, 0, 0, offsetof(struct file, field), sizeof(file.field), link, 0, 1, 0}
	Elf64_Shdr sections[6] = {
		{.sh_type = SHT_NULL},
		SECTION(1, SHT_NOTE, note, 0),
		SECTION(7, SHT_PROGBITS, link, 0),
		SECTION(22, SHT_SYMTAB, symbols, 4),
		SECTION(30, SHT_STRTAB, strings, 0),
		SECTION(38, SHT_STRTAB, section_names, 0),
	};
	memcpy(file.sections, sections, sizeof(sections));
	return file;
}

// All that can be asked, of bytes in a file of their own.
static unsigned
ask(const void *bytes, size_t count)
{
	static int fd = -1;
	char path[64];
	uint32_t checksum;
	uint64_t address = 0;
	size_t answers = 0;

	if (fd < 0)
		fd = memfd_create("hostile", 0);
	CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, count, 0) == (ssize_t)count);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct elffile *file = elffile_open("", path);
	if (!file)
		return 0;
	answers += strlen(elffile_build_id(file)) + (elffile_path(file) != NULL);
	answers += elffile_start(file) + elffile_has_dwarf(file);
	const char *link = elffile_debug_link(file, &checksum);
	answers += link ? strlen(link) : 0;
	CHECK(elffile_checksum(file, &checksum));
	struct elfsym *symbols = elfsym_read(file);
	for (uint64_t at = 0; at < 0x10000 && symbols; at += 0x180) {
		const char *name = elfsym_at(symbols, at, "f1");
		answers += name ? strlen(name) : 0;
	}
	if (symbols) {
		answers += elfsym_at(symbols, UINT64_MAX, "") != NULL;
		answers += elfsym_has(symbols, "f3", 0x3800);
		answers += elfsym_named(symbols, "f5", &address) + address;
	}
	elfsym_free(symbols);
	elffile_close(file);
	return answers > 0;
}

// The sound file's answers, so that the rest of the test is about something.
static void
check_sound(void)
{
	struct file file = sound_file();
	FILE *to = fopen("sound", "w");
	CHECK(to && fwrite(&file, sizeof(file), 1, to) == 1 && fclose(to) == 0);
	struct elffile *elf = elffile_open("", "sound");
	uint32_t checksum;
	uint64_t address;

	CHECK(elf && strncmp(elffile_build_id(elf), "abcd00", 6) == 0);
	CHECK(elffile_start(elf) == 0x401000 && elffile_has_dwarf(elf));
	CHECK(strcmp(elffile_debug_link(elf, &checksum), "debug.file") == 0);
	CHECK(checksum == 0x12345678);
	struct elfsym *symbols = elfsym_read(elf);
	CHECK(symbols && elfsym_is_full(symbols));
	CHECK(!elfsym_at(symbols, 0xfff, ""));
	CHECK(strcmp(elfsym_at(symbols, 0x1000, ""), "f0") == 0);
	CHECK(strcmp(elfsym_at(symbols, 0x1800, ""), "f1") == 0);
	CHECK(strcmp(elfsym_at(symbols, 0x1900, ""), "f0") == 0);
	CHECK(strcmp(elfsym_at(symbols, 0x1bff, ""), "f0") == 0);
	CHECK(!elfsym_at(symbols, 0x1c00, "f0"));
	CHECK(elfsym_has(symbols, "f3", 0x3800) && !elfsym_has(symbols, "f3", 0x3801));
	CHECK(elfsym_named(symbols, "f5", &address) == 1 && address == 0x5800);
	CHECK(elfsym_named(symbols, "f", &address) == 0);
	elfsym_free(symbols);
	elffile_close(elf);
}

int
main(void)
{
	static const uint64_t values[] = {0, 1, 3, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000,
		UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63, 1 << 20, 5, 64};
	unsigned told = 0;

	check_sound();
	struct file sound = sound_file();
	for (size_t count = 0; count <= sizeof(sound); count++)
		told += ask(&sound, count);
	srandom(1);
	for (int i = 0; i < CHANGES; i++) {
		struct file file = sound;
		for (long times = random() % 4; times >= 0; times--) {
			size_t bytes = (size_t)1 << random() % 4;
			size_t at = (size_t)random() % (sizeof(file) - bytes);
			uint64_t value = random() % 4 ? values[random() % 16] : (uint64_t)random();
			// Where it matters more often than elsewhere.
			if (random() % 2)
				at = offsetof(struct file, sections) + (size_t)random() % 48 * 8;
			memcpy((char *)&file + at, &value, bytes);
		}
		told += ask(&file, sizeof(file));
	}
	CHECK(told > CHANGES / 2);
	return 0;
}
