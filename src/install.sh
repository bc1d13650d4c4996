#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# src/install.sh install|uninstall|package BUILD: what is built there goes to where programs are looked
# for, or away from it again, or into a Debian package in BUILD. ./compile.sh calls it.
#
# From the environment: prefix, /usr/local by default, and DESTDIR, a folder that stands for the root
# until the files are moved there. Libraries and reader lie in lib/pmem, as they must lie together.

set -eu
umask 022
word=$1
build=$2
root=$(cd "$(dirname "$0")/.." && pwd)
prefix=${prefix:-/usr/local}
# LD_PRELOAD cannot hold such a path.
case $prefix in
*[\ :]*) echo "compile.sh: prefix: $prefix has a blank or a colon" >&2; exit 2 ;;
/*) ;;
*) echo "compile.sh: prefix: $prefix does not begin with /" >&2; exit 2 ;;
esac
to=${DESTDIR:-}${prefix%/}
bash=share/bash-completion/completions
zsh=share/zsh/site-functions
fish=share/fish/vendor_completions.d

# put MODE FILE: standard input. It is renamed at the end: a process that runs on the old file keeps it.
put() {
	mkdir -p "$(dirname "$to/$2")"
	cat >"$to/$2.new"
	chmod "$1" "$to/$2.new"
	mv -f "$to/$2.new" "$to/$2"
}

install_all() {
	put 644 lib/pmem/libpmem.so <"$build/libpmem.so"
	put 644 lib/pmem/libpmem-sampled.so <"$build/libpmem-sampled.so"
	put 755 lib/pmem/pmem <"$build/pmem"
	put 644 include/pmem.h <"$root/src/pmem.h"
	put 644 share/doc/pmem/LICENSE <"$root/src/LICENSE"
	put 644 share/doc/pmem/NEWS <"$root/src/NEWS"
	for example in "$root"/src/examples/*; do
		put 644 "share/doc/pmem/examples/${example##*/}" <"$example"
	done
	# As the reader that was built has them.
	for shell in "bash $bash/pmem" "zsh $zsh/_pmem" "fish $fish/pmem.fish"; do
		"$build/pmem" completion "${shell%% *}" >"$build/install.new"
		put 644 "${shell#* }" <"$build/install.new"
	done
	"$build/pmem" help --man >"$build/install.new"
	put 644 share/man/man1/pmem.1 <"$build/install.new"
	rm "$build/install.new"
	mkdir -p "$to/bin"
	ln -sfn ../lib/pmem/pmem "$to/bin/pmem"
}

# Folders that others share stay, but for those of completions where nothing is left in them.
uninstall_all() {
	(cd "$to" && rm -f bin/pmem lib/pmem/libpmem.so lib/pmem/libpmem-sampled.so lib/pmem/pmem include/pmem.h \
		share/man/man1/pmem.1 share/doc/pmem/LICENSE share/doc/pmem/NEWS $bash/pmem $zsh/_pmem $fish/pmem.fish)
	for example in "$root"/src/examples/*; do
		rm -f "$to/share/doc/pmem/examples/${example##*/}"
	done
	for folder in lib/pmem share/doc/pmem/examples share/doc/pmem $bash ${bash%/*} $zsh ${zsh%/*} $fish ${fish%/*}; do
		rmdir "$to/$folder" 2>/dev/null || true
	done
}

# The newest version of the C library that one of the files wants; none where nobody can tell.
libc_wanted() {
	readelf -VW "$build"/libpmem*.so "$build/pmem" 2>/dev/null |
		sed -n 's/.*Name: GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1
}

package() {
	command -v dpkg-deb >/dev/null || { echo "compile.sh: package: needs dpkg-deb" >&2; exit 2; }
	version=$(sed -n 's/^#define PMEM_VERSION "\(.*\)"$/\1/p' "$root/src/version.h")
	architecture=$(dpkg --print-architecture)
	package=pmem_${version}_$architecture.deb
	tree=$(mktemp -d "${TMPDIR:-/tmp}/pmem-package.XXXXXX")
	trap 'rm -rf "$tree"' EXIT
	trap 'exit 130' INT TERM
	chmod 755 "$tree"
	to=$tree/usr
	# Where Debian has them.
	zsh=share/zsh/vendor-completions
	install_all
	mv "$to/share/doc/pmem/LICENSE" "$to/share/doc/pmem/copyright"
	gzip -9n "$to/share/man/man1/pmem.1"
	wanted=$(libc_wanted)
	bytes=$(find "$tree" -type f -exec cat {} + | wc -c)
	sums=$(cd "$tree" && find usr -type f -exec md5sum {} +)
	mkdir "$tree/DEBIAN"
	echo "$sums" >"$tree/DEBIAN/md5sums"
	cat >"$tree/DEBIAN/control" <<END
Package: pmem
Version: $version
Architecture: $architecture
Maintainer: ${DEBFULLNAME:-the pmem authors} <${DEBEMAIL:-pmem@localhost}>
Installed-Size: $(((bytes + 1023) / 1024))
Depends: libc6${wanted:+ (>= $wanted)}
Suggests: llvm | binutils | elfutils, libstdc++6
Section: devel
Priority: optional
Description: finds memory leaks of running servers
 A library to be preloaded counts every block that an unchanged program allocates, by call stacks,
 and keeps a log of bounded size. A reader tells from the log which functions leak, since when, and
 how fast.
END
	dpkg-deb --build --root-owner-group "$tree" "$build/$package" >/dev/null
	echo "$build/$package"
}

case $word in
install) install_all ;;
uninstall) uninstall_all ;;
package) package ;;
esac
