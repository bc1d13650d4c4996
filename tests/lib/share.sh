# share: what is compiled once for all builds of the same sources, by tests/lib/shared_cc. compile.sh sources
# this before it builds for tests, and so do tests/test and scripts of their own builds. Reads root and CC.

# share BUILD: sets TEST_SHARED, a folder for these sources and this compiler below BUILD/shared, or below that
# of the command that began it; and TEST_CCACHE, which stands before a compiler. Each folder there is named by
# a digest of the sources, the compiler's version and the C library's headers. Those of other sources go.
share() {
	export TEST_CCACHE="$root/tests/lib/shared_cc "
	digest=$(cd "$root" && { find config.h src tests/lib/shared_cc tests/lib/knobs.awk tests/lib/policy.h -type f |
		LC_ALL=C sort | xargs cat; $CC --version; grep -rh '^#include <' src | sort -u |
		$CC -E -P -x c - 2>/dev/null; } | cksum | tr ' ' -)
	[ -n "${TEST_SHARED_IN:-}" ] || {
		export TEST_SHARED_IN="$1/shared"
		find "$TEST_SHARED_IN" -mindepth 1 -maxdepth 1 ! -name "$digest" ! -name ccache \
			-exec rm -rf {} + 2>/dev/null || :
	}
	export TEST_SHARED="$TEST_SHARED_IN/$digest"
	# Where ccache is installed, for sources that change, too.
	! command -v ccache >/dev/null || {
		TEST_CCACHE="${TEST_CCACHE}ccache "
		export CCACHE_DIR="${CCACHE_DIR:-$TEST_SHARED_IN/ccache}"
	}
	[ ! -e "$TEST_SHARED/is_ready" ] || return 0
	(
		cd "$root" && find src -type d | sed "s,^,$TEST_SHARED/," | xargs mkdir -p
		find src -name '*.c' | awk -v shared="$TEST_SHARED/" -f tests/lib/knobs.awk && : >"$TEST_SHARED/is_ready"
	)
}
