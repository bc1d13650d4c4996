#!/bin/sh
# long
# A value in config.h that cannot work stops the build with a sentence that names the knob, as does a
# knob that is not there; where nothing else is said. The ends of the allowed ranges build.

# As compile.sh compiles what is in src/lib; without making code of it: that is sooner. A string is
# looked into only then.
compile() {
	make=-fsyntax-only
	case $1 in PMEM_LOG_FALLBACK_DIR* | PMEM_PROGRAMS*) make=-O2 ;; esac
	(cd "$PMEM_ROOT" && ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -I. -Isrc -Isrc/lib $make -c \
		-o /dev/null -x c "-D$1" "$2") >said 2>&1
}

# Not optimized: that is sooner.
build() {
	PREFIX=$PMEM_ROOT CC="$TEST_CCACHE${CC:-gcc}" CFLAGS="-O0 -g0 $1" "$PMEM_ROOT/compile.sh" library \
		>said 2>&1
}

bad=0
complain() {
	echo "$1"
	cat said
	bad=1
}

# stops NAME SETTING: a file with a sentence about it does; it is part of each build.
stops() {
	for file in $(cd "$PMEM_ROOT" && grep -rl "\"$1 must " src/lib); do
		! compile "$2" "$file" && grep -q "$1 must " said && return 0
	done
	return 1
}

while read -r setting; do
	name=${setting%%=*}
	stops "$name" "$setting" || complain "built, or said nothing of $name: $setting"
done <<'END'
PMEM_CHURN_THRESH=0
PMEM_LOG_COMMAND=2
PMEM_LOG_HOURS=-1
PMEM_LOG_HOURS=8785
PMEM_LOG_BEGIN_BYTES=0
PMEM_LOG_FIRST_BYTES=0
PMEM_LOG_FOLDER_BYTES=100
PMEM_SHOW_STACKS=-1
PMEM_EXIT_MIN_CHURN=-1
PMEM_LOOK_MS=-1
PMEM_SHOW=0
PMEM_SHOW_EMPTY=-1
PMEM_SHOW_THREADS=-1
PMEM_SHOW_THREADS=4097
PMEM_SOURCES=65535
PMEM_SOURCES=2097152
PMEM_SOURCES=1
PMEM_SAMPLE_BYTES=-1
PMEM_SAMPLE_BYTES=1073741825
PMEM_SAMPLE_SEED=-1
PMEM_FRAMES=1
PMEM_FRAMES=257
PMEM_LANGUAGE_FRAMES=-1
PMEM_LANGUAGE_FRAMES=65
PMEM_THREADS=1
PMEM_THREADS=5000
PMEM_MODULES=15
PMEM_MODULES=32768
PMEM_SYMBOLS=1000
PMEM_SYMBOLS_PER_SNAPSHOT=0
PMEM_SYMBOLS_PER_SNAPSHOT=65537
PMEM_CODE=1023
PMEM_CODE=16777217
PMEM_CODE_MAP_BYTES=65535
PMEM_CODE_MAP_BYTES=1073741825
PMEM_LOG_MAX_BYTES=1000
PMEM_LOG_MAX_BYTES=0
PMEM_LOG_KEEP=-1
PMEM_LOG_KEEP=100
PMEM_LOG_FILES=-1
PMEM_LOG_FILES=20001
PMEM_PROGRAMS="/usr/bin/nginx"
PMEM_LOG_FALLBACK_DIR="tmp"
PMEM_SNAPSHOT_SIGNAL=65
PMEM_SNAPSHOT_AT_EXIT=2
END
# alone SETTING WORDS: the build stops with one line, which says so.
alone() {
	! build "$1" && [ "$(wc -l <said)" -eq 1 ] && grep -q "^compile.sh: $2" said ||
		complain "built, or said more or less: $1"
}
for name in $(sed -n 's/^#define \(PMEM_[A-Z_]*\) .*/\1/p' "$PMEM_ROOT/config.h"); do
	case $name in
	PMEM_PROGRAMS | PMEM_LOG_FALLBACK_DIR) ;; # a string: it takes a whole build
	*) alone "-D$name=-1" "$name must " ;;
	esac
done
alone -DPMEM_FRAMES=0 "PMEM_FRAMES must "
alone "-Wall -DPMEM_CHURN_TRESH=5" "CFLAGS: PMEM_CHURN_TRESH is no knob"
alone "-D PMEM_CHURN -O2" "CFLAGS: PMEM_CHURN is no knob"
alone -DPMEM_UNWIND "CFLAGS: PMEM_UNWIND is no knob"

# The least of all, where blocks are sampled at all, and the most of all.
least="-DPMEM_SAMPLE_BYTES=1 -DPMEM_SOURCES=2 -DPMEM_FRAMES=2 -DPMEM_LANGUAGE_FRAMES=0 -DPMEM_THREADS=2 \
-DPMEM_SHOW_EMPTY=0 -DPMEM_SHOW_THREADS=0 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_KEEP=0 -DPMEM_LOG_FILES=0 \
-DPMEM_LOOK_MS=0"
most="-DPMEM_SOURCES=1048576 -DPMEM_FRAMES=256 -DPMEM_LANGUAGE_FRAMES=64 \
-DPMEM_SAMPLE_BYTES=1073741824 -DPMEM_LOG_HOURS=8784 -DPMEM_LOG_FILES=20000"
build "$least -DPMEM_LOG_FALLBACK_DIR=\"\"" || complain "the least do not build"
build "$most -DPMEM_PROGRAMS=\"nginx,redis-server\"" || complain "the most do not build"
exit $bad
