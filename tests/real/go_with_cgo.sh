#!/bin/sh
# long
# pmem: -DPMEM_LOOK_MS=50
# A Go program that calls C: Go's heap is Go's own, which LD_PRELOAD cannot see, and its end
# is the exit_group system call, without a last snapshot. What it mallocs is exact all the same,
# and the log says early that malloc holds next to nothing of its memory, and that it grows.

. "$PMEM_ROOT/tests/lib/real.sh"
needs go golang-go

cat >main.go <<'END'
package main

// #include <stdlib.h>
// static void *volatile held, *volatile now;
// static void hold(size_t bytes) { held = malloc(bytes); }
// static void pair(size_t bytes) { now = malloc(bytes); free(now); }
// static void a_little(void) { for (int i = 0; i < 8; i++) pair(300); }
// static void much(void) { for (int i = 0; i < 300; i++) pair(10000); }
import "C"
import ("fmt"; "time")

func main() {
	kept := [][]byte{}
	C.hold(54321)
	for round := 0; round < 2; round++ {
		for i := 0; i < 1500; i++ {
			block := make([]byte, 100000)
			for k := range block {
				block[k] = byte(i + round)
			}
			kept = append(kept, block)
		}
		time.Sleep(200 * time.Millisecond)
		C.a_little()
	}
	C.much()
	fmt.Println(len(kept), kept[1999][5])
}
END
GOCACHE=$PWD/cache GOPATH=$PWD/go GO111MODULE=off GOFLAGS= go build -o program main.go \
	>go.out 2>&1 || fail "does not compile" go.out

same 0 program ../program
log=$(ls logged/pmem.*.log)
for reason in first:145000000 rss:295000000 churn:295000000; do
	awk -v reason="reason=${reason%:*}" '/^time=/ { is_it = $2 == reason }
		is_it && /^memory / && / malloc=0%/ { sub(/.* outside=/, ""); print $1 }' "$log" >found
	at_least "outside= in a block with reason=${reason%:*}" "$(tail -n 1 found)" "${reason#*:}"
done
grep -q "^{[0-9a-f]*} live:54321, .* blocks:1," "$log" || fail "no block of 54321 bytes" "$log"
echo "figure: $(grep '^time=\|^memory ' "$log" | tail -n 2 | grep -o 'live=[^ ]*\|rss=.*' | tr '\n' ' ')"
agree 3 "$log"
