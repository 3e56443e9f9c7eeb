-- After a restore, the numbers that were given since the backup are unknown: a series gives none until its customer says where it goes on.
alter table products.series add column is_stopped boolean not null default false;
-- Customers and activations of a restored database, whose series may have begun since the backup, and the last financial year of such a series.
create table products.restored_callers (
  caller text primary key,
  last_financial_year text not null
);
