.load ./module_sqlite
create table orders (number integer primary key, text blob);
---
insert into orders values (NUMBER, zeroblob(3000));
select audit('order NUMBER'), count(*), max(length(hex(text))) from (select text from orders limit 5);
delete from orders where number < NUMBER - 500;
