#!/bin/sh
# The files of src/examples work: the unit's command writes metrics that node_exporter serves, and by
# prometheus the alert fires for each planted leak and for no twin. The sidecar's command serves them, too.

set -eu
LC_ALL=C.UTF-8
export LC_ALL
examples=$PMEM_ROOT/src/examples
wrong() {
	echo "$1"
	exit 1
}
need() {
	command -v "$1" >/dev/null || { echo "skipped: needs $2"; exit 77; }
}
need prometheus prometheus
need promtool prometheus
need prometheus-node-exporter prometheus-node-exporter
need yamllint yamllint
need busybox busybox
need zstd zstd
python=/usr/bin/python3
$python -c 'import prometheus_client, yaml' 2>/dev/null || { echo "skipped: needs python3-prometheus-client"; exit 77; }
PATH=$PMEM_BUILD:$PATH

# Logs of a service that leaks and of its twin, as if their last snapshots were just written.
mkdir logs metrics units
for each in cc_session.leak cc_session.twin cc_route.leak cc_route.twin bash_note.leak bash_note.twin; do
	for log in "$PMEM_ROOT/tests/corpus/logs/$each"/*.log.zst; do
		mkdir "logs/$each"
		zstd -qdc "$log" >"logs/$each/$(basename "$log" .zst)"
	done
done
cat >now.py <<'END2'
import re, sys, time
from datetime import datetime, timedelta, timezone
form = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
def moment(text):
    return datetime.fromisoformat(text.decode().replace("Z", "+00:00"))
for path in sys.argv[1:]:
    text = open(path, "rb").read()
    off = datetime.now(timezone.utc) - max(moment(at) for at in form.findall(text))
    def moved(at):
        return (moment(at[0]) + off).isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()
    open(path, "wb").write(form.sub(moved, text))
    print(re.search(rb" run=([0-9a-f]{16})", text)[1].decode())
END2
$python now.py logs/*.leak/*.log >leaks
$python now.py logs/*.twin/*.log >twins
[ "$(wc -l <leaks)" -eq 3 ] && [ "$(wc -l <twins)" -eq 3 ] || wrong "no logs"

# The unit's own command. Its folder has what the service's folder would have.
mkdir all
for log in logs/*/*.log; do
	folder=${log%/*}
	mv "$log" "all/pmem.$(echo "${folder##*/}" | cksum | cut -c 1-6).log"
done
command=$(sed -n 's/^ExecStart=//p' "$examples/pmem-metrics.service")
[ -n "$command" ] || wrong "the unit has no command"
LOGS=$PWD/all METRICS=$PWD/metrics/pmem.prom sh -c "$command" 2>err || wrong "$command: $(cat err)"
promtool check metrics <metrics/pmem.prom >said 2>&1 && [ ! -s said ] || wrong "promtool check metrics: $(cat said)"
$python - <<'END2' || wrong "not valid by both formats"
from prometheus_client import openmetrics, parser
from prometheus_client.openmetrics import parser as strict
text = open("metrics/pmem.prom").read()
def samples(of):
    return sorted((sample.name, sorted(sample.labels.items()), sample.value)
        for family in of(text) for sample in family.samples)
assert samples(strict.text_string_to_metric_families) == samples(parser.text_string_to_metric_families)
assert len(samples(parser.text_string_to_metric_families)) > 80
END2
if command -v systemd-analyze >/dev/null; then
	cp "$examples"/pmem-metrics.* units
	sed -i "s|^ExecStart=|&$PMEM_BUILD/|" units/pmem-metrics.service
	systemd-analyze verify --man=no ./units/pmem-metrics.timer ./units/pmem-metrics.service >said 2>&1 &&
		[ ! -s said ] || wrong "systemd-analyze: $(cat said)"
else
	echo "figure: without systemd-analyze"
fi

