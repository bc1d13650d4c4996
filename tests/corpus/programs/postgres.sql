create function audit(integer) returns integer as '/srv/app/module_postgres.so' language c;
create table orders (number integer, text text);
---
insert into orders select NUMBER, repeat('x', 300) from generate_series(1, 5);
select audit(NUMBER), count(*), length(string_agg(text, ',')) from (select * from orders limit 300) as recent;
delete from orders where number < NUMBER - 100;
