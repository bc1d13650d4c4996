# terminal: a program on a pseudo terminal of a given size, as the foreground job of a session of
# its own: what it shows, what is typed, and how it leaves the terminal.

import fcntl
import os
import pty
import re
import resource
import select
import signal
import struct
import sys
import termios
import time

SECONDS = 20  # for what must come

# Control sequences (ECMA-48, 5.4), or one character.
TOKEN = re.compile(r"\x1b\[([?0-9;]*)([@-~])|(\x1b.)|([^\x1b])", re.S)


# Both ends of a terminal, or the test is skipped.
def open_terminal():
    try:
        return pty.openpty()
    except OSError:
        print("skipped: needs /dev/pts")
        sys.exit(77)


# What a shell does: the session's leader, and the program its foreground job.
def run_shell(slave, argv, report, orders):
    def tell(text):
        os.write(report, (text + "\n").encode())

    def make_foreground(group):
        os.tcsetpgrp(slave, group)

    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        make_foreground(os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        for fd in range(3):
            os.dup2(slave, fd)
        os.closerange(3, 64)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execvp(argv[0], argv)
    tell(str(job))
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        make_foreground(os.getpgrp())
        if not os.WIFSTOPPED(status):
            break
        tell("stopped")
        os.read(orders, 1)
        make_foreground(job)
        os.kill(-job, signal.SIGCONT)
    tell("ended %d" % status)
    os.read(orders, 1)
    os._exit(0)


class Terminal:
    def __init__(self, argv, columns=100, rows=30, env=None):
        self.columns, self.rows = columns, rows
        self.clear()
        self.is_other = False  # xterm's other screen
        self.hides_cursor = False
        self.wraps = True
        self.raw = b""
        self.rest = ""
        self.normal = ""  # what was written to the normal screen
        self.said = ""
        self.master, self.slave = open_terminal()
        self.resize(columns, rows, None)
        self.before = termios.tcgetattr(self.slave)
        signal.alarm(100)  # nothing here takes so long
        self.status = None
        self.is_stopped = False
        reports, report = os.pipe()
        orders, self.order = os.pipe()
        self.shell = os.fork()
        if self.shell == 0:
            os.close(self.order)
            os.close(self.master)
            os.environ.update({"TERM": "xterm", **(env or {})})
            os.environ.pop("COLUMNS", None)
            os.environ.pop("LINES", None)
            run_shell(self.slave, argv, report, orders)
        os.close(report)
        os.close(orders)
        # Without a buffer: select() would not see a line that is in it.
        self.reports = os.fdopen(reports, "rb", 0)
        self.pid = int(self.reports.readline())

    def clear(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        self.x = self.y = 0

    def resize(self, columns, rows, signal_too=True):
        self.columns, self.rows = columns, rows
        self.clear()
        self.homes = 0
        self.is_settled = not signal_too
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if signal_too:
            os.kill(self.pid, signal.SIGWINCH)

    def put(self, text):
        if not self.is_other:
            self.normal += text
            return
        if text == "\r":
            self.x = 0
        elif text == "\n":
            if self.y + 1 == self.rows:
                self.complain("a line feed on the last row: the screen scrolls")
            self.y = min(self.y + 1, self.rows - 1)
        elif ord(text) < 32 or 0x7F <= ord(text) < 0xA0:
            self.complain("control character %r" % text)
        elif self.x >= self.columns:
            self.complain("%r beyond the last column" % text)
        else:
            self.cells[self.y][self.x] = text
            self.x += 1

    # Not of what may have been drawn for another size.
    def complain(self, what):
        if not self.is_settled:
            return
        self.said += what + "\n"

    def sequence(self, parameters, final):
        if final == "H":
            self.x = self.y = 0
            self.homes += 1
        elif final == "K":
            for x in range(self.x, self.columns):
                self.cells[self.y][x] = " "
        elif final == "J":
            if parameters == "2":
                self.clear()
            for y in range(self.y, self.rows):
                for x in range(self.x if y == self.y else 0, self.columns):
                    self.cells[y][x] = " "
        elif final in "hl":
            on = final == "h"
            if parameters == "?1049":
                self.is_other = on
            elif parameters == "?25":
                self.hides_cursor = not on
            elif parameters == "?7":
                self.wraps = on
            else:
                self.complain("mode %s%s" % (parameters, final))
        elif final != "m":
            self.complain("sequence %s%s" % (parameters, final))

    # Takes in what comes within so many seconds, until `until` says that it is enough. It is asked
    # when nothing more is there: a read may end in the middle of a drawing, between a row that is
    # wiped and what is written to it.
    def read(self, seconds, until=None):
        end = time.time() + seconds
        while time.time() < end:
            if not select.select([self.master], [], [], 0.02)[0]:
                if until and until():
                    return True
                continue
            try:
                more = os.read(self.master, 65536)
            except OSError:
                break
            if not more:
                break
            self.take(more)
        return not until or until()

    def take(self, more):
        self.raw += more
        # A character or sequence may be cut off by the read.
        try:
            text = self.raw.decode("utf-8")
            self.raw = b""
        except UnicodeDecodeError as error:
            if error.start < len(self.raw) - 4:
                self.complain("not UTF-8: %r" % self.raw[error.start:error.start + 8])
                self.raw = b""
                return
            text = self.raw[:error.start].decode("utf-8")
            self.raw = self.raw[error.start:]
        text = self.rest + text
        cut = re.search(r"\x1b(\[[?0-9;]*)?$", text)
        self.rest = text[cut.start():] if cut else ""
        for match in TOKEN.finditer(text[:cut.start()] if cut else text):
            if match.group(2):
                self.sequence(match.group(1), match.group(2))
            elif match.group(3):
                self.complain("sequence %r" % match.group(3))
            else:
                self.put(match.group(4))

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    def text(self):
        return "\n".join(self.lines())

    # The program has drawn for a new size; what was under way for the old one is through, and it
    # has drawn once more.
    def await_drawing(self):
        if not self.read(SECONDS, lambda: self.homes >= 1):
            self.fail("not drawn")
        while not self.has_ended() and select.select([self.master], [], [], 0.25)[0]:
            self.read(0.02)
        self.is_settled = True
        self.homes = 0
        self.type("\x0c")
        if not self.read(SECONDS, lambda: self.homes >= 1):
            self.fail("not drawn again")

    def type(self, keys):
        os.write(self.master, keys.encode())

    # Waits until the pattern is found on the screen.
    def await_text(self, pattern):
        if not self.read(SECONDS, lambda: re.search(pattern, self.text(), re.M)):
            self.fail("never showed %r" % pattern)

    def hear(self):
        while select.select([self.reports], [], [], 0)[0]:
            words = self.reports.readline().decode().split()
            if not words:
                self.fail("the shell is gone")
            self.is_stopped = words[0] == "stopped"
            if words[0] == "ended":
                self.status = int(words[1])

    def has_ended(self):
        if self.status is None:
            self.hear()
        return self.status is not None

    def await_end(self):
        if not self.read(SECONDS, self.has_ended):
            self.fail("did not end")
        self.read(0.1)
        return self.status

    def await_stop(self):
        def stopped():
            self.hear()
            return self.is_stopped

        if not self.read(SECONDS, stopped):
            self.fail("did not stop")
        self.read(0.1)

    # As `fg` does.
    def go_on(self):
        self.is_stopped = False
        os.write(self.order, b"g")

    def close(self):
        os.close(self.order)
        os.waitpid(self.shell, 0)

    # The terminal is as it was before.
    def check_left(self):
        now = termios.tcgetattr(self.slave)
        if now != self.before:
            self.fail("terminal settings differ: %r, before %r" % (now, self.before))
        if self.is_other or self.hides_cursor or not self.wraps:
            self.fail("the screen was not left: other %s, cursor hidden %s, wraps %s"
                      % (self.is_other, self.hides_cursor, self.wraps))

    def check(self):
        if self.said:
            self.fail(self.said)

    def fail(self, why):
        print(why)
        print("screen:\n" + self.text())
        print("normal screen:\n" + self.normal)
        print(self.said)
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
        sys.exit(1)
