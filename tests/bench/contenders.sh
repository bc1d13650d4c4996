# contenders: the profilers, how each is switched on, and whether it is here. Sourced by run.
#
#   none               no profiler, the program's own allocator
#   pmem               the library of BUILD
#   pmem-sampled       the same of these sources, built to record one byte in 512 KiB
#   heaptrack          its preload, with its interpreter at the other end of the pipe
#   jemalloc           jemalloc as the allocator, without its profiler
#   jemalloc-sampled   its profiler as it is by default, a sample each 512 KiB
#   jemalloc-exact     its profiler, every allocation (lg_prof_sample:0)
#   gperftools         tcmalloc with HEAPPROFILE
#   memusage           glibc's libmemusage: sizes, no stacks

all_contenders="none pmem pmem-sampled heaptrack jemalloc jemalloc-sampled jemalloc-exact gperftools
	memusage"
# They cost microseconds an allocation, and many: fewer pairs in part pairs, and one round in
# part programs.
slow_contenders="jemalloc-exact gperftools"

is_slow() {
	case " $slow_contenders " in *" $1 "*) return 0 ;; esac
	return 1
}

# preloads LIBRARY [MALLOC_CONF]: the loader finds it by its bare name, and jemalloc knows
# these options.
preloads() {
	! "$work/measure" /dev/null LD_PRELOAD="$1" MALLOC_CONF="${2:-}" true 2>&1 \
		| grep -q -i -e 'cannot be preloaded' -e 'invalid conf'
}

package_of() {
	case $1 in
	none | pmem*) echo "" ;;
	jemalloc*) echo libjemalloc2 ;;
	gperftools) echo libgoogle-perftools4 ;;
	memusage) echo libc-devtools ;;
	python3*) echo python3 ;;
	cc1) echo gcc ;;
	lua) echo lua5.4 ;;
	maps | lists) echo g++ ;;
	redis) echo redis-server ;;
	*) echo "$1" ;;
	esac
}

build_sampled() {
	mkdir -p "$work/sampled"
	(cd "$work/sampled" && PREFIX=$root CC=$CC CFLAGS="${CFLAGS:-} -DPMEM_SAMPLE_BYTES=524288" \
		"$root/compile.sh" library) >&2
}

# find_contenders: those that are here, in $contenders; the others in $missing_contenders.
find_contenders() {
	contenders=
	missing_contenders=
	# Beside the command, where the command itself looks.
	heaptrack_home=$(readlink -f "$(command -v heaptrack || echo /nowhere)")
	heaptrack_home=${heaptrack_home%/bin/*}/lib/heaptrack
	for name in ${among:-$all_contenders}; do
		case $name in
		none | pmem) true ;;
		pmem-sampled) build_sampled ;;
		heaptrack) [ -e "$heaptrack_home/libheaptrack_preload.so" ] ;;
		jemalloc) preloads libjemalloc.so.2 ;;
		jemalloc-*) preloads libjemalloc.so.2 prof:true,prof_active:false ;;
		gperftools) preloads libtcmalloc.so.4 ;;
		memusage) preloads libmemusage.so ;;
		*) false ;;
		esac && contenders="$contenders $name" \
			|| missing_contenders="$missing_contenders $name"
	done
}

version_of() {
	dpkg-query -W -f '${Version}' "$(package_of "$1")" 2>/dev/null || echo "version unknown"
}

# measure [NAME=VALUE]... PROGRAM...: in the current folder; prints what measure.c says. What
# the program says is in $work/output and $work/errors.
measure() {
	timeout 300 "$work/measure" "$work/output" "$@" 2>"$work/errors" \
		|| echo "300000000000 0 0 timeout"
}

# under_heaptrack: as the heaptrack command does it, but for the shell between. The CPU time
# of its interpreter and compressor is added to the program's.
under_heaptrack() {
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	press=gzip
	command -v zstd >/dev/null && press=zstd
	# shellcheck disable=SC2016
	"$work/measure" heaptrack.data sh -c '"$0" | "$1" -c' \
		"$heaptrack_home/libexec/heaptrack_interpret" $press \
		<"$work/pipe" >"$work/interpreter" 2>"$work/recorded" &
	# shellcheck disable=SC2046
	figures=$(measure $(environment_of heaptrack "$work") "$@")
	# Should the program not have opened it, its reader would wait for ever.
	: <>"$work/pipe"
	wait
	# It is a profile when there are allocations in it.
	grep -q 'allocations:.*[1-9]' "$work/recorded" || rm -f heaptrack.data
	echo "$figures $(cat "$work/interpreter")" | awk '{ printf "%s %.0f %s %s\n", $1, $2 + $6, $3, $4 }'
}

# environment_of CONTENDER FOLDER: the variables that switch it on, in words: the loader, too, knows
# no path with a blank. What it leaves goes to the folder, where the program runs.
environment_of() {
	case $1 in
	pmem) echo "LD_PRELOAD=$build/libpmem.so" ;;
	pmem-sampled) echo "LD_PRELOAD=$work/sampled/libpmem.so" ;;
	heaptrack) echo "LD_PRELOAD=$heaptrack_home/libheaptrack_preload.so" \
		"DUMP_HEAPTRACK_OUTPUT=$2/pipe" ;;
	jemalloc) echo LD_PRELOAD=libjemalloc.so.2 ;;
	jemalloc-sampled) echo LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=prof:true,prof_final:true ;;
	jemalloc-exact) echo LD_PRELOAD=libjemalloc.so.2 \
		MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0 ;;
	gperftools) echo "LD_PRELOAD=libtcmalloc.so.4 HEAPPROFILE=$2/profile" ;;
	memusage) echo "LD_PRELOAD=libmemusage.so MEMUSAGE_OUTPUT=$2/profile" ;;
	esac
}

# under CONTENDER [NAME=VALUE]... PROGRAM...: prints `wall_ns cpu_ns peak_kib status bytes`;
# bytes are those of the files that the contender left, in a folder of its own.
under() {
	contender=$1
	shift
	folder=$work/profiles/$contender
	rm -rf "$folder"
	mkdir -p "$folder"
	(
		cd "$folder" || exit
		# shellcheck disable=SC2046
		case $contender in
		heaptrack) under_heaptrack "$@" ;;
		massif | dhat) measure valgrind -q --tool="$contender" \
			"--$contender-out-file=$folder/profile" "$@" ;;
		*) measure $(environment_of "$contender" "$folder") "$@" ;;
		esac | tr '\n' ' '
		find . -type f -printf '%s\n' | awk '{ bytes += $1 } END { print bytes + 0 }'
	)
}