# The rules, without and with a clock of their own.
promtool check rules "$examples/pmem-alerts.yml" >said 2>&1 || wrong "$(cat said)"
cat >rules.yml <<END2
rule_files: [$examples/pmem-alerts.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'pmem_process_leak_rate_bytes_per_second{pid="1"}', values: '1000x200'}
      - {series: 'pmem_process_leak_rate_bytes_per_second{pid="2"}', values: '0x200'}
      - {series: 'pmem_process_leak_rate_bytes_per_second{pid="3"}', values: '1000x200'}
      - {series: 'pmem_process_running{pid="1"}', values: '1x200'}
      - {series: 'pmem_process_running{pid="3"}', values: '0x200'}
      - {series: 'pmem_process_last_snapshot_timestamp_seconds{pid="1"}', values: '0+60x20 1200x180'}
      - {series: 'pmem_process_last_snapshot_timestamp_seconds{pid="2"}', values: '0+60x200'}
      - {series: 'pmem_process_last_snapshot_timestamp_seconds{pid="3"}', values: '0+60x200'}
      - {series: 'pmem_process_outside_rate_bytes_per_second{pid="2"}', values: '1000x200'}
      - {series: 'pmem_process_until_limit_seconds{pid="2"}', values: '86400-600x200'}
      - {series: 'node_textfile_mtime_seconds{file="/var/lib/pmem.prom"}', values: '0+60x20 1200x180'}
      - {series: 'node_textfile_mtime_seconds{file="/var/lib/other.prom"}', values: '0x200'}
      - {series: 'pmem_logs_whole', values: '1x100 0x100'}
    alert_rule_test:
      - {alertname: MemoryLeak, eval_time: 5m, exp_alerts: [{exp_labels: {severity: warning, pid: "1"}}]}
      - {alertname: MemoryLeak, eval_time: 90m}
      - {alertname: MemoryGrowsOutsideMalloc, eval_time: 5m, exp_alerts: [{exp_labels: {severity: warning, pid: "2"}}]}
      - {alertname: MemoryLimitNear, eval_time: 5m}
      - {alertname: MemoryLimitNear, eval_time: 120m, exp_alerts: [{exp_labels: {severity: critical, pid: "2"}}]}
      - {alertname: PmemMetricsOld, eval_time: 20m}
      - {alertname: PmemMetricsOld, eval_time: 60m, exp_alerts: [{exp_labels: {severity: warning, file: /var/lib/pmem.prom}}]}
      - {alertname: PmemLogUnread, eval_time: 100m}
      - {alertname: PmemLogUnread, eval_time: 130m, exp_alerts: [{exp_labels: {severity: warning}}]}
END2
# Annotations differ by design: what they say is looked at below.
sed '/annotations:/,/^      - alert/{/^      - alert/!d}' "$examples/pmem-alerts.yml" >bare.yml
sed -i "s|^rule_files: .*|rule_files: [$PWD/bare.yml]|" rules.yml
promtool test rules rules.yml >said 2>&1 || wrong "promtool test rules: $(cat said)"

