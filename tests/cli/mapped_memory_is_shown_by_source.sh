#!/bin/sh
# Memory that a program mapped itself has rows among those of blocks, which begin with what mapped it.
# report and diff order, sum up and share them together, and say so; live is what it is without them.

. "$PMEM_ROOT/tests/lib/maplog.sh"

# show ARGUMENT...
show() {
	"$pmem" "$@" --color never >out 2>err || wrong "pmem $*"
	[ ! -s err ] || wrong "pmem $*: it complains"
}

maplog >pmem.77.log
show report --by growth pmem.77.log
says '^live 977 KiB in 1 block, 0 B since \[0\]$'
says '^mapped 72\.0 MiB by the program itself in 132 mappings, \+70\.5 MiB since \[0\]$'
says '^up to 72\.0 MiB of that is memory that the program mapped itself$'
says_not 'looks like'
sed '1,/^ *growth/d' out >rows
cat >expected <<'END'
+59.5 MiB  60.0 MiB   82.2%     120     120  59.5 MiB  mmap < grow < main
+11.0 MiB  12.0 MiB   16.5%      12      12  11.0 MiB  mmap < store < main
      0 B   977 KiB    1.3%       1     121  22.7 MiB  and 2 more sources, without any
+70.5 MiB  73.0 MiB  100.0%     133     253  93.2 MiB  total, live and mapped
END
cmp rows expected || wrong 'report --by growth'
# Another of the calls that map.
maplog by=mremap minutes=9 >other.log
show report other.log
says ' mremap < grow < main$'
# A moment in the middle, of which the log tells store() later.
show report --at 20 --since 5 pmem.77.log
says '^ *12\.0 MiB .* \+6\.00 MiB .* mmap < store < main$'
says '^mapped 22\.5 MiB .*, \+13\.5 MiB since \[5\]$'
show report --match store pmem.77.log
says '^ *12\.0 MiB .* mmap < store < main$'
says '^ *61\.0 MiB .* 3 sources not asked for$'
show report --stacks pmem.77.log
says '^ *mmap  /usr/lib/libpmem.so$'
show report --tree pmem.77.log
says '^100\.0%  73\.0 MiB .*- all, live and mapped$'
says '^ *82\.2%  60\.0 MiB .*- grow  server > mmap  libpmem.so$'
show diff --from 3 pmem.77.log
says '^to .*: live 977 KiB in 1 block, mapped 72\.0 MiB by the program itself in 132 mappings$'
says '^grew  2\.00 MiB  60\.0 MiB  \+58\.0 MiB .* mmap < grow < main$'
says '^ *6\.95 MiB  73\.0 MiB  \+66\.0 MiB .* total, live and mapped$'
# Two processes: rows are one by their ids.
maplog minutes=40 >two.log
sed -i 's/ pid=77 / pid=78 /; s/ run=[0-9a-f]*/ run=7/' two.log
show report pmem.77.log two.log
says '^2 processes: live 1\.91 MiB in 2 blocks, 0 B$'
says '^mapped 104 MiB by the program itself in 184 mappings, \+101 MiB$'
says '^80\.0 MiB .*  mmap < grow < main$'
says '^ 106 MiB .* total, live and mapped$'
show diff --by-name pmem.77.log two.log
says '^shrank  60\.0 MiB  20\.0 MiB .* mmap < grow < main$'
# Without frames: what found no room, and what is not shown.
sed 's/^{3333333333333333}/{other}/; s/^{4444444444444444}/{rest}/; /^  {.}.*(\(mmap\|grow\|store\)+/d' \
	pmem.77.log | awk '/mapped:/ { of = 1 } !/^  {2}/ { of = of && /./ } !(of && /^  {2}/)' >sums.log
show report sums.log
says '^60\.0 MiB .* \{mapped, other\}  mapped memory that could not be told apart$'
says '^12\.0 MiB .* \{mapped, rest\}  sources of mapped memory that the log does not tell one by one$'
# What does not map shows nothing new.
maplog leak=0 | sed '/mapped:/,/^$/{/mapped:/d; /^  /d}; s/ mapped=.*//' >none.log
show report none.log
says '^ *977 KiB .* total$'
says_not 'mapped (memory|[0-9])|itself'
# In top, too.
show top --once pmem.77.log
says '^live 977 KiB in 1 block .* outside 76\.0 MiB .* mapped 72\.0 MiB$'
says '^ *60\.0 MiB  .* mmap < grow < main$'
says '^ *12\.0 MiB  .* mmap < store < main$'
says '^ *977 KiB  .* init < main$'
says '^growth \+8\.53 KiB/s  '
show top --once pmem.77.log two.log
says '^ *\+30\.0 MiB .* 77 '
