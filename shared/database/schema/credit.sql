-- Pay later (decision 081): the terms of a customer, and the bills of what was sold on them.
--
-- What is sold on terms has a payment like everything that is sold, `TRM-…` of method `terms`: the customer's promise, for exactly the price. Its entry in the
-- ledger debits `receivables`, and cycle, papers, quota and the way back follow from it as from any other. A bill names it, with its last day. What is due of
-- a bill (`due_paise`) is the sum of its lines on `receivables`, and only they change it: payments (`payments.use` is DUE), credit notes (`refunds.payout` is
-- OFFSET), and what went back at the provider of what had paid it. So the limit, the days and the ledger can't disagree.
--
-- What nobody expects any more is written off: it moves to `bad_debts` as a whole (`written_off_paise`), until something happens to the bill: then it is due
-- again first (REINSTATED). So whatever pays or lowers a bill knows only what is due.

create table credit_terms (
  customer_id text primary key references customers,
  -- As much may be due at once; 0: nothing is sold on terms any more.
  limit_paise bigint not null check (limit_paise >= 0),
  -- From the day of the invoice to the last day for its payment.
  days integer not null check (days between 1 and 90),
  -- So many days overdue, the plans that are not paid stop.
  stop_after_days integer not null check (stop_after_days between 0 and 90),
  changed_at timestamptz not null
);

create table credit_bills (
  cycle_id text primary key references cycles,
  customer_id text not null references customers,
  payment_id text not null unique,
  billed_on date not null,
  due_on date not null,
  -- The first day on which plans that are not paid are refused.
  stops_on date not null check (stops_on > due_on),
  due_paise bigint not null default 0 check (due_paise >= 0),
  written_off_paise bigint not null default 0 check (written_off_paise >= 0),
  owed_paise bigint not null generated always as (due_paise + written_off_paise) stored,
  foreign key (payment_id, cycle_id, customer_id) references payments (provider_payment_id, cycle_id, customer_id),
  constraint written_off_as_a_whole check (due_paise = 0 or written_off_paise = 0)
);
create index credit_bills_due on credit_bills (customer_id, stops_on) where due_paise >= 100;
create index credit_bills_customer on credit_bills (customer_id);

-- At the commit: whoever gives, changes or ends terms says why, in the audit log.
create or replace function terms_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'customers.terms' and a.target = new.customer_id and a.customer_id = new.customer_id
      and a.effect @> jsonb_build_object('limitPaise', new.limit_paise, 'days', new.days, 'stopAfterDays', new.stop_after_days) and is_recorded_now(a)) then
    raise exception 'the terms of customer % are not in the audit log', new.customer_id;
  end if;
  return null;
end $$;
create constraint trigger terms_are_recorded after insert or update on credit_terms deferrable initially deferred
  for each row execute function terms_are_recorded();

-- A bill has the days of the terms on which it was sold, and keeps them.
create or replace function bills_stand() returns trigger language plpgsql as $$
declare
  terms credit_terms;
begin
  if tg_op = 'UPDATE' then
    if (to_jsonb(new) - '{due_paise,written_off_paise,owed_paise}'::text[]) <> (to_jsonb(old) - '{due_paise,written_off_paise,owed_paise}'::text[]) or pg_trigger_depth() < 2 then
      raise exception 'bill % follows the ledger', old.cycle_id;
    end if;
    return new;
  end if;
  select * into terms from credit_terms where customer_id = new.customer_id;
  if not found or (new.due_paise, new.written_off_paise, new.due_on, new.stops_on)
      is distinct from (0::bigint, 0::bigint, new.billed_on + terms.days, new.billed_on + terms.days + terms.stop_after_days + 1) then
    raise exception 'bill % is not on the terms of customer %', new.cycle_id, new.customer_id;
  end if;
  return new;
end $$;
create trigger bills_stand before insert or update on credit_bills for each row execute function bills_stand();

-- What is due follows the ledger. What is sold on terms is never more than the limit, whoever sells at the same time: they take turns at the terms.
create or replace function receivables_are_bills() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  e ledger_entries;
  terms credit_terms;
begin
  select * into e from ledger_entries where id = new.entry_id;
  if e.kind = 'BILLED' then
    select * into terms from credit_terms where customer_id = e.customer_id for update;
    if new.amount_paise + (select coalesce(sum(owed_paise), 0) from credit_bills where customer_id = e.customer_id) > coalesce(terms.limit_paise, 0) then
      raise exception 'what customer % has to pay is more than the terms allow', e.customer_id using errcode = 'check_violation', constraint = 'credit_limit';
    end if;
  end if;
  update credit_bills set due_paise = due_paise + new.amount_paise,
      written_off_paise = written_off_paise - case when e.kind in ('WRITTEN_OFF', 'REINSTATED') then new.amount_paise else 0 end
    where cycle_id = e.cycle_id;
  if not found then
    raise exception 'entry % is of no bill', e.id;
  end if;
  return null;
end $$;
create trigger receivables_are_bills after insert on ledger_lines
  for each row when (new.account = 'receivables') execute function receivables_are_bills();

