#!/bin/sh
# A library that says that it is Ruby, of a version that is not known, or of one that is known and lies, has
# no lines: the log says why, once, and counts all blocks. None of its functions is asked before it is
# believed, and none that it lacks.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"

cat >host.c <<'END'
#include <stdio.h>
#include <stdlib.h>

void *ruby_give(size_t bytes);

int
main(void)
{
	static void *volatile kept[300];
	for (int i = 0; i < 300; i++)
		kept[i] = ruby_give(9001);
	puts(kept[299] ? "given" : "none");
	return 0;
}
END
cat >fake.c <<'END'
#include <stdlib.h>

#ifndef MINOR
#define MINOR 1
#endif

const int ruby_api_version[3] = {MAJOR, MINOR, 0};

__attribute__((noinline)) void *
ruby_give(size_t bytes)
{
	void *volatile block = malloc(bytes);
	return block;
}

#ifdef LIES
#define ASKED(name) long name(void) { abort(); }
ASKED(rb_iseq_path) ASKED(rb_iseq_label) ASKED(rb_iseq_base_label) ASKED(rb_iseq_line_no)
ASKED(rb_mod_name) ASKED(rb_str_hash) ASKED(rb_class_attached_object) ASKED(rb_gc_count)
ASKED(rb_profile_frame_path) ASKED(rb_profile_frame_base_label) ASKED(rb_ivar_get)
ASKED(rb_check_id_cstr) ASKED(rb_usascii_encoding) ASKED(rb_profile_frames)
int ruby_thread_has_gvl_p(void) { return 1; }
int rb_during_gc(void) { return 0; }
void *rb_cObject, *ruby_single_main_ractor, *ruby_current_vm_ptr = &ruby_current_vm_ptr;
#endif
END

# says NOTE FLAG...: the fake of these flags is run, and the log says that.
says() {
	note=$1
	shift
	"$CC" -shared -fPIC -O1 "$@" -o libruby-fake.so fake.c
	"$CC" -O1 -o host host.c "$PWD/libruby-fake.so"
	same 0 fake ../host
	log=$(log_of host)
	[ "$(grep -c "^# note $note" "$log")" -eq 1 ] || fail "no note, or more than one: $note ($*)" "$log"
	[ "$(blocks_at_exit "$log" 9001)" -eq 300 ] || fail "not 300 blocks" "$log"
	! grep -q '\[ruby\]$' "$log" || fail "there are lines" "$log"
	agree 1 "$log"
	rm logged/pmem.*
}

unknown='this version of Ruby is not known to this pmem'
unlike='this interpreter is not as others of its version are'
says "$unknown" -DMAJOR=3 -DMINOR=0
says "$unknown" -DMAJOR=3 -DMINOR=9
says "$unknown" -DMAJOR=4 -DMINOR=1
says "$unknown" -DMAJOR=2 -DMINOR=2
for minor in 1 2 3; do
	says "$unknown" -DMAJOR=3 -DMINOR=$minor
	says "$unlike" -DMAJOR=3 -DMINOR=$minor -DLIES
done
