-- What days that are over can't change any more, summed once: figures read it instead of every invoice, plan and payment.
--
-- An invoice is dated, a paid plan begins and money is posted on the day that has been reached, never before. Its rows are therefore grouped as they were on
-- that day; what ends, credits or cancels some of them later is read on its own (server/features/bookkeeping/revenue.ts). A day is summed when the next one
-- is over as well, so that no transaction around midnight is missed. Days without sums are read from the rows themselves, so deleting sums loses nothing.

create table summed_days (
  day date primary key,
  -- What the payment provider took in less what it paid back. Bank transfers are booked on earlier days too, so they are no part of it.
  cash_paise bigint not null
);

-- Invoices by the day of their issue, and paid plans by their first day.
create table sold_sums (
  sold_as text not null check (sold_as in ('INVOICE', 'PLAN')),
  day date not null references summed_days on delete cascade,
  service_id text not null,
  plan_id text not null,
  plan_name text not null,
  from_date date not null,
  to_date date not null check (to_date > from_date),
  -- Of each; 0 of a plan.
  taxable_paise bigint not null check (taxable_paise >= 0),
  sold bigint not null check (sold > 0),
  primary key (sold_as, day, service_id, plan_id, from_date, to_date, taxable_paise)
);
create index sold_sums_running on sold_sums (greatest(to_date, day + 1));

-- The same of any days, from the rows themselves.
create or replace function sold_between(p_first date, p_last date) returns table (
  sold_as text, day date, service_id text, plan_id text, plan_name text, from_date date, to_date date, taxable_paise bigint, sold bigint)
language sql stable as $$
  select 'INVOICE', d.issued_on, c.service_id, c.plan ->> 'planId', max(c.plan ->> 'name'), d.from_date, d.to_date, d.taxable_paise, count(*)
  from documents d join cycles c on c.id = d.cycle_id
  where d.kind = 'INVOICE' and d.issued_on between p_first and p_last group by 2, 3, 4, 6, 7, 8
  union all
  select 'PLAN', c.from_date, c.service_id, c.plan ->> 'planId', max(c.plan ->> 'name'), c.from_date, c.to_date, 0, count(*)
  from cycles c
  where c.paid_at is not null and c.adds_to is null and c.status in ('PAID', 'DEACTIVATED', 'REFUNDED') and c.from_date between p_first and p_last
  group by 3, 4, 6, 7
$$;

create or replace function cash_between(p_first date, p_last date) returns table (day date, paise bigint) language sql stable as $$
  select (e.posted_at at time zone 'Asia/Kolkata')::date, sum(l.amount_paise)::bigint
  from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'provider'
  where e.kind in ('CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_BILL', 'CAPTURED_FOR_REFUND', 'CAPTURED_HELD', 'REFUND_PAID') and e.currency = 'INR'
    and e.posted_at >= p_first::timestamp at time zone 'Asia/Kolkata' and e.posted_at < (p_last + 1)::timestamp at time zone 'Asia/Kolkata'
  group by 1
$$;

-- Sums the days that are over and have no sums yet; returns how many.
create or replace function sum_days(p_today date) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_last date := p_today - 2;
  v_first date := coalesce((select max(day) + 1 from summed_days), (select least((select min(issued_on) from documents),
    (select min(from_date) from cycles where paid_at is not null), (select (min(posted_at) at time zone 'Asia/Kolkata')::date from ledger_entries))));
  v_days integer;
begin
  insert into summed_days select d.day::date, coalesce(c.paise, 0)
    from generate_series(v_first, v_last, interval '1 day') d (day) left join cash_between(v_first, v_last) c on c.day = d.day::date
    order by 1;
  get diagnostics v_days = row_count;
  insert into sold_sums select * from sold_between(v_first, v_last);
  return v_days;
end $$;

-- Every day from the first one on, each when the next is over.
create or replace function summed_days_follow() returns trigger language plpgsql as $$
declare
  last date := (select max(day) from summed_days);
  reached date := (select reached_day from clock);
begin
  if new.day <> last + 1 or new.day >= reached - 1 then
    raise exception 'day % is not the next to be summed after %', new.day, last;
  end if;
  return new;
end $$;
create trigger summed_days_follow before insert on summed_days for each row execute function summed_days_follow();
create trigger summed_days_stand before update on summed_days for each row execute function never_change();
create trigger sold_sums_stand before update on sold_sums for each row execute function never_change();

-- A clock that is moved on purpose may reach days again.
create or replace function sums_follow_clock() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from summed_days;
  return null;
end $$;
create trigger sums_follow_clock after update on clock for each row when (new.offset_ms < old.offset_ms) execute function sums_follow_clock();
