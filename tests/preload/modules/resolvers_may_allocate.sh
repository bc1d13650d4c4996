#!/bin/sh
# on each allocator
# With LD_BIND_NOW the loader calls IFUNC resolvers before our relocations are done: what they
# allocate is given, kept, resized and freed, where the allocator beneath gives it, too; and an
# audit library, in a namespace of its own, works.

set -e
cat >lib.c <<'C'
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
void *_Znwm(size_t) __attribute__((weak));
void _ZdlPv(void *) __attribute__((weak));
void *mallocx(size_t, int) __attribute__((weak));
static char *kept;
static int good(void) { return strcmp(kept, "kept") ? 2 : (free(kept), 1); }
static int bad(void) { return 3; }
static int (*resolve(void))(void)
{
	char *a = malloc(64), *b = calloc(3, 100), *c = NULL, *d = _Znwm ? _Znwm(10) : malloc(10);
	for (int i = 0; i < 300; i++)
		if (b[i])
			return bad;
	if (!a || !d || posix_memalign((void **)&c, 256, 10) || (size_t)c % 256)
		return bad;
	strcpy(a, "kept");
	kept = realloc(NULL, 100);
	if (!kept || malloc_usable_size(kept) < 100)
		return bad;
	memcpy(kept, a, 5);
	free(a), free(b), free(c);
	if (_ZdlPv) _ZdlPv(d); else free(d);
	return good;
}
int which(void) __attribute__((ifunc("resolve")));
C
cat >audit.c <<'C'
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
unsigned la_version(unsigned version) { free(malloc(100)); return version; }
unsigned la_objopen(struct link_map *map, Lmid_t id, uintptr_t *cookie)
{
	(void)map, (void)id, (void)cookie;
	free(realloc(malloc(100), 1000));
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}
C
# Bound behind lib.so, whose resolver is called then, and before us.
echo 'extern int which(void); int call_which(void) { return which(); }' >user.c
echo 'extern int call_which(void); int main(void) { return call_which() - 1; }' >main.c
$CC -O1 -w -fno-builtin -shared -fPIC -o lib.so lib.c
$CC -O1 -w -fno-builtin -shared -fPIC -o audit.so audit.c
$CC -shared -fPIC -o user.so user.c ./lib.so
$CC -o main main.c ./user.so ./lib.so
for now in "" 1; do
	for audit in "" ./audit.so; do
		bare=0
		status=0
		LD_BIND_NOW=$now LD_AUDIT=$audit LD_PRELOAD=${TEST_ALLOCATOR:-} ./main 2>/dev/null || bare=$?
		LD_BIND_NOW=$now LD_AUDIT=$audit LD_PRELOAD="$PMEM_LIBRARY ${TEST_ALLOCATOR:-}" ./main || status=$?
		echo "LD_BIND_NOW=$now LD_AUDIT=$audit: $bare without us, $status with us"
		# Some allocators cannot do it themselves, or have no room beside an audit library's.
		if [ $status -ne 0 ] && { [ $bare -eq 0 ] || [ -z "$audit" ]; }; then exit 1; fi
		[ -n "${TEST_ALLOCATOR:-}" ] || [ $bare -eq 0 ] || exit 1
	done
done
