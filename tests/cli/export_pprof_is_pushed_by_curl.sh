#!/bin/sh
# The recipe of EXAMPLES.md, as it stands there, sends a profile as Pyroscope's and Parca's interfaces are declared
# (push/v1/push.proto, profilestore/v1alpha1/profilestore.proto): to the right path, with labels of the right form,
# and what arrives is the profile. Neither server is in a package here, so each field is held against what they
# refuse: Parca numbers that are not 1, 2, 3, indexes past a table, samples of another length than the types;
# Pyroscope a number 0, a type with "-", labels without a service, and what is older than an hour.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need curl curl
need python3 python3

cat >server.py <<'E'
import base64, gzip, http.server, json, os

def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at

# Returns the values of each field: numbers, or the bytes of a message, a text or packed numbers.
def fields(data):
    found, at = {}, 0
    while at < len(data):
        key, at = number(data, at)
        assert key & 7 in (0, 2)
        value, at = number(data, at)
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at:at + value], at + value
        found.setdefault(key >> 3, []).append(value)
    return found

def numbers(values):
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value):
            each, at = number(value, at)
            found.append(each)
    return found

# profile.proto: 1 sample_type, 2 sample, 3 mapping, 4 location, 5 function, 6 string_table, 9 time_nanos,
# 10 duration_nanos, 11 period_type, 12 period
def check(packed):
    profile = fields(gzip.decompress(packed))
    texts = [text.decode() for text in profile[6]]
    assert texts[0] == ""
    def one(message, field):
        values = message.get(field, [0])
        assert len(values) == 1
        return values[0]
    def text(message, field):
        return texts[one(message, field)]
    types = [fields(each) for each in profile[1]]
    assert all("-" not in text(each, 1) and text(each, 2) in ("bytes", "count") for each in types)
    assert text(fields(one(profile, 11)), 1) == "space" and one(profile, 12) > 0 and one(profile, 9) > 0
    tables = {}
    for table, named in ((3, (5, 6)), (5, (2, 3, 4)), (4, ())):
        tables[table] = [fields(each) for each in profile[table]]
        assert [one(each, 1) for each in tables[table]] == list(range(1, len(tables[table]) + 1))
        assert all(isinstance(text(each, field), str) for each in tables[table] for field in named)
    for location in tables[4]:
        assert one(location, 2) <= len(tables[3])
        for line in location[4]:
            assert 0 < one(fields(line), 1) <= len(tables[5])
    for sample in map(fields, profile[2]):
        assert len(numbers(sample[2])) == len(types)
        assert all(0 < each <= len(tables[4]) for each in numbers(sample[1]))
        assert all(text(fields(label), 1) for label in sample.get(3, []))
    return len(profile[2])

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
        assert name == "parca" or any(label["name"] == "service_name" and label["value"] for label in labels)
        profile = base64.b64decode(series["samples"][0]["rawProfile"], validate=True)
        assert check(profile) > 0
        with open(name, "wb") as file:
            file.write(profile)
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
