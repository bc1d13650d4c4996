#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "sys.h"
#include "loss.h"
#include "text.h"
#include "hash.h"
#include "loader.h"
#include "object.h"
#include "module.h"

_Static_assert(PMEM_MODULES >= 16 && PMEM_MODULES <= 32767,
	"PMEM_MODULES must be from 16 to 32767: its number has 15 bits in a frame");

struct module_loader module_loader;
struct module_gone module_gone = {.start = UINTPTR_MAX, .end = 0};
uint64_t module_news = MODULE_GENERATION;

static struct {
	// Entry 0 is MODULE_NONE and never filled. Filled once, then read by all.
	struct module modules[PMEM_MODULES + 1];
	char names[PMEM_MODULES * 64 + MODULE_NAME_MAX];
	uint32_t count;      // entries given out; atomic, never above PMEM_MODULES
	size_t names_length; // of names[], given out; atomic
	char program[PATH_MAX]; // its path; "" until known
} state;

uint32_t
module_count(void)
{
	return __atomic_load_n(&state.count, __ATOMIC_ACQUIRE);
}

const struct module *
module_get(uint32_t number)
{
	const struct module *module = &state.modules[number];
	return __atomic_load_n(&module->ready, __ATOMIC_ACQUIRE) ? module : NULL;
}

bool
module_is_gone(const struct module *module)
{
	return __atomic_load_n(&module->stay, __ATOMIC_ACQUIRE) != MODULE_HERE;
}

// The GNU build-id out of an object's notes in memory (ELF gABI, "Note Section").
static void
read_build_id(const struct object *object, struct module *module)
{
	const ElfW(Ehdr) *header = (const void *)object->start;
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0
		|| header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > OBJECT_HEADERS_BYTES)
		return;

	const ElfW(Phdr) *segments = (const void *)(object->start + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++) {
		uintptr_t at = object->base + segments[i].p_vaddr;
		uintptr_t end = at + segments[i].p_memsz;
		if (segments[i].p_type != PT_NOTE || at < object->start || end > object->end)
			continue;
		while (at + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *note = (const void *)at;
			uintptr_t name = at + sizeof(*note);
			uintptr_t value = name + ((note->n_namesz + 3) & ~3U);
			at = value + ((note->n_descsz + 3) & ~3U);
			if (at > end || note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4
				|| memcmp((const void *)name, "GNU", 4) != 0
				|| note->n_descsz > MODULE_BUILD_ID_MAX)
				continue;
			memcpy(module->build_id, (const void *)value, note->n_descsz);
			module->build_id_bytes = (uint8_t)note->n_descsz;
			return;
		}
	}
}

// First asked for before there are threads.
const char *
module_program(void)
{
	if (!state.program[0])
		sys_call4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)state.program,
			PATH_MAX - 1);
	return state.program[0] ? state.program : "(program)";
}

// The loader does not know the program's own path.
static const char *
path_of(const struct object *object)
{
	return object->name[0] ? object->name : module_program();
}

// Describes the object as an entry would, but for its name: a path is no load for a small
// stack.
static void
describe(const struct object *object, struct module *module)
{
	const char *path = path_of(object);
	const char *slash = strrchr(path, '/');

	memset(module, 0, sizeof(*module));
	module->start = object->start;
	module->end = object->end;
	module->base = object->base;
	module->name_hash = hash_string(slash ? slash + 1 : path);
	module->path_hash = hash_string(path);
	read_build_id(object, module);
}

static bool
same_object(const struct module *a, const struct module *b)
{
	return a->start == b->start && a->end == b->end && a->path_hash == b->path_hash
		&& a->build_id_bytes == b->build_id_bytes
		&& memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
}

static uint64_t
salt_of(const struct module *module)
{
	uint64_t hash = module->name_hash;
	for (int i = 0; i < module->build_id_bytes; i++)
		hash = hash_step(hash, module->build_id[i]);
	return hash ? hash : 1;
}

// Writes the path where names are kept.
static void
keep_name(struct module *module, const char *path)
{
	size_t room = text_escaped_room(path, MODULE_NAME_MAX);
	size_t at = __atomic_fetch_add(&state.names_length, room, __ATOMIC_RELAXED);
	struct text text = {.bytes = state.names + at, .size = room};

	if (at <= sizeof(state.names) - room) {
		text_escaped(&text, path, MODULE_NAME_MAX);
		module->name = text.bytes;
		module->name_length = (uint32_t)text.length;
		return;
	}
	loss_count(LOSS_MODULES_FULL);
	module->name = "(no room for its name)";
	module->name_length = (uint32_t)strlen(module->name);
}

