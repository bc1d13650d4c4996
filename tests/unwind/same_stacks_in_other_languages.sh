#!/bin/sh
# long
# C++ with templates and exceptions, Rust, and Go that calls C that calls Go: their stacks are
# backtrace()'s. Go's own code has no call frame information; there backtrace() ends.
# pmem: -DPMEM_ORACLE=1

set -eu
. "$PMEM_ROOT/tests/lib/oracle.sh"

needs() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "skipped: needs $2"
	exit 77
}
needs g++ g++
needs rustc rustc
needs go golang-go

# under_oracle NAME LEAST PROGRAM
under_oracle() {
	mkdir -p "logs-$1"
	(cd "logs-$1" && LD_PRELOAD=$PMEM_LIBRARY "$3" >output)
	cmp -s "logs-$1/output" expected || { echo "$1 says:"; cat "logs-$1/output"; exit 1; }
	oracle_agrees "$1" "$2" "logs-$1"/pmem.*.log
}

cat >program.cc <<'END'
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct noisy {
	std::string kept = std::string(40, 'n');
	~noisy() { auto more = std::make_unique<std::string>(50, 'd'); kept = *more; }
};
struct base { virtual ~base() = default; virtual std::string name(int n) = 0; };
template <int N> struct layer : base {
	layer<N - 1> inner;
	std::string name(int n) override { noisy here; return inner.name(n) + std::to_string(N * 1000000); }
};
template <> struct layer<0> : base {
	std::string name(int n) override
	{
		if (n % 3 == 0)
			throw std::runtime_error("number " + std::to_string(n) + " is thrown through frames");
		return std::string(static_cast<size_t>(n % 50), 'x');
	}
};
static size_t work()
{
	std::map<std::string, std::vector<std::string>> all;
	std::function<std::string(int)> call = [](int n) { layer<9> l; base &b = l; return b.name(n); };
	size_t sum = 0;
	for (int i = 0; i < 600; i++) {
		try {
			noisy outer;
			all["a key long enough " + std::to_string(i % 40)].push_back(call(i));
		} catch (const std::exception &e) {
			std::string copy = e.what() + std::string(30, '!');
			sum += copy.size();
			try { noisy again; throw; } catch (...) { all[copy]; }
		}
	}
	for (auto &p : all)
		sum += p.first.size() + p.second.size();
	return sum;
}
int main()
{
	size_t sum = work();
	size_t other = 0;
	std::thread t([&] { other = work(); });
	t.join();
	std::printf("%s\n", sum == other ? "as expected" : "not equal");
}
END
echo "as expected" >expected
for level in -O0 -O2 "-O3 -fomit-frame-pointer"; do
	# shellcheck disable=SC2086
	g++ -std=c++17 $level -pthread -o program program.cc
	under_oracle "C++$(echo "$level" | tr -d ' ')" 5000 ../program
done

cat >program.rs <<'END'
use std::collections::{BTreeMap, HashMap};
fn build(depth: u32) -> Vec<Box<String>> {
    if depth == 0 {
        return vec![Box::new("leaf".repeat(5))];
    }
    let mut all = build(depth - 1);
    all.push(Box::new(format!("{:?}", all.last())));
    all.iter().map(|s| Box::new(s.chars().rev().collect::<String>())).collect()
}
fn work(n: u32) -> usize {
    let mut names: HashMap<String, BTreeMap<u32, String>> = HashMap::new();
    for i in 0..n {
        names.entry(format!("key {}", i % 17)).or_default().insert(i, "x".repeat(i as usize % 90));
    }
    let caught = std::panic::catch_unwind(|| { if n > 0 { std::panic::resume_unwind(Box::new(n)); } });
    names.values().map(|m| m.len()).sum::<usize>() + build(8).len() + caught.is_err() as usize
}
fn main() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| work(300))).collect();
    let sums: Vec<usize> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    println!("{}", if sums.iter().all(|&s| s == work(300)) { "as expected" } else { "not equal" });
}
END
for level in 0 3; do
	rustc -C opt-level=$level -o rust program.rs 2>rustc.err || { cat rustc.err; exit 1; }
	under_oracle "Rust-O$level" 3000 ../rust
done

mkdir go
cat >go/main.go <<'END'
package main

/*
#include <stdlib.h>
extern int goBack(int);
static int deep(int n) {
	char *volatile block = malloc(64 + n);
	int r = n > 0 ? deep(n - 1) + 1 : goBack(n);
	free((void *)block);
	return r;
}
static int fromGo(int n) { return deep(n); }
*/
import "C"
import ("fmt"; "sync")

//export goBack
func goBack(n C.int) C.int {
	if n < 0 { return 0 }
	return C.deep(-1 + 0*n)
}

func main() {
	var group sync.WaitGroup
	sums := make([]int, 8)
	for g := range sums {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			for i := 0; i < 200; i++ { sums[g] += int(C.fromGo(C.int(i % 9))) }
		}(g)
	}
	group.Wait()
	for _, s := range sums { if s != sums[0] { fmt.Println("not equal"); return } }
	fmt.Println("as expected")
}
END
(cd go && HOME=$PWD GOCACHE=$PWD/cache GOFLAGS=-mod=mod GO111MODULE=off go build -o ../gocode main.go 2>err) \
	|| { cat go/err; exit 1; }
chmod -R u+w go
under_oracle Go 2000 ../gocode
