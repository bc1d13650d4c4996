#!/bin/sh
# The recipe of EXAMPLES.md, as it stands there, sends a profile as Pyroscope's and Parca's interfaces are declared
# (push/v1/push.proto, profilestore/v1alpha1/profilestore.proto): to the right path, with labels of the right form,
# and what arrives is the profile.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need curl curl
need python3 python3

cat >server.py <<'E'
import base64, http.server, json, os

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Content-Type"] == "application/json"
        assert list(body) == ["series"] and len(body["series"]) == 1
        series = body["series"][0]
        assert sorted(series) == ["labels", "samples"]
        assert len(series["samples"]) == 1 and list(series["samples"][0]) == ["rawProfile"]
        labels = series["labels"]
        name = {"/push.v1.PusherService/Push": "pyroscope", "/profiles/writeraw": "parca"}[self.path]
        if name == "parca":
            assert list(labels) == ["labels"]
            labels = labels["labels"]
        assert all(sorted(label) == ["name", "value"] for label in labels)
        assert {"name": "__name__", "value": "memory"} in labels
        with open(name, "wb") as file:
            file.write(base64.b64decode(series["samples"][0]["rawProfile"], validate=True))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open("port.new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename("port.new", "port")
server.serve_forever()
E
python3 server.py 2>server.err &
server=$!
trap 'kill $server' EXIT
until [ -s port ]; do
	kill -0 $server || fail "no server: $(cat server.err)"
	sleep 0.1
done
cp "$log" pmem.4242.log
sed -n '/^    push() {/,/"job"/s/^    //p' "$PMEM_ROOT/src/cli/EXAMPLES.md" |
	sed "s/localhost:[0-9]*/127.0.0.1:$(cat port)/" >recipe
same 'requests in the recipe' 2 "$(grep -c 127.0.0.1 recipe)"
PATH=$PMEM_BUILD:$PATH sh -eu recipe || fail "the recipe: status $?, $(cat server.err)"
"$pmem" export --to pprof pmem.4242.log >want.pb
cmp want.pb pyroscope
cmp want.pb parca
