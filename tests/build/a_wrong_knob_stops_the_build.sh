#!/bin/sh
# A value in config.h that cannot work stops the build with a sentence that names the knob;
# the ends of the allowed ranges build.

build() {
	PREFIX=$PMEM_ROOT CC="${TEST_CCACHE:-}${CC:-gcc}" CFLAGS="-D$*" "$PMEM_ROOT/compile.sh" library \
		>said 2>&1
}

bad=0
while read -r setting; do
	name=${setting%%=*}
	# What is found before code is made is found sooner; a string is looked into only then.
	early=-fsyntax-only
	case $name in PMEM_LOG_FALLBACK_DIR | PMEM_PROGRAMS) early= ;; esac
	if build "$setting" $early || ! grep -q "$name must .* from\|$name must .*" said; then
		echo "built, or said nothing of $name: $setting"
		bad=1
	fi
done <<'END'
PMEM_CHURN_THRESH=0
PMEM_LOG_HOURS=-1
PMEM_LOG_HOURS=8785
PMEM_LOG_BEGIN_BYTES=0
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
PMEM_THREADS=1
PMEM_THREADS=5000
PMEM_MODULES=15
PMEM_MODULES=32768
PMEM_SYMBOLS=1000
PMEM_SYMBOLS_PER_SNAPSHOT=0
PMEM_SYMBOLS_PER_SNAPSHOT=65537
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

while read -r setting; do
	build "$setting" || { echo "does not build: $setting"; cat said; bad=1; }
done <<'END'
PMEM_SOURCES=2
PMEM_SOURCES=1048576
PMEM_SAMPLE_BYTES=1
PMEM_SAMPLE_BYTES=1073741824
PMEM_FRAMES=2
PMEM_FRAMES=256
PMEM_THREADS=2
PMEM_SHOW_EMPTY=0
PMEM_SHOW_THREADS=0
PMEM_LOG_HOURS=0
PMEM_LOG_HOURS=8784
PMEM_LOG_KEEP=0
PMEM_LOG_FILES=0
PMEM_LOG_FILES=20000
PMEM_PROGRAMS="nginx,redis-server"
PMEM_LOG_FALLBACK_DIR=""
PMEM_LOOK_MS=0
END
exit $bad