-- At the commit: an operator writes off what plans have stopped for, and says why, in the audit log.
create or replace function write_offs_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from credit_bills b join ledger_lines l on l.entry_id = new.id and l.account = 'bad_debts'
      join operator_actions a on a.action = 'customers.write-off' and a.target = b.cycle_id and a.customer_id = b.customer_id
        and a.effect @> jsonb_build_object('paise', l.amount_paise, 'entry', new.id) and is_recorded_now(a)
      where b.payment_id = new.payment_id and b.cycle_id = new.cycle_id and l.amount_paise > 0 and (new.posted_at at time zone 'Asia/Kolkata')::date >= b.stops_on) then
    raise exception 'the write-off % is not of a bill for which plans have stopped, or not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger write_offs_are_recorded after insert on ledger_entries deferrable initially deferred
  for each row when (new.kind = 'WRITTEN_OFF') execute function write_offs_are_recorded();

-- At the commit: nothing is written off otherwise, and of what is due again something was paid or lowered.
create or replace function bad_debts_are_of_bills() returns trigger language plpgsql as $$
declare
  e ledger_entries;
begin
  select * into e from ledger_entries where id = new.entry_id;
  if e.kind not in ('WRITTEN_OFF', 'REINSTATED')
     or not exists (select from ledger_lines where entry_id = e.id and account = 'receivables' and amount_paise = -new.amount_paise)
     or e.kind = 'REINSTATED' and not exists (select from ledger_entries o join ledger_lines l on l.entry_id = o.id and l.account = 'receivables'
       where o.cycle_id = e.cycle_id and o.kind not in ('WRITTEN_OFF', 'REINSTATED') and o.xmin = pg_current_xact_id()::xid) then
    raise exception 'entry % moves a bad debt of no bill', e.id;
  end if;
  return null;
end $$;
create constraint trigger bad_debts_are_of_bills after insert on ledger_lines deferrable initially deferred
  for each row when (new.account = 'bad_debts') execute function bad_debts_are_of_bills();

-- A payment is a promise where there is its bill, over the price of its cycle, and nowhere else.
create or replace function promises_are_billed() returns trigger language plpgsql as $$
begin
  if not exists (select from credit_bills b join ledger_entries e on e.payment_id = b.payment_id and e.kind = 'BILLED' and e.cycle_id = b.cycle_id
      where b.payment_id = new.provider_payment_id and new.use = 'CYCLE' and new.method = 'terms' and new.provider_payment_id like 'TRM-%') then
    raise exception 'payment % is a promise without a bill', new.provider_payment_id;
  end if;
  return null;
end $$;
create constraint trigger promises_are_billed after insert or update on payments deferrable initially deferred
  for each row when (new.method = 'terms' or new.provider_payment_id like 'TRM-%') execute function promises_are_billed();

-- Of what came in money for a bill, with tax that a certificate proves: how much has not gone back in money, by transfer or at the provider.
create or replace function cash_left_of_bill(p_promise text) returns bigint language sql stable as $$
  select ((select coalesce(sum(p.amount_paise), 0) from payments p where p.cycle_id = b.cycle_id and p.use = 'DUE')
    + (select case when exists (select from tds_claims t where t.cycle_id = b.cycle_id and t.status = 'ACCEPTED')
        then coalesce(sum(r.amount_paise) filter (where r.payout = 'WITHHELD'), sum(r.amount_paise), 0) else 0 end
      from refunds r where r.payment_id = b.payment_id and r.origin = 'TDS')
    - (select coalesce(sum(r.amount_paise - r.covered_paise), 0) from refunds r where r.payout <> 'WITHHELD'
      and (r.payment_id = b.payment_id or r.payment_id in (select m.money_id from payment_money m where m.payment_id = b.payment_id))))::bigint
  from credit_bills b where b.payment_id = p_promise
$$;

-- From which day on gateways refuse the calls of a plan: of one of which at least a rupee is due, the least that can be paid, from that on which the oldest bill of its customer stops it.
-- One that was written off stays stopped, and stops no other.
create or replace function plan_stops_on(c cycles) returns date language plpgsql stable as $$
begin
  if not exists (select from credit_bills b where b.cycle_id = c.id and b.owed_paise >= 100) then return null; end if;
  return (select min(b.stops_on) from credit_bills b where b.customer_id = c.customer_id and (b.due_paise >= 100 or b.cycle_id = c.id and b.owed_paise >= 100));
end $$;

create trigger erased_get_nothing before insert on credit_terms for each row execute function erased_get_nothing();
create trigger never_deleted before delete on credit_terms for each row execute function never_change();
create trigger never_emptied before truncate on credit_terms execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on credit_terms for each row execute function note_ledger_change('customer');
alter table credit_terms enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on credit_terms for each row execute function seal_record('customer_id');
create trigger never_deleted before delete on credit_bills for each row execute function never_change();
create trigger never_emptied before truncate on credit_bills execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on credit_bills for each row execute function note_ledger_change('customer');
alter table credit_bills enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on credit_bills for each row execute function seal_record('cycle_id');
