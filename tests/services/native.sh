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
"$CC" -O1 -g -fno-builtin -rdynamic -o service service.c
pair open_session 0 2000000 ./service blocks
pair 'mmap < map_buffer' 0 2000000 ./service maps

needs g++ g++
cat >service.cc <<'X'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <unordered_map>

struct session {
	char name[2000];
};
static std::map<int, std::shared_ptr<session>> sessions;
static std::unordered_map<int, std::string> routes;
static thread_local char *scratch;
static bool leaks;
static size_t planted;

__attribute__((noinline)) void
open_session(int i)
{
	sessions[i] = std::make_shared<session>();
	planted += sizeof(session);
	if (!leaks)
		sessions.erase(i - 100);
}

// Keeps one in 25.
__attribute__((noinline)) void
remember_route(int i)
{
	std::string route(50000 + i % 7, '/');
	if (i % 25 == 0) {
		planted += route.size();
		routes.emplace(leaks ? i : 0, std::move(route));
	}
}

__attribute__((noinline)) void
scratch_for_thread(int i)
{
	scratch = new char[100000 + i];
	memset(scratch, 1, 100000);
	planted += 100000 + i;
	if (!leaks)
		delete[] scratch;
}

int
main(int, char **arguments)
{
	leaks = strcmp(arguments[2], "leaks") == 0;
	for (int i = 0; i < 10000; i++) {
		std::unique_ptr<char[]> innocent(new char[1000 + i % 5000]);
		switch (arguments[1][0]) {
		case 's': open_session(i); break;
		case 'r': remember_route(i); break;
		case 't': if (i % 50 == 0) std::thread(scratch_for_thread, i).join();
		}
	}
	std::printf("planted %zu\n", planted);
	std::fflush(stdout);
	delete[] new char[3000000];
	_exit(0);
}
X
g++ -O1 -g -rdynamic -o service++ service.cc
pair open_session 5 1000000 ./service++ sessions
pair remember_route 1 1000000 ./service++ routes
pair scratch_for_thread 0 1000000 ./service++ threads

needs rustc rustc
cat >service.rs <<'X'
use std::{cell::RefCell, hint::black_box, rc::Rc};
extern "C" { fn _exit(status: i32) -> !; }
#[inline(never)]
fn upload(number: usize) -> Vec<u8> { black_box(vec![number as u8; 500 + number % 7]) }
struct Node { name: Vec<u8>, parent: RefCell<Option<Rc<Node>>>, children: RefCell<Vec<Rc<Node>>> }
#[inline(never)]
fn node(number: usize) -> Rc<Node> {
    let (parent, children) = (RefCell::new(None), RefCell::new(Vec::new()));
    Rc::new(Node { name: vec![number as u8; 2000], parent, children })
}
// A parent and its child own each other, unless told not to.
#[inline(never)]
fn tree(number: usize, leaks: bool) -> usize {
    let (parent, child) = (node(number), node(number));
    parent.children.borrow_mut().push(child.clone());
    if leaks { *child.parent.borrow_mut() = Some(parent.clone()); }
    black_box(parent.name.len() + child.name.len())
}
fn main() {
    let (kind, leaks) = (std::env::args().nth(1).unwrap(), std::env::args().nth(2).unwrap() == "leaks");
    let mut kept: Vec<Vec<u8>> = Vec::with_capacity(40001);
    let mut planted = 0;
    for number in 0..if kind == "uploads" { 40000 } else { 5000 } {
        if kind == "trees" {
            planted += tree(number, leaks);
        } else {
            kept.push(upload(number));
            if !leaks && kept.len() > 100 { kept.remove(0); }
        }
        black_box(vec![0u8; 1000 + number % 5000]);
    }
    println!("planted {}", planted + kept.iter().map(|entry| entry.len()).sum::<usize>());
    black_box(vec![0u8; 3000000]);
    unsafe { _exit(0) }
}
X
rustc -O -g -C symbol-mangling-version=v0 -o service_rs service.rs 2>err || { cat err; fail rustc; }
pair '.*upload' 0 500000 ./service_rs uploads
pair '.*node .*tree' 10 500000 ./service_rs trees
