// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/sys.h"
#include "base/segment.h"
#include "base/dynsym.h"
#include "elf/object.h"
#include "heap/real.h"
#include "log/binding.h"

enum {
	FAMILY_MAX = 8, // upper bound of an object's undefined symbols in malloc()'s family
	RELOCATIONS_MAX = 1 << 20, // upper bound of an object's relocations that are examined
};

// The thread that holds the snapshot lock sets these, once.
static bool knows_program;
// Addresses of the program's stubs for the functions of malloc()'s family; 0 for a function without
// a stub. The program's own calls of the function go through its stub.
static uintptr_t stubs[4];

// An object's relocations (ELF gABI, "Relocation"): first those of its procedure linkage table,
// then all others.
struct relocations {
	const ElfW(Rela) *at[2];
	uint64_t bytes[2];
};

// The symbols of the object that is looked at. Not on the thread's stack, which may be small: only
// the thread that holds the snapshot lock looks.
static struct dynsym symbols;

// What can_read() remembers from call to call. An object's address can be read if its segment is
// readable, and its page is still mapped.
struct reader {
	const struct dl_phdr_info *loaded;
	struct segment around; // the segment of the address that was checked last
	uintptr_t page;        // the last page that was found to be mapped
};

static bool
can_read(struct reader *reader, const void *from, size_t bytes)
{
	const uintptr_t pages = ~(uintptr_t)4095;
	uintptr_t at = (uintptr_t)from;
	uintptr_t last = at + bytes - 1;

	if (!segment_has(&reader->around, at, bytes))
		reader->around = segment_around(reader->loaded, at);
	if (!segment_has(&reader->around, at, bytes))
		return false;
	if ((at & pages) == reader->page && (last & pages) == reader->page)
		return true;
	bool is_there = sys_is_there(at, bytes);
	reader->page = is_there ? last & pages : 0;
	return is_there;
}

static void
find_relocations(struct reader *reader, const ElfW(Dyn) *dynamic, struct relocations *found)
{
	memset(found, 0, sizeof(*found));
	for (; can_read(reader, dynamic, sizeof(*dynamic)) && dynamic->d_tag != DT_NULL;
		 dynamic++) {
		switch (dynamic->d_tag) {
		case DT_JMPREL: found->at[0] = dynsym_address(reader->loaded->dlpi_addr, dynamic); break;
		case DT_PLTRELSZ: found->bytes[0] = dynamic->d_un.d_val; break;
		case DT_RELA: found->at[1] = dynsym_address(reader->loaded->dlpi_addr, dynamic); break;
		case DT_RELASZ: found->bytes[1] = dynamic->d_un.d_val; break;
		case DT_PLTREL:
			if (dynamic->d_un.d_val != DT_RELA)
				return;
		}
	}
	for (int i = 0; i < 2; i++) {
		if ((uintptr_t)found->at[i] % sizeof(uint64_t) != 0)
			found->bytes[i] = 0;
	}
}

// Finds an object's undefined symbols that are in malloc()'s family. Returns true if one of these
// symbols is a name that only glibc defines, such as __libc_malloc. Calls by this name always
// bypass us.
static bool
find_family(struct reader *reader, uint32_t *family, unsigned *count)
{
	static const char *const kin[] = {"malloc", "free", "calloc", "realloc"};
	static const char own[] = "__libc_";
	struct reader texts = *reader;
	uint32_t symbols_count = dynsym_count_undefined(&symbols);

	*count = 0;
	for (uint32_t i = 1; i < symbols_count && *count < FAMILY_MAX; i++) {
		if (!can_read(reader, &symbols.table[i], sizeof(*symbols.table)))
			return false;
		uint32_t at = symbols.table[i].st_name;
		size_t left = at < symbols.names_bytes ? symbols.names_bytes - at : 0;
		left = left < sizeof("__libc_realloc") ? left : sizeof("__libc_realloc");
		const char *name = symbols.names + at;
		if (left == 0 || !can_read(&texts, name, left))
			continue;
		bool is_own = left >= sizeof(own) && memcmp(name, own, sizeof(own) - 1) == 0;
		const char *rest = is_own ? name + sizeof(own) - 1 : name;
		for (size_t k = 0; k < sizeof(kin) / sizeof(*kin); k++) {
			if (strcmp(rest, kin[k]) == 0)
				family[(*count)++] = i;
		}
		if (is_own && *count > 0 && family[*count - 1] == i)
			return true;
	}
	return false;
}

