#!/bin/sh
# `pmem leaks --to junit` is JUnit's XML, by the schema that systems for continuous integration have: a case for each
# process, or for all runs of a job; a failure for what leaks, with the rows in its text; skipped, with the reason,
# for what cannot be told. Its counts are right, it agrees with the exit status, and any name can stand in it.

command -v xmllint >/dev/null || { echo "skipped: needs libxml2-utils"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks="leaks --raw --to junit"

cat >junit.xsd <<'E'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <xs:complexType name="result" mixed="true">
  <xs:attribute name="type" type="xs:string"/><xs:attribute name="message" type="xs:string"/>
 </xs:complexType>
 <xs:element name="testsuites"><xs:complexType><xs:sequence>
  <xs:element name="testsuite" maxOccurs="unbounded"><xs:complexType><xs:sequence>
   <xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
    <xs:element name="skipped" minOccurs="0"><xs:complexType><xs:attribute name="message" type="xs:string"/></xs:complexType></xs:element>
    <xs:element name="error" type="result" minOccurs="0" maxOccurs="unbounded"/>
    <xs:element name="failure" type="result" minOccurs="0" maxOccurs="unbounded"/>
    <xs:element name="system-out" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
   </xs:sequence>
   <xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="classname" type="xs:string"/>
   <xs:attribute name="time" type="xs:decimal"/></xs:complexType></xs:element>
  </xs:sequence>
  <xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="tests" type="xs:int" use="required"/>
  <xs:attribute name="failures" type="xs:int" use="required"/><xs:attribute name="errors" type="xs:int" use="required"/>
  <xs:attribute name="skipped" type="xs:int"/></xs:complexType></xs:element>
 </xs:sequence></xs:complexType></xs:element>
</xs:schema>
E
cat >read.py <<'E'
import sys, xml.etree.ElementTree as tree
suite = tree.parse("out").getroot().find("testsuite")
cases = suite.findall("testcase")
assert int(suite.get("tests")) == len(cases)
for name in "failures", "errors", "skipped":
    found = sum(case.find(name.rstrip("s")) is not None for case in cases)
    assert int(suite.get(name)) == found, (name, found)
for case in cases:
    for name in "failure", "error", "skipped":
        if case.find(name) is not None:
            print(case.get("classname"), case.get("time"), name, case.find(name).get("type"), end="|")
            print(case.find(name).get("message"), end="|")
            break
    else:
        print(case.get("classname"), case.get("time"), "passes", end="||")
    print(" ".join("".join(case.itertext()).split()))
E
# cases STATUS ARGUMENT...: leaves what they are in out.
cases() {
	ask "$@"
	xmllint --noout --schema junit.xsd out 2>words || { cat words; wrong "not by the schema"; }
	python3 read.py >read || wrong "$(cat read)"
	mv read out
}

service leaky 11 240 'print "+ keep/serve 10 1000"'
service arenas 12 240 'printf "memory %d 4000000\n", 4e6 + i * 10000'
service quiet 13 240 ''
service young 14 10 'print "+ keep/serve 10 1000"'
service blind 15 240 'print "+ keep/serve 10 1000"; if (i == 0) print "unseen keep/serve"'

cases 0 leaky.log arenas.log quiet.log young.log blind.log
[ "$(wc -l <out)" -eq 5 ] || wrong 'not a case each'
says '^leaky 1195\.000 failure leaks\|leaky \(process 11[^)]*\) leaks 6\.87 MiB an hour, 99\.9% sure; 10\.3 MiB resident\|.* 6\.87 MiB .* keep < serve < main'
says '^arenas .* failure outside\|arenas \(process 12[^)]*\).*outside'
says '^quiet 1195\.000 passes\|\|.*no leak'
says '^young 45\.000 skipped None\|young \(process 14[^)]*\): too early: 1 source, .*\|.* keep < serve < main'
says '^blind .* skipped None\|blind \(process 15[^)]*\).*not judged.*\|'
# With --fail-on and its kin the cases are as the status is.
cases 3 --fail-on 6M --fail-on-unjudged leaky.log arenas.log quiet.log young.log
[ "$(grep -c ' failure \| error ' out)" -eq 3 ] || wrong 'not three'
says '^young .* error too early\|'
cases 0 --fail-on 7M leaky.log arenas.log quiet.log young.log
says '^leaky .* passes\|\|.* 6\.87 MiB '
says_not ' failure '
cases 3 --fail-on-all 6M leaky.log quiet.log
says '^pmem 0\.000 failure leaks\|all processes together leak 6\.87 MiB an hour\|'
# Live grows surely, and no source does.
service tiers 16 240 'print "+ keep" int(i / 40) "/serve 10 1000"'
cases 3 --fail-on-all 6M --to 125 tiers.log
says '^pmem 0\.000 failure leaks\|all processes together leak 6\.[0-9]+ MiB an hour\|'
# What -v adds is no verdict.
cases 0 -v leaky.log
says 'failure leaks\|leaky \(process 11[^)]*\) leaks 6\.87 MiB an hour, 99\.9% sure; 10\.3 MiB resident\|'
# Into a file, which is replaced whole.
ask 0 -o out.xml leaky.log
ask 0 leaky.log
cmp out out.xml || wrong '-o has something else'
(export COLUMNS=60 && ask 0 leaky.log && cmp out out.xml) || wrong 'as wide as a terminal'

# Any name: of a command, and of a function.
printf '%s\n' "$(head -n 1 leaky.log)" '# command /bin/a<b>&\x22c\x22 ]]>\x1b[2J\x01\x0a\xff\xef\xbf\xbf\xc2\x85' >hostile.log
sed '1d; s/(keep+/(ke<\&"\\x01ep+/; s/< keep/< ke<\&/' leaky.log >>hostile.log
cases 0 hostile.log
says 'failure leaks\|'
ask 0 hostile.log
grep -q '<testcase .*name="/bin/a&#60;b&#62;&#38;&#34;c&#34; \]\]&#62;' out || wrong 'not escaped'
! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" out || wrong 'control characters'

# Runs of a job are one case.
mkdir jobs
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	printf 'pid %d\nexe /usr/bin/rotate\n+ load/rotate %d 1000\n+ parse/work %d 1000\n- parse/work %d 1000\nsnapshot 1000 first\nsnapshot 500 exit\n' \
		$((100 + i)) $((i * 10)) $((i * 100)) $((i * 100)) | ./scriptlog jobs/pmem.$((100 + i)).log >/dev/null
done
cases 0 jobs
[ "$(wc -l <out)" -eq 1 ] || wrong 'not one case'
says '^rotate 0\.000 failure leaks\|leaks: rotate, 12 runs\|leaks: rotate, 12 runs leaks: 12 runs leave .* load < rotate'
