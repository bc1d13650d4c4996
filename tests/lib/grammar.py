# grammar PAGE HEADING LOG...: whether logs are what a page's grammar says, to the letter. Of the
# page, the indented lines of sections up to the one with this heading, and in it, are taken
# where they define something; what is defined twice is as it was defined last. Exit status 1
# when a log is not of it.

import re
import sys

PLAIN = r"(?:[ -\[\]-~]|\\x[0-9a-f]{2})"
N = r"(?:0|[1-9][0-9]*)"
# What the page says of these in words.
WORDS = {
    "LF": r"\n",
    "N": N,
    "NUMBER": r"(?:  [0-9]| [0-9]{2}|[1-9][0-9]{2,})",
    "HEX": r"(?:0|[1-9a-f][0-9a-f]*)",
    "HEX16": r"[0-9a-f]{16}",
    "HEXPAIRS": r"(?:[0-9a-f]{2})+",
    "TIME": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z",
    "CLOCK": r"[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z",
    "WORD": r"(?:[!-\[\]-~]|\\x[0-9a-f]{2})+",
    "TEXT": PLAIN + "+",
    "PATH": PLAIN + "+",
    "SYMBOL": PLAIN + "+",
    "NAME": r"[a-z_]+",
    "LANGUAGE": r"[a-z]+",
}


def definitions(page, heading):
    found = {}
    name = None
    here = False
    for line in open(page):
        if line.startswith("#"):
            if here:
                break
            here = line.strip() == heading
        begins = re.match(r"    (\w+) +=(?: |$)(.*)", line)
        if begins:
            name = begins[1]
            found[name] = begins[2]
        elif name and re.match(r"     +\S", line):
            found[name] += " " + line.strip()
        else:
            name = None
    if not here:
        sys.exit("grammar: no section " + heading)
    return found


class Grammar:
    def __init__(self, found):
        self.found = found
        self.done = {}

    # The definition as a regular expression.
    def of(self, name):
        if name not in self.done:
            if name not in self.found:
                self.done[name] = WORDS[name]
            else:
                self.tokens = re.findall(r'"[^"]*"|\w+|[|{}()\[\]*]', self.found[name])
                tokens, self.tokens = self.tokens, None
                self.done[name] = self.choice(tokens)
                assert not tokens, name
        return self.done[name]

    def choice(self, tokens):
        parts = [""]
        while tokens and tokens[0] not in "})]":
            token = tokens.pop(0)
            if token == "|":
                parts.append("")
            elif token in "{[(":
                inner = self.choice(tokens)
                tokens.pop(0)
                parts[-1] += inner + {"{": "*", "[": "?", "(": ""}[token]
            elif token.isdigit():
                tokens.pop(0)
                parts[-1] += "(?:%s){%s}" % (re.escape(tokens.pop(0)[1:-1]), token)
            elif token[0] == '"':
                parts[-1] += re.escape(token[1:-1])
            else:
                parts[-1] += self.of(token)
        return "(?:%s)" % "|".join(parts)


def complain(path, text, grammar):
    # Of the lines that are defined each is one.
    kinds = [name for name in grammar.found if re.search(r"\bLF *$", grammar.found[name])]
    line = re.compile("|".join([grammar.of(name) for name in kinds] + [r"\n"]))
    at = 0
    for number, one in enumerate(text.splitlines(True), 1):
        if not line.fullmatch(one):
            return print("%s:%d: is no line of a log: %s" % (path, number, one.rstrip()))
    print("%s: its lines are in no order that there is" % path)


def main(page, heading, *logs):
    grammar = Grammar(definitions(page, heading))
    whole = re.compile(grammar.of("log"))
    bad = False
    for path in logs:
        text = open(path, encoding="latin-1", newline="").read()
        if not whole.fullmatch(text):
            complain(path, text, grammar)
            bad = True
    sys.exit(bad)


main(*sys.argv[1:])
