# new_debian FOLDER [PACKAGE...]: a new Debian there, made by debootstrap, of this machine's release and
# from where this one has its packages; one that is there already is taken. Ends as skipped where
# nobody can make one. For `.`.

skip() {
	echo "skipped: needs $1"
	exit 77
}

new_debian() {
	[ "$(id -u)" -eq 0 ] || skip root
	command -v debootstrap >/dev/null || skip debootstrap
	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	mirror=$(apt-get indextargets --format '$(CODENAME) $(SITE)' | sed -n "s/^$release //p" | head -n 1)
	[ -n "$mirror" ] || skip "a Debian with a mirror"
	system=$1
	shift
	[ ! -e "$system/etc/os-release" ] || return 0
	debootstrap --variant=minbase ${1:+"--include=$(echo "$*" | tr ' ' ',')"} "$release" "$system" \
		"$mirror" >debootstrap.output 2>&1 || {
		tail -n 20 debootstrap.output
		exit 1
	}
}
