// The fast way to find an object and the one for older C libraries agree; ids of modules
// and symbols of functions are those that dladdr() knows. So it is in a program with a gap between its
// segments, of which the loader gives the range of one segment alone: it may be that of the code. Nothing
// of that needs the loader's list.
// each: -Wl,-z,noseparate-code,-z,max-page-size=65536; -Wl,-z,separate-code,-z,max-page-size=65536

#include <dlfcn.h>
#include <string.h>

#include "unit.h"
#include "base/libc.h"
#include "elf/module.h"
#include "elf/object.h"
#include "names/symbol.h"

int
main(void)
{
	expect(libc_start());
	struct object fast, slow;
	struct dl_phdr_info loaded;
	uintptr_t addresses[] = {(uintptr_t)main, (uintptr_t)dlsym(RTLD_DEFAULT, "fgets"),
		(uintptr_t)dlsym(RTLD_DEFAULT, "qsort"),
		(uintptr_t)dlsym(RTLD_DEFAULT, "getline") + 4};
	for (int i = 0; i < 4; i++) {
		Dl_info known;
		struct symbol symbol;
		expect(object_at(addresses[i], &fast) && object_at_by_list(addresses[i], &slow));
		expect(fast.start == slow.start && fast.end == slow.end && fast.base == slow.base);
		expect(strcmp(fast.name, slow.name) == 0);
		expect(object_info(addresses[i], &loaded) && loaded.dlpi_addr == slow.base);
		expect(object_starts_at(addresses[i], slow.start) && !object_starts_at(addresses[i], slow.start + 1));

		struct frame frame = {.pc = addresses[i], .module = module_find(addresses[i])};
		expect(frame.module != MODULE_NONE);
		const struct module *module = module_get((uint32_t)frame.module);
		expect(module->start == fast.start && module->build_id_bytes == 20);
		expect(dladdr((void *)addresses[i], &known) && known.dli_sname);
		expect(symbol_want(frame, true));
		symbol_look_up();
		expect(symbol_get(frame, &symbol));
		expect(symbol.offset == addresses[i] - (uintptr_t)known.dli_saddr);
		// One address may have several names.
		char name[300];
		snprintf(name, sizeof(name), "%.*s", (int)symbol.name_length, symbol.name);
		expect(dlsym(RTLD_DEFAULT, name) == known.dli_saddr);
	}
	expect(!object_at(16, &fast) && !object_at_by_list(16, &slow));
	expect(module_find(16) == MODULE_NONE);
	return 0;
}
