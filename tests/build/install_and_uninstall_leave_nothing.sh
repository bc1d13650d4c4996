#!/bin/sh
# `./compile.sh install` puts what is built below DESTDIR and prefix, with the modes of such files. The
# link in bin finds its library. A second one does not touch what runs; uninstall takes all of it away.

set -eu
export LC_ALL=C
unset CFLAGS LDFLAGS
cp "$PMEM_SHIPPED"/libpmem*.so "$PMEM_SHIPPED/pmem" .
export PREFIX="$PMEM_ROOT" DESTDIR="$PWD/stage" prefix=/opt/tools
compile() {
	"$PMEM_ROOT/compile.sh" "$@" >said 2>&1
}
fail() {
	echo "$1"
	cat said
	exit 1
}

before=$(stat -c %Y,%s libpmem*.so pmem)
compile install || fail "install fails"
[ "$(stat -c %Y,%s libpmem*.so pmem)" = "$before" ] || fail "what is built was built again"
to=$DESTDIR$prefix
(cd "$to" && find . ! -type d -printf '%m %y %P %l\n' | sort -k 3) >files
sed 's/ *$//' files | diff - /dev/fd/3 3<<'END' >said || fail "other files or modes"
777 l bin/pmem ../lib/pmem/pmem
644 f include/pmem.h
644 f lib/pmem/libpmem-sampled.so
644 f lib/pmem/libpmem.so
755 f lib/pmem/pmem
644 f share/bash-completion/completions/pmem
644 f share/doc/pmem/LICENSE
644 f share/doc/pmem/NEWS
644 f share/doc/pmem/examples/README.md
644 f share/doc/pmem/examples/pmem-alerts.yml
644 f share/doc/pmem/examples/pmem-metrics.service
644 f share/doc/pmem/examples/pmem-metrics.timer
644 f share/doc/pmem/examples/pmem-sidecar.yaml
644 f share/fish/vendor_completions.d/pmem.fish
644 f share/man/man1/pmem.1
644 f share/zsh/site-functions/_pmem
END
[ "$(find "$to" -type d ! -perm 755)" = "" ] || fail "folders of other modes"
cmp "$to/lib/pmem/libpmem.so" libpmem.so
cmp "$to/share/man/man1/pmem.1" "$PMEM_ROOT/src/cli/pmem.1" >said || "$PMEM_SHIPPED/pmem" help --man |
	cmp - "$to/share/man/man1/pmem.1"

# By its link, from elsewhere.
mkdir logs
work='i=0; while [ $i -lt 40000 ]; do i=$((i + 1)); eval "v$i=$i"; done'
(cd logs && "$to/bin/pmem" run -- sh -c "$work") >said 2>&1 || fail "pmem run"
ls logs/pmem.*.log >/dev/null 2>said || fail "no log"
"$to/bin/pmem" report logs/pmem.*.log >said 2>&1 || fail "pmem report"

# What runs on the old files keeps them.
was=$(stat -c %i "$to/lib/pmem/libpmem.so")
exec 4<"$to/lib/pmem/libpmem.so"
compile install || fail "a second install fails"
[ "$(stat -c %i "$to/lib/pmem/libpmem.so")" != "$was" ] || fail "the library was written over"
cmp /dev/fd/4 libpmem.so || fail "the library that runs was changed"
exec 4<&-

touch "$to/bin/another"
compile uninstall || fail "uninstall fails"
left=$(cd "$to" && find . ! -type d -o -name '*pmem*' -o -name '*completion*')
[ "$left" = ./bin/another ] || fail "left: $left"

# What cannot work is refused before anything is done.
status=0
prefix="/opt/my tools" compile install || status=$?
[ $status -eq 2 ] && grep -q '^compile.sh: prefix: .* blank' said || fail "a blank"
status=0
PREFIX=/usr compile install || status=$?
[ $status -eq 2 ] && grep -q '^compile.sh: PREFIX: /usr is not' said || fail "PREFIX"