# The pod: each volume is there, and the sidecar's command serves the metrics.
yamllint -d '{extends: default, rules: {line-length: {max: 110}, document-start: disable}}' \
	"$examples"/*.yml "$examples"/*.yaml >said 2>&1 || wrong "yamllint: $(cat said)"

cat >watch.py <<'END2'
import atexit, json, os, socket, subprocess, sys, time, urllib.parse, urllib.request
import yaml

examples, folder = sys.argv[1], os.getcwd()
leaks, twins = (open(name).read().split() for name in ("leaks", "twins"))
began = []

def fail(what):
    for name in ("exporter", "prometheus", "sidecar"):
        if os.path.exists(name):
            print(open(name).read()[-2000:])
    sys.exit(what)

@atexit.register
def end():
    for process in began:
        if process.poll() is None:
            os.killpg(process.pid, 9)
            process.wait()

def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]

def get(url):
    return urllib.request.urlopen(url, timeout=10).read().decode()

# Asks until there is an answer. Returns None if the server ends, as it does if its port was taken.
def until(what, ask, process, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            answer = ask()
        except OSError:
            answer = None
        if answer:
            return answer
        time.sleep(0.05)
    return None if process.poll() is not None else fail("never: " + what)

# Starts a server on a free port. Returns its address.
def serve(name, command, path):
    for _ in range(5):
        address = "127.0.0.1:%d" % port()
        process = subprocess.Popen(command(address), stdout=open(name, "w"), stderr=subprocess.STDOUT,
            start_new_session=True)
        began.append(process)
        if until(name, lambda: get("http://%s%s" % (address, path)), process):
            return address
    fail("no port for " + name)

pod = yaml.safe_load(open(examples + "/pmem-sidecar.yaml"))["spec"]
volumes = {volume["name"] for volume in pod["volumes"]}
containers = {container["name"]: container for container in pod["containers"]}
mounts = [mount["name"] for container in pod["initContainers"] + pod["containers"]
    for mount in container["volumeMounts"]]
if volumes != set(mounts) or not pod["shareProcessNamespace"]:
    fail("volumes of the pod")
os.mkdir("served")
def sidecar(address):
    words = containers["pmem"]["command"]
    script = words[2].replace("/metrics", folder + "/served", 1).replace("/metrics/", folder + "/served/")
    script = script.replace(" /logs", " %s/all" % folder).replace("-p 9780", "-f -p %s" % address)
    return words[:2] + [script.replace("served;", "served & ")]
address = serve("sidecar", sidecar, "/pmem.prom")
if get("http://%s/pmem.prom" % address) != open("metrics/pmem.prom").read():
    fail("the sidecar's metrics are others")

exporter = serve("exporter", lambda address: ["prometheus-node-exporter", "--web.listen-address=" + address,
    "--collector.disable-defaults", "--collector.textfile",
    "--collector.textfile.directory=%s/metrics" % folder], "/metrics")
if "node_textfile_scrape_error 0" not in get("http://%s/metrics" % exporter):
    fail("node_exporter does not read the metrics")
with open("prometheus.yml", "w") as config:
    json.dump({"global": {"scrape_interval": "250ms", "evaluation_interval": "250ms"},
        "rule_files": [examples + "/pmem-alerts.yml"],
        "scrape_configs": [{"job_name": "node", "static_configs": [{"targets": [exporter]}]}]}, config)
prometheus = serve("prometheus", lambda address: ["prometheus", "--config.file=prometheus.yml",
    "--web.listen-address=" + address, "--storage.tsdb.path=%s/db" % folder], "/-/ready")

def api(path):
    return json.loads(get("http://%s/api/v1/%s" % (prometheus, path)))["data"]

def firing():
    alerts = [alert for alert in api("alerts")["alerts"] if alert["state"] == "firing"]
    leaking = [alert for alert in alerts if alert["labels"]["alertname"] == "MemoryLeak"]
    return (leaking, alerts) if len(leaking) >= len(leaks) else None

# All are of one scrape: a twin's alert would be there with the others'.
alerts, others = until("an alert for each leak", firing, began[-1])
verdicts = api("query?query=" + urllib.parse.quote("pmem_process_verdict == 1"))["result"]
runs = {one["metric"]["run"]: one["metric"]["verdict"] for one in verdicts}
if runs != dict.fromkeys(leaks, "leaks") | dict.fromkeys(twins, "no leak"):
    fail("verdicts: %s" % runs)
fired = [(alert["labels"]["alertname"], alert["labels"]["run"]) for alert in others]
if sorted(alert["labels"]["run"] for alert in alerts) != sorted(leaks) or {run for _, run in fired} - set(leaks):
    fail("fired: %s" % fired)
for alert in alerts:
    if " an hour" not in alert["annotations"]["summary"] or " < " not in alert["annotations"]["description"]:
        fail("words of the alert")
END2
$python watch.py "$examples"
