#!/bin/sh
# In Rust the report names the program's own function, not the traits, closures and collections
# of alloc, core and std between it and the allocator, nor those that started it.

set -eu
. "$PMEM_ROOT/tests/lib/real.sh"
needs rustc rustc
for tool in llvm-symbolizer addr2line eu-addr2line; do
	command -v $tool >/dev/null && found=$tool
done
[ "${found:-}" ] || needs addr2line binutils
cat >program.rs <<'END'
use std::collections::HashMap;
#[derive(Clone)]
struct Session {
    name: String,
    numbers: Vec<u64>,
}
#[inline(never)]
fn open_session(all: &mut HashMap<u32, Box<Session>>, n: u32) {
    all.insert(n, Box::new(Session { name: "x".repeat(100), numbers: Vec::new() }));
}
#[inline(never)]
fn grow(session: &mut Session) {
    for i in 0..10000 {
        session.numbers.push(i);
    }
}
#[inline(never)]
fn greet(n: u32) -> String {
    format!("hello {} {}", n, n.to_string())
}
#[inline(never)]
fn copy(session: &Session) -> Session {
    session.clone()
}
fn main() {
    let mut all = Box::new(HashMap::new());
    for n in 0..100 {
        open_session(&mut all, n);
    }
    grow(all.get_mut(&5).unwrap());
    let names: Vec<String> = (0..50).map(greet).collect();
    let copied = copy(&all[&5]);
    println!("{} {} {}", names.len(), copied.name.len(), copied.numbers.len());
    std::mem::forget((all, names, copied));
}
END
rustc -g -O -o program program.rs
LD_PRELOAD=$PMEM_BUILD/libpmem.so ./program >/dev/null
"$PMEM_BUILD/pmem" report -n 0 pmem.*.log >report
for function in open_session grow greet main 'Session as core::clone::Clone>::clone'; do
	grep -q "B  [^ ]*program::.*$function .*program.rs:[0-9]" report || {
		echo "no $function:"
		cat report
		exit 1
	}
done
# What the thread of main() needs itself is the library's alone.
if sed '1,/ where$/d' report | grep -v -e '{' -e 'B  main' |
	grep -Eq '(B  |< )<?(alloc|core|std)::'; then
	echo "a library's function:"
	cat report
	exit 1
fi
