#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# Services in C, C++ and Rust that keep what each request makes have that function first, with its bytes;
# their twins, which keep the last hundred alone, have not. What a C service maps itself is found as well.

. "$PMEM_ROOT/tests/services/service.sh"
cat >service.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KEPT = 40000, BYTES = 500 };
static char *kept[KEPT];
static void *volatile scratch;

__attribute__((noinline)) char *
open_session(int i)
{
	char name[BYTES + 1];
	memset(name, 'a' + i % 26, BYTES);
	name[BYTES] = '\0';
	return strdup(name);
}

__attribute__((noinline)) char *
map_buffer(void)
{
	return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

__attribute__((noinline)) void
render(int i)
{
	free(scratch = malloc(1000 + i % 5000));
}

int
main(int count, char **arguments)
{
	int leaks = strcmp(arguments[2], "leaks") == 0;
	int maps = strcmp(arguments[1], "maps") == 0;
	unsigned long planted = 0;
	for (int i = 0; i < KEPT && count == 3; i++) {
		render(i);
		int slot = leaks ? i : i % 100;
		if (maps && i % 1000 == 0) {
			if (leaks)
				planted += 1 << 20;
			else if (kept[0])
				munmap(kept[0], 1 << 20);
			kept[0] = map_buffer();
		} else if (!maps) {
			free(kept[slot]);
			kept[slot] = open_session(i);
			planted += BYTES + 1;
		}
	}
	printf("planted %lu\n", planted);
	fflush(stdout);
	free(scratch = malloc(3000000));
	_exit(0);
}
X
cat >service.cc <<'X'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <unistd.h>

struct session {
	char name[500];
};
static std::map<int, std::shared_ptr<session>> sessions;

__attribute__((noinline)) void
remember(int i, bool leaks)
{
	sessions[i] = std::make_shared<session>();
	if (!leaks)
		sessions.erase(i - 100);
}

int
main(int, char **arguments)
{
	for (int i = 0; i < 40000; i++) {
		remember(i, strcmp(arguments[1], "leaks") == 0);
		std::unique_ptr<char[]> scratch(new char[1000 + i % 5000]);
	}
	std::printf("planted %zu\n", sessions.size() * sizeof(session));
	std::fflush(stdout);
	delete[] new char[3000000];
	_exit(0);
}
X
"$CC" -O1 -g -fno-builtin -rdynamic -o service service.c
for kind in blocks maps; do
	serve ./service $kind leaks
	case $kind in
	blocks) is_planted 'open_session' ;;
	maps) is_planted 'mmap < map_buffer' 0 ;;
	esac
	serve ./service $kind twin
	is_innocent 'open_session|map_buffer' 2000000
done
command -v g++ >/dev/null && {
	g++ -O1 -g -rdynamic -o service++ service.cc
	serve ./service++ leaks
	is_planted '.*remember' 25
	serve ./service++ twin
	is_innocent 'remember' 500000
}
needs rustc rustc
cat >service.rs <<'X'
use std::hint::black_box;
extern "C" { fn _exit(status: i32) -> !; }
#[inline(never)]
fn upload(number: usize) -> Vec<u8> { black_box(vec![number as u8; 500 + number % 7]) }
fn main() {
    let leaks = std::env::args().nth(1).unwrap() == "leaks";
    let mut kept: Vec<Vec<u8>> = Vec::with_capacity(40001);
    for number in 0..40000 {
        kept.push(upload(number));
        black_box(vec![0u8; 1000 + number % 5000]);
        if !leaks && kept.len() > 100 { kept.remove(0); }
    }
    println!("planted {}", kept.iter().map(|entry| entry.len()).sum::<usize>());
    black_box(vec![0u8; 3000000]);
    unsafe { _exit(0) }
}
X
rustc -O -g -C symbol-mangling-version=v0 -o service_rs service.rs 2>err || fail rustc
serve ./service_rs leaks
is_planted '.*upload'
serve ./service_rs twin
is_innocent 'upload' 500000
