#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>

#include "object.h"

struct search {
	uintptr_t address;
	struct object *object;
};

void
object_range(const struct dl_phdr_info *loaded, struct object *object)
{
	object->start = UINTPTR_MAX;
	object->end = 0;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD)
			continue;
		uintptr_t start = loaded->dlpi_addr + segment->p_vaddr;
		uintptr_t end = start + segment->p_memsz;
		if (segment->p_align > 1)
			start &= ~(uintptr_t)(segment->p_align - 1);
		if (start < object->start)
			object->start = start;
		if (end > object->end)
			object->end = end;
	}
}

static int
search_step(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct search *search = context;
	struct object object;

	object_range(loaded, &object);
	if (search->address < object.start || search->address >= object.end)
		return 0;
	object.base = loaded->dlpi_addr;
	object.name = loaded->dlpi_name ? loaded->dlpi_name : "";
	*search->object = object;
	return 1;
}

bool
object_at_by_list(uintptr_t address, struct object *object)
{
	struct search search = {address, object};
	return dl_iterate_phdr(search_step, &search) != 0;
}

#ifdef DLFO_STRUCT_HAS_EH_COUNT

// Found at run time: a library built with a new glibc runs with an old one.
static __typeof__(&_dl_find_object) find_object;

void
object_start(void)
{
	__atomic_store_n(&find_object, dlsym(RTLD_DEFAULT, "_dl_find_object"), __ATOMIC_RELEASE);
}

bool
object_at(uintptr_t address, struct object *object)
{
	__typeof__(&_dl_find_object) find = __atomic_load_n(&find_object, __ATOMIC_ACQUIRE);
	struct dl_find_object found;

	if (!find)
		return object_at_by_list(address, object);
	if (find((void *)address, &found) != 0)
		return false;
	object->start = (uintptr_t)found.dlfo_map_start;
	object->end = (uintptr_t)found.dlfo_map_end;
	object->base = found.dlfo_link_map->l_addr;
	object->name = found.dlfo_link_map->l_name;
	return true;
}

#else

void
object_start(void)
{
}

bool
object_at(uintptr_t address, struct object *object)
{
	return object_at_by_list(address, object);
}

#endif
