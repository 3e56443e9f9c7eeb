import { expect, test } from 'vitest';
import { kindOfMigration, ruleFaults } from './expand-contract.ts';

const kind = (sql: string) => kindOfMigration({ name: '070-x.sql', sql });
const migration = (sql: string) => ({ name: '070-x.sql', sql, checksum: '' });

test.each([
  'create table a (id text primary key, n int not null); create unique index on a (n); alter table a add check (n > 0);',
  'alter table customers add column note text, add column n int not null default 0 check (n >= 0);',
  "alter table mails drop constraint mails_kind_check, add constraint mails_kind_check check (kind in ('a', 'b'));",
  'create index on payments (customer_id); alter table payments alter column note drop not null;',
  'create or replace function f() returns int language sql as $$ delete from customers; select 1 $$; -- drop table customers',
  "comment on table payments is 'drop table payments; it''s only words';",
  'grant select on payments to octroi_read; insert into rounds (name) values (1);',
])('only adds: %s', (sql) => {
  expect(kind(sql).contractions).toEqual([]);
});

test.each([
  ['drop table mails', 'drops what an older version may use'],
  ['drop function take_quota(text)', 'drops what an older version may use'],
  ['alter table mails drop column body', 'drops a column'],
  ['alter table mails drop body', 'drops a column'],
  ['alter table only mails add column a int, rename column b to c', 'renames'],
  ['alter table mails alter column body type jsonb', 'changes the type'],
  ['alter table mails alter body set not null', 'requires a column'],
  ['alter table mails alter column body drop default', 'takes away a default'],
  ['alter table mails add column body text not null', 'without a default'],
  ['alter table mails add constraint c check (id > 0)', 'adds a constraint'],
  ['alter table mails add foreign key (id) references customers', 'adds a constraint'],
  ['create unique index mails_one on mails (id)', 'adds a unique index'],
  ['delete from mails', 'removes rows'],
  ['revoke select on mails from octroi_read', 'takes rights away'],
])('does more than add: %s', (sql, why) => {
  expect(kind(`${sql};`).contractions).toEqual([expect.stringContaining(why)]);
});

test('a migration that takes away says what it is the contract of, an earlier one; one that is safe says why', () => {
  const drop = 'alter table mails drop column body;';
  expect(ruleFaults([migration(drop)])).toEqual([expect.stringContaining('070-x.sql does more than add')]);
  expect(ruleFaults([migration(`-- contract of 065: nothing reads it since\n${drop}`)])).toEqual([]);
  expect(ruleFaults([migration(`-- contract of 070: itself\n${drop}`)])).toEqual([expect.stringContaining('earlier')]);
  expect(ruleFaults([migration(`-- safe beside older versions: no release wrote it\n${drop}`)])).toEqual([]);
});
