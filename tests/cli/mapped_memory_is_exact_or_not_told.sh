#!/bin/sh
# A snapshot shows only some sources of mapped memory, and snapshots may be lost. What report says of one
# at any moment is what it had, or it says nothing.

set -eu
command -v python3 >/dev/null || { echo 'skipped: needs python3'; exit 77; }
cat >simulate.py <<'END'
import random, re, subprocess, sys

HEAD = "".join(line + "\n" for line in (
    "# pmem 4 pid=77 ppid=1 start=2026-11-21T00:00:00.000Z exe=/usr/bin/server frames=64 sources=65536"
    " threads=64 show=100 show_empty=25 show_threads=16 hours=24 begin=8388608 rate=2446677"
    " memory_max=181583872 log_max=67108864 log_keep=1 host=box pidns=1 run=667828defef6549c",
    "# module 0x555555000000-0x555565000000 81f059285fa684fe /usr/bin/server",
    "# module 0x7f0020000000-0x7f0030000000 f4ff91dd296fa447 /usr/lib/libpmem.so", ""))
SOURCES, SNAPSHOTS = range(8), 24


class Source:
    def __init__(self):
        self.now = self.before = (0, 0, 0, 0)  # bytes and ranges, mapped and unmapped

    live = property(lambda self: self.now[0] - self.now[1])

    def move(self, dice):
        come, go, maps, unmaps = self.now
        if dice.random() < 0.6:
            self.now = (come + 4096 * dice.randint(1, 50), go, maps + 1, unmaps)
        elif maps > unmaps + 1 and dice.random() < 0.7:
            self.now = (come, go + self.live // 2, maps, unmaps + 1)
        else:
            self.now = (come, come, maps, maps)


def add_up(counts):
    return tuple(map(sum, zip((0, 0, 0, 0), *counts)))


def entry(name, now, before):
    more = [a - b for a, b in zip(now, before)]
    return "{%s} mapped:%d, map:%d/%d, unmap:%d/%d, mappings:%d, maps:%d/%d, unmaps:%d/%d" % (name,
        now[0] - now[1], more[0], now[0], more[1], now[1], now[2] - now[3], more[2], now[2], more[3], now[3])


def snapshot(number, sources, show, told):
    moved = [i for i in SOURCES if sources[i].now != sources[i].before]
    shown = sorted(moved, key=lambda i: -sources[i].live)[:show]
    total = add_up(source.now for source in sources)
    text = "[%3d]%s\nchurn=0/1048576\ntime=2026-11-21T00:%02d:00.000Z reason=churn live=0/0 alloc=0/0 " \
        "free=0/0 peak=0@2026-11-21T00:00:00.000Z sources=9/65536 shown=0 hidden=0 emptied=0/0" \
        " mapped=%d/%d map=%d/%d unmap=%d/%d\n" % (number, 57 * "=", number, total[0] - total[1],
        total[2] - total[3], total[0], total[2], total[1], total[3])
    for i in sorted(shown, key=lambda i: i in told):
        text += "\n" if i not in told or text.endswith("]\n") else ""
        text += entry("%016x" % (160 + i), sources[i].now, sources[i].before)
        text += " < f%d\n" % i if i in told else "\n  {0} /usr/lib/libpmem.so(mmap+0x0) [0x7f0020002000]\n" \
            "  {1} /usr/bin/server(f%d+0x10) [0x%x]\n" % (i, 0x555555002000 + 16 * i)
    hidden = [sources[i] for i in SOURCES if i not in shown]
    rest = add_up(source.now for source in hidden)
    if rest[2]:
        text += "\n" + entry("rest", rest, add_up(source.before for source in hidden)) + "\n"
    return text + "\n", shown


def simulate(seed, show):
    dice, sources, told, text, truth = random.Random(seed), [Source() for _ in SOURCES], set(), HEAD, {}
    for number in range(SNAPSHOTS):
        for i in SOURCES:
            if number == 0 or dice.random() < (0.9 if i < 3 else 0.3):
                sources[i].move(dice)
        written, shown = snapshot(number, sources, show, told)
        if number == 0 or dice.random() > 0.05:
            text += written
            told.update(shown)
            truth[number] = [source.live for source in sources]
        for source in sources:
            source.before = source.now
    with open("sim.log", "w") as log:
        log.write(text)
    checked = 0
    for number in truth:
        out = subprocess.run([sys.argv[1], "report", "--color", "never", "--bytes", "-n", "0", "--at",
            str(number), "sim.log"], capture_output=True, text=True)
        if out.returncode or out.stderr:
            sys.exit("seed %d, at %d: %s" % (seed, number, out.stderr))
        for live, i in re.findall(r"^ *([\d,]+) .* mmap < f(\d)\b", out.stdout, re.M):
            checked += 1
            if int(live.replace(",", "")) != truth[number][int(i)]:
                sys.exit("seed %d, at %d: f%s has %d\n%s" % (seed, number, i, truth[number][int(i)], out.stdout))
    return checked


checked = sum(simulate(seed, show) for seed in range(3) for show in (1, 3, 5))
print("figure: %d sources told" % checked)
sys.exit(0 if checked > 300 else "hardly any source is told")
END
python3 simulate.py "$PMEM_BUILD/pmem"