static bool
open_symbols(struct reader *reader)
{
	return dynsym_open(reader->loaded, &symbols)
		&& can_read(reader, symbols.gnu_hash ? symbols.gnu_hash : symbols.hash,
			2 * sizeof(uint32_t));
}

void
binding_know_program(const struct dl_phdr_info *program)
{
	static const struct {
		const char *name;
		uint32_t hash;
	} family[] = {
		{"malloc", DYNSYM_HASH("malloc")},
		{"free", DYNSYM_HASH("free")},
		{"calloc", DYNSYM_HASH("calloc")},
		{"realloc", DYNSYM_HASH("realloc")},
	};
	struct reader reader = {.loaded = program};

	if (knows_program)
		return;
	knows_program = true;
	if (!open_symbols(&reader) || !dynsym_is_there(&symbols))
		return;
	for (size_t i = 0; i < sizeof(stubs) / sizeof(*stubs); i++) {
		const ElfW(Sym) *stub = dynsym_find_stub(&symbols, family[i].name, family[i].hash);
		stubs[i] = stub ? program->dlpi_addr + stub->st_value : 0;
	}
}

static bool
is_stub(uintptr_t pc)
{
	for (size_t i = 0; i < sizeof(stubs) / sizeof(*stubs); i++)
		if (stubs[i] == pc)
			return true;
	return false;
}

// Returns true for a relocation of a variable that has a function's address. The program may store
// another function's address in the variable: CPython does in libmpdec.
static bool
is_variable(const ElfW(Rela) *relocation)
{
	// Neither number is a type of relocation on the other machine.
	return ELF64_R_TYPE(relocation->r_info) == R_X86_64_64
		|| ELF64_R_TYPE(relocation->r_info) == R_AARCH64_ABS64;
}

// Returns true if the address is in the C library, or in the allocator beneath us.
static bool
is_beneath(uintptr_t pc)
{
	return real_is_in_libc(pc) || code_range_has(&real.home, pc);
}

// Returns whose function an object's calls reach now, through one of its relocations.
static enum binding
binding_of(struct reader *reader, const struct object *object, const ElfW(Rela) *relocation)
{
	const void *at = (const void *)(object->base + relocation->r_offset);
	uintptr_t bound;

	if (!can_read(reader, at, sizeof(bound)))
		return BINDING_OURS;
	memcpy(&bound, at, sizeof(bound));
	if (bound == 0 || code_range_has(&real.self, bound) || is_stub(bound))
		return BINDING_OURS;
	if (is_variable(relocation) && !is_beneath(bound))
		return BINDING_OURS;
	// If the address lies in the object itself, it is a stub's: the first call will bind the
	// function.
	return bound >= object->start && bound < object->end ? BINDING_NONE_YET
														 : BINDING_PAST_US;
}

enum binding
binding_of_object(const struct dl_phdr_info *loaded, const struct object *object)
{
	const ElfW(Dyn) *dynamic = NULL;
	uint32_t family[FAMILY_MAX];
	unsigned count;
	struct relocations relocations;
	struct reader reader = {.loaded = loaded};
	struct reader words = reader;
	enum binding most = BINDING_OURS;

	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr);
	}
	if (!dynamic || !can_read(&reader, dynamic, sizeof(*dynamic))
		|| !open_symbols(&reader))
		return BINDING_OURS;
	if (find_family(&reader, family, &count))
		return BINDING_PAST_US;
	find_relocations(&reader, dynamic, &relocations);
	for (int i = 0; count > 0 && i < 2; i++) {
		uint64_t end = relocations.bytes[i] / sizeof(ElfW(Rela));
		for (uint64_t k = 0; k < end && k < RELOCATIONS_MAX; k++) {
			const ElfW(Rela) *relocation = &relocations.at[i][k];
			if (!can_read(&reader, relocation, sizeof(*relocation)))
				break;
			uint32_t symbol = (uint32_t)ELF64_R_SYM(relocation->r_info);
			for (unsigned f = 0; symbol != 0 && f < count; f++) {
				enum binding now = symbol == family[f]
					? binding_of(&words, object, relocation) : BINDING_OURS;
				most = now > most ? now : most;
			}
		}
	}
	return most;
}
