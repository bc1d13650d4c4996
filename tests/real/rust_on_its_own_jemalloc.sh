#!/bin/sh
# pmem: -DPMEM_LOOK_MS=50
# A Rust program whose allocator is a jemalloc of its own, linked in statically and under
# other names, as crates have it: LD_PRELOAD cannot see those calls. The log says so: at exit,
# and early in a process that lives, malloc= is next to nothing, and the growth is outside=.

. "$PMEM_ROOT/tests/lib/real.sh"
needs rustc rustc
needs objcopy binutils
archive=/usr/lib/$(gcc -print-multiarch 2>/dev/null)/libjemalloc_pic.a
[ -e "$archive" ] || { echo "skipped: needs libjemalloc-dev"; exit 77; }

for name in malloc calloc realloc free posix_memalign aligned_alloc memalign valloc \
	malloc_usable_size mallocx rallocx xallocx sallocx dallocx sdallocx nallocx mallctl \
	mallctlnametomib mallctlbymib malloc_stats_print malloc_conf; do
	echo "$name _rjem_$name"
done >names
objcopy --redefine-syms=names "$archive" librjem.a

cat >program.rs <<'END'
use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

#[link(name = "rjem", kind = "static")]
extern "C" {
	fn _rjem_mallocx(bytes: usize, flags: i32) -> *mut c_void;
	fn _rjem_sdallocx(block: *mut c_void, bytes: usize, flags: i32);
}
extern "C" {
	fn malloc(bytes: usize) -> *mut c_void;
	fn free(block: *mut c_void);
}

struct Jemalloc;

fn flags(layout: &Layout) -> i32 {
	layout.align().trailing_zeros() as i32
}

unsafe impl GlobalAlloc for Jemalloc {
	unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
		_rjem_mallocx(layout.size(), flags(&layout)) as *mut u8
	}
	unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
		_rjem_sdallocx(block as *mut c_void, layout.size(), flags(&layout))
	}
}

#[global_allocator]
static GLOBAL: Jemalloc = Jemalloc;

static mut NOW: *mut c_void = std::ptr::null_mut();

// What its C libraries use now and then.
fn a_little_c() {
	for _ in 0..8 {
		unsafe {
			std::ptr::write_volatile(&mut NOW, malloc(300));
			free(NOW);
		}
	}
}

fn main() {
	let mut kept: Vec<Vec<u8>> = Vec::new();
	for round in 0..2 {
		for i in 0..1500 {
			kept.push(vec![(i + round) as u8; 100_000]);
		}
		std::thread::sleep(std::time::Duration::from_millis(200));
		a_little_c();
	}
	println!("{} {}", kept.len(), kept[1999][99_999]);
	std::mem::forget(kept);
}
END
rustc -O -L . -l pthread -l m -l dl -o program program.rs 2>rustc.out || fail "does not compile" rustc.out

# outside REASON LEAST: a block with this reason has so many bytes outside, and of malloc at
# most 1 %.
outside() {
	awk -v reason="reason=$1" '/^time=/ { is_it = $2 == reason }
		is_it && /^memory / && / malloc=[01]%/ { sub(/.* outside=/, ""); print $1 }' "$log" >found
	at_least "outside= in a block with reason=$1" "$(tail -n 1 found)" "$2"
}

same 0 program ../program
log=$(log_of program)
outside first 145000000
outside rss 295000000
outside exit 295000000
echo "figure: $(grep '^time=\|^memory ' "$log" | tail -n 2 | grep -o 'live=[^ ]*\|rss=.*' | tr '\n' ' ')"
agree 3 "$log"