// Gives the described module an entry. Two threads may enter the same one at a time: both
// entries are sound, and module_find() settles on the first.
static uint32_t
enter(struct module *module, const char *path)
{
	uint32_t number = module_count();
	do {
		if (number >= PMEM_MODULES) {
			loss_count(LOSS_MODULES_FULL);
			return MODULE_NONE;
		}
	} while (!__atomic_compare_exchange_n(&state.count, &number, number + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	number++;

	keep_name(module, path);
	struct module *entry = &state.modules[number];
	*entry = *module;
	__atomic_store_n(&entry->ready, true, __ATOMIC_RELEASE);
	return number;
}

// Out of line: the descriptions are on the stack for new objects alone.
static __attribute__((noinline)) uint32_t
learn(uintptr_t pc)
{
	struct object object;
	struct module found;

	if (!object_at(pc, &object))
		return MODULE_NONE;
	describe(&object, &found);
	for (uint32_t i = 1; i <= module_count(); i++) {
		struct module *entry = &state.modules[i];
		if (!module_get(i) || !module_is_gone(entry))
			continue;
		if (same_object(entry, &found)) {
			// Loaded again where it was: the frames recorded in it are its own.
			__atomic_store_n(&entry->stay, MODULE_HERE, __ATOMIC_RELEASE);
			return i;
		}
		if (entry->start >= found.end || found.start >= entry->end)
			continue;
		found.salt = salt_of(&found);
		if (!found.salt_end || entry->start < found.salt_start)
			found.salt_start = entry->start;
		if (entry->end > found.salt_end)
			found.salt_end = entry->end;
	}
	return enter(&found, path_of(&object));
}

uint32_t
module_find(uintptr_t pc)
{
	uint32_t count = module_count();
	for (uint32_t i = 1; i <= count; i++) {
		const struct module *module = module_get(i);
		if (module && pc >= module->start && pc < module->end && !module_is_gone(module))
			return i;
	}
	return learn(pc);
}

static bool
is_marked(const struct module *module)
{
	return __atomic_load_n(&module->stay, __ATOMIC_ACQUIRE) == MODULE_GONE;
}

static void
widen_gone(const struct module *module)
{
	uintptr_t start = __atomic_load_n(&module_gone.start, __ATOMIC_RELAXED);
	uintptr_t end = __atomic_load_n(&module_gone.end, __ATOMIC_RELAXED);

	while (module->end > end
		&& !__atomic_compare_exchange_n(&module_gone.end, &end, module->end, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	while (module->start < start
		&& !__atomic_compare_exchange_n(&module_gone.start, &start, module->start, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

// What is in its place may be another object by now. Whoever finds the entry gone relies on
// all of this: so it is GONE at the end alone, and two threads may be at it.
static void
mark_gone(struct module *module)
{
	widen_gone(module);
	__atomic_store_n(&module->stay, MODULE_GOING, __ATOMIC_RELEASE);
	__atomic_fetch_add(&module_news, MODULE_GENERATION, __ATOMIC_ACQ_REL);
	__atomic_store_n(&module->stay, MODULE_GONE, __ATOMIC_RELEASE);
}

// What of the first `count` entries is still loaded.
struct sight {
	uint32_t count;
	uint8_t seen[PMEM_MODULES / 8 + 1]; // bits
};

static int
see(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct sight *sight = context;
	struct object object;
	struct module now;

	object_range(loaded, &object);
	for (uint32_t i = 1; i <= sight->count; i++) {
		const struct module *module = module_get(i);
		if (!module || module->start != object.start || is_marked(module))
			continue;
		object_describe(loaded, &object);
		describe(&object, &now);
		if (same_object(module, &now))
			sight->seen[i / 8] |= (uint8_t)(1 << i % 8);
	}
	return 0;
}

void
module_check(void)
{
	struct sight sight = {.count = module_count()};
	uint64_t now, news = module_news_now();
	// Objects are looked at on the loader's list alone: elsewhere one that another thread is
	// unloading vanishes under our eyes.
	int result = loader_visit(see, &sight);

	for (uint32_t i = 1; i <= sight.count && result >= 0; i++) {
		if (module_get(i) && !is_marked(&state.modules[i])
			&& !(sight.seen[i / 8] & 1 << i % 8))
			mark_gone(&state.modules[i]);
	}
	// Done, unless the loader freed more since: then who comes next looks again. Not sooner,
	// or a thread that loads another object would take it for the one that lay there.
	now = module_news_now();
	while (result != LOADER_BUSY && (uint32_t)now == (uint32_t)news
		&& !__atomic_compare_exchange_n(&module_news, &now, now & ~MODULE_PENDING,
			false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
}

// For as long as an object is loaded, each of its addresses has one answer, though more may go
// around it: a stack has one hash.
uint64_t
module_salt_slow(uintptr_t pc)
{
	const struct module *module = module_get(module_find(pc));
	if (!module || pc < module->salt_start || pc >= module->salt_end)
		return 0;
	return module->salt;
}

void
module_start(void)
{
	struct object object;
	uintptr_t inside = getauxval(AT_BASE);

	loader_start();
	object_start();
	module_program();
	// Huge pages would make whole tables resident for the few entries in use.
	if (object_at((uintptr_t)&state, &object))
		sys_call3(SYS_madvise, (long)object.start, (long)(object.end - object.start),
			MADV_NOHUGEPAGE);
	if (!inside || !object_at(inside, &object))
		return;
	module_loader.start = object.start;
	module_loader.bytes = object.end - object.start;
}
