// Options are understood in each form they may have, mixed with operands, over several tables;
// and whatever is wrong with them is told in one line, with status 2.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/options.h"

enum { ARGUMENTS_MAX = 16, TEXT_BYTES = 4096 };

static const char *const by_words[] = {"live", "growth", "allocs", NULL};
static bool tree, reverse;
static const char *dir;
static uint64_t limit, least;
static double threshold;
static int64_t lasts;
static int by;
static struct moment at;
static const char *const to_words[] = {"json", "xml", NULL};
static struct moment_or_word to = {.word = -1};
static struct option_list match;

static const struct option own[] = {
	{"tree", 't', OPTION_FLAG, &tree, NULL},
	{"limit", 'n', OPTION_NUMBER, &limit, NULL},
	{"min", 'm', OPTION_BYTES, &least, NULL},
	{"by", 0, OPTION_WORD, &by, by_words},
	{"at", 0, OPTION_MOMENT, &at, NULL},
	{"until", 0, OPTION_MOMENT_OR_WORD, &to, to_words},
	{"match", 0, OPTION_LIST, &match, NULL},
	{"matching", 0, OPTION_FLAG, &tree, NULL},
	{0},
};
static const struct option others[] = {
	{"reverse", 'r', OPTION_FLAG, &reverse, NULL},
	{"dir", 'd', OPTION_TEXT, &dir, NULL},
	{"threshold", 0, OPTION_PERCENT, &threshold, NULL},
	{"lasts", 0, OPTION_DURATION, &lasts, NULL},
	{0},
};
static const struct option *const tables[] = {own, others, NULL};
static int failures;

// "report" and the words of a line, split at blanks; '_' is an empty word.
static int
split(char *line, char **argv)
{
	int argc = 0;

	argv[argc++] = "report";
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = strcmp(word, "_") == 0 ? "" : word;
	argv[argc] = NULL;
	return argc;
}

// What became of a line: all values, then the operands.
static void
describe(char *text, char **operands)
{
	char *end = text + sprintf(text, "%d%d dir=%s n=%llu m=%llu th=%g by=%d at=%d/%llu", tree,
		reverse, dir ? dir : "", (unsigned long long)limit, (unsigned long long)least,
		threshold, by, at.kind, (unsigned long long)at.number);
	if (lasts)
		end += sprintf(end, " lasts=%lld", (long long)lasts);
	if (to.word >= 0 || to.moment.kind != MOMENT_LAST)
		end += sprintf(end, " to=%d/%d", to.moment.kind, to.word);
	for (size_t i = 0; i < match.count; i++)
		end += sprintf(end, " match=%s", match.texts[i]);
	for (; *operands; operands++)
		end += sprintf(end, " %s", *operands);
}

