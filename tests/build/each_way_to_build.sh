#!/bin/sh
# long
# alone
# The ways to build: the seed's, word for word, from a folder with a blank in its name, and by clang without a
# warning; CC and CFLAGS from the environment; words that are not known.

set -e
mkdir "a copy"
cp -r "$PMEM_ROOT"/config.h "$PMEM_ROOT"/compile.sh "$PMEM_ROOT"/src "$PMEM_ROOT"/tests "a copy"
cd "a copy"

CC=$(command -v clang) || CC=gcc
with=$CC
export CC CFLAGS="-O0 -g0 -DPMEM_EXIT_MIN_CHURN=0"
mkdir build && cd build && PREFIX=.. ../compile.sh 2>../warnings
[ ! -s ../warnings ] || { cat ../warnings; exit 1; }
[ -f libpmem.so ] && [ -x pmem ] && [ "$(ls | tr '\n' ' ')" = "libpmem-sampled.so libpmem.so pmem " ]
LD_PRELOAD=./libpmem.so sh -c 'exec ls /' >/dev/null
"$LOGCHECK" pmem.*.log
cd ..
rm -rf build
unset CC CFLAGS

# What gcc has compiled for others it need not compile again.
mkdir bin
printf '#!/bin/sh\nPATH="%s"\nexec "%s/tests/lib/shared_cc" gcc "$@"\n' "$PATH" "$PMEM_ROOT" >bin/gcc
chmod +x bin/gcc
! command -v gcc >/dev/null || PATH=$PWD/bin:$PATH

# From anywhere, with options of the user's. LD_PRELOAD could not hold this folder's name.
(cd / && CFLAGS=-DPMEM_CHURN_THRESH=1234 "$OLDPWD/compile.sh" demo) >demo 2>&1
[ -f build/libpmem.so ]
grep -q open_session demo && [ -s build/demo/pmem.*.log ] || { cat demo; exit 1; }
(cd build && LD_PRELOAD=./libpmem.so sh -c 'exec ls /' >/dev/null)
grep -q '^churn=.*/1234$' build/pmem.*.log
./compile.sh clean
[ ! -e build ]

./compile.sh library
[ "$(ls build)" = libpmem.so ]
./compile.sh clean

status=0
./compile.sh nonsense 2>usage || status=$?
[ $status -eq 2 ] && grep -q '^usage: .*compile.sh' usage
status=0
./compile.sh build test more 2>usage || status=$?
[ $status -eq 2 ] && grep -q '^usage: ' usage

[ "$with" != gcc ] || { echo "skipped: needs clang"; exit 77; }
