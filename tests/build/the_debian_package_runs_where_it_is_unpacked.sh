#!/bin/sh
# long
# `./compile.sh package` makes a Debian package: root's files alone, with what it needs, sums that are
# right, and a reader that finds its library wherever it is unpacked.

set -eu
command -v dpkg-deb >/dev/null || { echo "skipped: needs dpkg"; exit 77; }
unset CFLAGS LDFLAGS
cp "$PMEM_SHIPPED"/libpmem*.so "$PMEM_SHIPPED/pmem" .
fail() {
	echo "$1"
	exit 1
}

PREFIX=$PMEM_ROOT "$PMEM_ROOT/compile.sh" package >said 2>warnings || { cat warnings; exit 1; }
[ ! -s warnings ] || { cat warnings; exit 1; }
package=$(cat said)
version=$(sed -n 's/^#define PMEM_VERSION "\(.*\)"$/\1/p' "$PMEM_ROOT/src/version.h")
[ "$(dpkg-deb -f "$package" Package Version)" = "Package: pmem
Version: $version" ] || fail "another package: $(dpkg-deb -f "$package")"
case $package in *"/pmem_${version}_$(dpkg --print-architecture).deb") ;; *) fail "its name: $package" ;; esac
dpkg-deb -f "$package" Depends | grep -qE '^libc6( \(>= 2\.[0-9]+\))?$' || fail "what it needs"
dpkg-deb -c "$package" | awk '$2 != "root/root" { print; bad = 1 } END { exit bad }' || fail "others' files"
[ -z "$(dpkg-deb -c "$package" | awk '$1 !~ /^([d-]rw.r-.r-.|lrwxrwxrwx)$/')" ] || fail "modes"

dpkg-deb -x "$package" there
dpkg-deb -e "$package" control
(cd there && md5sum -c --quiet ../control/md5sums) || fail "sums"
[ "$(find there -type f | wc -l)" -eq "$(wc -l <control/md5sums)" ] || fail "files without sums"
[ "$(readlink there/usr/bin/pmem)" = ../lib/pmem/pmem ] || fail "no link"
gzip -dc there/usr/share/man/man1/pmem.1.gz | head -n 1 | grep -q '^\.TH PMEM 1' || fail "no manual"
grep -q 'BSD 2-Clause' there/usr/share/doc/pmem/copyright || fail "no licence"
for library in libpmem.so libpmem-sampled.so; do
	[ -f there/usr/lib/pmem/$library ] || fail "no $library"
done
there/usr/bin/pmem run -- true >ran 2>&1 || { cat ran; exit 1; }
there/usr/bin/pmem run --sampled -- true >ran 2>&1 || { cat ran; exit 1; }
there/usr/bin/pmem --version | grep -q "^pmem $version," || fail "another version"
echo "figure: $(stat -c %s "$package") bytes"