// In a child: the values are global, and what is wrong ends the process. Its status.
static int
parse(const char *words, bool first, char *text)
{
	int out[2];
	char line[256];
	char *argv[ARGUMENTS_MAX];
	int status;

	if (pipe(out) != 0)
		exit(1);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		char described[TEXT_BYTES];
		dup2(out[1], STDERR_FILENO);
		strcpy(line, words);
		int argc = split(line, argv);
		describe(described, first ? options_parse_first(argc, argv, tables)
			: options_parse(argc, argv, tables));
		dprintf(out[1], "%s", described);
		_exit(0);
	}
	close(out[1]);
	size_t length = 0;
	ssize_t got;
	while ((got = read(out[0], text + length, TEXT_BYTES - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = '\0';
	close(out[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
check(const char *words, bool first, int wanted_status, const char *wanted)
{
	char text[TEXT_BYTES];
	int status = parse(words, first, text);

	if (status == wanted_status && strcmp(text, wanted) == 0)
		return;
	printf("%s: status %d: %s\n   instead of %s\n", words, status, text, wanted);
	failures++;
}

static void
good(const char *words, const char *wanted)
{
	check(words, false, 0, wanted);
}

static void
bad(const char *words, const char *wanted)
{
	char line[TEXT_BYTES];

	snprintf(line, sizeof(line), "pmem: report: %s; see 'pmem help report'\n", wanted);
	check(words, false, EXIT_USAGE, line);
}

static void
forms(void)
{
	good("", "00 dir= n=0 m=0 th=0 by=0 at=0/0");
	good("a -", "00 dir= n=0 m=0 th=0 by=0 at=0/0 a -");
	good("a --tree b -r c", "11 dir= n=0 m=0 th=0 by=0 at=0/0 a b c");
	good("-tr", "11 dir= n=0 m=0 th=0 by=0 at=0/0");
	good("-trn5 a", "11 dir= n=5 m=0 th=0 by=0 at=0/0 a");
	good("-n 5 a", "00 dir= n=5 m=0 th=0 by=0 at=0/0 a");
	good("-n5 --limit=6 --limit 7", "00 dir= n=7 m=0 th=0 by=0 at=0/0");
	good("-m1.5K --threshold 2.5%", "00 dir= n=0 m=1536 th=2.5 by=0 at=0/0");
	good("--lasts 1.5m", "00 dir= n=0 m=0 th=0 by=0 at=0/0 lasts=90000");
	good("--by growth --at=peak", "00 dir= n=0 m=0 th=0 by=1 at=1/0");
	good("--at 12 --by=allocs", "00 dir= n=0 m=0 th=0 by=2 at=2/12");
	// A value may begin with a minus.
	good("--at -5m a", "00 dir= n=0 m=0 th=0 by=0 at=7/0 a");
	good("--at=-5m a", "00 dir= n=0 m=0 th=0 by=0 at=7/0 a");
	good("--at 02:13 a", "00 dir= n=0 m=0 th=0 by=0 at=6/0 a");
	// A moment, a word, or both, whichever comes first.
	good("--until 12", "00 dir= n=0 m=0 th=0 by=0 at=0/0 to=2/-1");
	good("--until xml a", "00 dir= n=0 m=0 th=0 by=0 at=0/0 to=0/1 a");
	good("--until json --until -5m", "00 dir= n=0 m=0 th=0 by=0 at=0/0 to=7/0");
	good("--until=-5m --until=xml --until=json", "00 dir= n=0 m=0 th=0 by=0 at=0/0 to=7/0");
	good("--until label=json", "00 dir= n=0 m=0 th=0 by=0 at=0/0 to=8/-1");
	good("--match a --match=b=c --match _", "00 dir= n=0 m=0 th=0 by=0 at=0/0 match=a match=b=c match=");
	good("--dir= x", "00 dir= n=0 m=0 th=0 by=0 at=0/0 x");
	good("--dir --tree", "00 dir=--tree n=0 m=0 th=0 by=0 at=0/0");
	good("-d/x=y", "00 dir=/x=y n=0 m=0 th=0 by=0 at=0/0");
	good("a -- --tree -- -n", "00 dir= n=0 m=0 th=0 by=0 at=0/0 a --tree -- -n");
	good("--dir -- a", "00 dir=-- n=0 m=0 th=0 by=0 at=0/0 a");
	// Shortened, unless a shorter one has the whole name.
	good("--rev --thr 1 --li=3", "01 dir= n=3 m=0 th=1 by=0 at=0/0");
	good("--match x", "00 dir= n=0 m=0 th=0 by=0 at=0/0 match=x");
	good("--matchi", "10 dir= n=0 m=0 th=0 by=0 at=0/0");
	check("-t a -r --nonsense", true, 0, "10 dir= n=0 m=0 th=0 by=0 at=0/0 a -r --nonsense");
	check("-t -- -r", true, 0, "10 dir= n=0 m=0 th=0 by=0 at=0/0 -r");
}

static void
mistakes(void)
{
	bad("--by sizes", "--by sizes: expected one of live, growth, allocs");
	bad("--by=", "--by '': expected one of live, growth, allocs");
	bad("--frob", "--frob: no such option");
	bad("--frob=3", "--frob: no such option");
	bad("--=3", "--: no such option");
	bad("--mtach x", "--mtach: no such option, did you mean --match?");
	bad("--limits 3", "--limits: no such option, did you mean --limit?");
	bad("--direct x", "--direct: no such option");
	bad("--t", "--t: may be any of --tree, --threshold");
	bad("--mat x", "--mat: may be any of --match, --matching");
	bad("-x", "-x: no such option");
	bad("-tx", "-x: no such option");
	bad("a --at", "--at: needs a value");
	bad("-n", "-n: needs a value");
	bad("-tn", "-n: needs a value");
	bad("--tree=yes", "--tree: takes no value");
	bad("--n=4", "--n: no such option, did you mean -n?");
	bad("-n -5", "-n -5: expected a number");
	bad("-n5x", "-n 5x: expected a number");
	bad("--limit 18446744073709551616", "--limit 18446744073709551616: expected a number");
	bad("--min lots", "--min lots: expected a size such as 4096, 64K or 1.5MiB");
	bad("-m 16E", "-m 16E: expected a size such as 4096, 64K or 1.5MiB");
	bad("--threshold 101", "--threshold 101: expected 0 to 100");
	bad("--lasts 3w", "--lasts 3w: expected a duration such as 90, 90s, 5m, 1.5h or 2d");
	bad("--at -5", "--at -5: expected " MOMENT_FORMS);
	bad("--at --tree", "--at --tree: expected " MOMENT_FORMS);
	bad("--at 2026-02-30", "--at 2026-02-30: expected " MOMENT_FORMS);
	bad("--until 1x", "--until 1x: expected one of json, xml, or " MOMENT_FORMS);
	// A line stays a line, whatever is in it; and an end does not hide it.
	bad("--by a\nb\033[31m", "--by a\\x0ab\\x1b[31m: expected one of live, growth, allocs");
	bad("--a\nb", "--a\\x0ab: no such option");
}

int
main(void)
{
	forms();
	mistakes();
	return failures > 0;
}
