# scriptlog: a log that grows as a test says, by ./scriptlog (scriptlog.sh), which is kept running.

import subprocess


class Script:
    def __init__(self, log):
        self.process = subprocess.Popen(["./scriptlog", log], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    # Each snapshot is in the log when this returns.
    def write(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            if line.startswith("snapshot"):
                self.process.stdout.readline()

    # No more is written. Not waited for: a terminal's shell (terminal.py) may still hold the pipe.
    def close(self):
        self.process.stdin.close()
