#!/bin/sh
# pmem: -DPMEM_EXIT_MIN_CHURN=0 -DPMEM_CHILD_MS=0
# Chromium as a user starts it, without a window: its processes are in sandboxes of their own
# (namespaces, seccomp), and malloc is the browser's own.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs chromium chromium

# Lines begin with process, time and place; how often they come is not told beforehand.
tidy() {
	case $1 in
	err) sed 's/^\[[^]]*\] *//' | sort -u ;;
	*) cat ;;
	esac
}

work() {
	chmod 711 . "$side"
	chown nobody "$side"
	cat >"$side/page.html" <<'END'
<html><body><script>
let list = [];
for (let i = 0; i < 50000; i++) list.push({ number: i, text: "item " + i });
for (let i = 0; i < 1000; i++) {
	let part = document.createElement("div");
	part.textContent = list[i].text;
	document.body.append(part);
}
document.title = "sum " + list.reduce((sum, each) => sum + each.number, 0);
</script></body></html>
END
	chmod 644 "$side/page.html"
	start_as nobody env HOME="$here/$side" chromium --headless --disable-gpu \
		--user-data-dir="$here/$side/profile" --dump-dom "file://$here/$side/page.html"
	mark end
	ended
	grep -c '<div>item' "$side.out"
	grep -o '<title>.*</title>' "$side.out"
}

judge "a page of its own making, as nobody, in its sandboxes"
