-- Months whose returns were filed. No document is dated into a locked month, and its figures are compared every night with those of the lock.

-- The books of a month are locked once its returns are filed: no document is dated into it, and no invoice of it is cancelled. Locking and
-- unlocking are both recorded; the last record of a month says how it stands.
create table period_locks (
  id bigint primary key generated always as identity,
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  action text not null check (action in ('LOCK', 'UNLOCK')),
  reason text not null check (length(btrim(reason)) between 3 and 500),
  operator text not null check (operator <> ''),
  recorded_at timestamptz not null default clock_timestamp(),
  -- The trial balance of the month's last day, stored right after locking.
  trial_balance jsonb,
  check (action = 'LOCK' or trial_balance is null)
);
create index period_locks_month on period_locks (month, id desc);

-- Whoever asks keeps the answer true until the end of the transaction: locking waits for it.
create or replace function month_is_locked(p_day date) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('period_locks'));
  return coalesce((select action from period_locks where month = to_char(p_day, 'YYYY-MM') order by id desc limit 1) = 'LOCK', false);
end $$;

-- Whether the trial balance of a locked month contains a day: that of its own month or of a later one. Locking waits as above.
create or replace function figures_are_locked(p_day date) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('period_locks'));
  return exists (select from (select distinct on (month) action from period_locks where month >= to_char(p_day, 'YYYY-MM')
    order by month, id desc) standing where action = 'LOCK');
end $$;

create or replace function period_locks_alternate() returns trigger language plpgsql as $$
declare
  reached date;
  standing text;
begin
  perform pg_advisory_xact_lock(hashtext('period_locks'));
  select reached_day into reached from clock;
  select action into standing from period_locks where month = new.month order by id desc limit 1;
  if new.action = coalesce(standing, 'UNLOCK') then
    raise exception 'the month % is % already', new.month, case new.action when 'LOCK' then 'locked' else 'open' end;
  end if;
  if new.action = 'LOCK' and reached < (new.month || '-01')::date + interval '1 month' then
    raise exception 'the month % is not over', new.month;
  end if;
  return new;
end $$;
create trigger period_locks_alternate before insert on period_locks for each row execute function period_locks_alternate();

create or replace function period_locks_stand() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.action = 'LOCK' and old.trial_balance is null
     and (to_jsonb(new) - 'trial_balance') = (to_jsonb(old) - 'trial_balance') then
    return new;
  end if;
  raise exception 'records of locks are only added to';
end $$;
create trigger period_locks_stand before update or delete on period_locks for each row execute function period_locks_stand();

create trigger never_emptied before truncate on period_locks execute function refuse_truncate();
create trigger sealed after insert or update or delete on period_locks for each row execute function seal_record('id');
