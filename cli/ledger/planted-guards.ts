/** Changes of what guards the tables, by their owner: what is wrong, the statement, and what the checks say. */
export const plantedInGuards = [
  [
    'all triggers of a table, with its foreign keys',
    'alter table refunds disable trigger all',
    /trigger RI_\w+ of refunds is off/,
  ],
  ['a trigger is gone', 'drop trigger sealed on cycles', /trigger sealed of cycles is missing/],
  [
    'a function does nothing',
    `create or replace function never_change() returns trigger language plpgsql as 'begin return new; end'`,
    /function never_change\(\) is not/,
  ],
  [
    'a trigger was added',
    'create trigger z before insert on record_seals for each row execute function never_change()',
    /trigger z of record_seals is not/,
  ],
  [
    'a constraint is gone',
    'alter table quota_counters drop constraint quota_counters_within_quota',
    /table quota_counters is not/,
  ],
  ['a unique index is gone', 'drop index cycles_one_trial', /index cycles_one_trial is missing/],
  [
    'a view hides rows',
    'create or replace view cycle_payments as select p.* from cycle_payments_of() p',
    /view cycle_payments is not/,
  ],
  [
    'everybody may change documents',
    'grant update, delete on documents to public',
    /everybody has rights on documents/,
  ],
  [
    'everybody may change one column',
    'grant update (content) on documents to public',
    /everybody has rights on documents/,
  ],
  [
    'documents belong to another user',
    'alter table documents owner to octroi_run',
    /documents belongs to another user/,
  ],
  [
    'a function that acts as its owner belongs to another one',
    'alter function seal_record() owner to octroi_run',
    /function seal_record\(\) belongs to another user/,
  ],
  [
    'an index is no longer unique',
    `update pg_index set indisunique = false where indexrelid = 'documents_number_key'::regclass`,
    /constraint documents_number_key of documents no longer makes unique/,
  ],
  ['counts are lost in a crash', 'alter table usage_counts set unlogged', /usage_counts is not in the log/],
  ['a rule swallows deletes', 'create rule quiet as on delete to mails do instead nothing', /the rule quiet of mails/],
  ['row security hides rows', 'alter table documents enable row level security', /row security of documents is on/],
  [
    'every new session has its triggers off',
    `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
    /sessions of all users begin with session_replication_role=replica/,
  ],
  [
    'a user of ours begins with another path',
    `do $$ begin execute format('alter role %I in database %I set search_path = other, public', session_user, current_database()); end $$`,
    /sessions of \S+ begin with search_path=other, public/,
  ],
  [
    'what is committed may be lost in a crash',
    `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
    /sessions of all users begin with synchronous_commit=off/,
  ],
] as const;
