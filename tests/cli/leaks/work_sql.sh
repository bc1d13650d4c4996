# Statements that write the same rows anew. With an argument every one adds a row, too.
echo 'create table t(id integer primary key, text);'
i=0
while [ $i -lt 2800 ]; do
	echo "insert or replace into t values($((i % 40)), hex(zeroblob(2000)) || $i);"
	echo "select count(*), max(length(text)) from t where id % 7 = $((i % 7));"
	[ $# -eq 0 ] || echo "insert into t values($((1000 + i)), hex(zeroblob(200)));"
	i=$((i + 1))
done
