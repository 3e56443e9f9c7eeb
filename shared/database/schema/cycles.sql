-- A cycle is what is sold: a plan for some days, as it was on the day of the sale. Packs (`adds_to`), switches (`replaces`) and granted plans are cycles too.
--
-- Only what can't be computed is stored: PENDING, DUE and EXPIRED follow from payments, dates and today (decision 003). States move forward, paid and free
-- cycles of an activation never overlap (an exclusion constraint), and at each commit a paid cycle has a payment and has not given back its price.
--
-- Of a free plan the quota belongs to customer and product: deleting and adding it again gives no new day and no new thirty days (product §7.3). Of paid
-- plans the days of earlier activations count in the same way (`taken_before`).

create type cycle_status as enum
  ('PAYMENT_PENDING', 'PAID', 'NO_PAYMENT_REQUIRED', 'DEACTIVATED', 'REMOVED', 'REFUNDED');

create table cycles (
  id text primary key check (id like 'CYC-%'),
  activation_id text not null,
  customer_id text not null,
  service_id text not null,
  status cycle_status not null,
  from_date date not null,
  to_date date not null check (to_date > from_date),
  -- The terms as they were bought; a later catalogue never changes them.
  plan jsonb not null,
  tenure text not null,
  -- What the customer pays, GST included, as agreed when the cycle was asked for.
  price_paise bigint not null check (price_paise >= 0),
  daily_quota integer not null check (daily_quota >= 0),
  monthly_quota integer not null check (monthly_quota >= 0),
  rps integer not null check (rps > 0),
  created_at timestamptz not null,
  paid_at timestamptz,
  ended_at timestamptz,
  -- Switch plan (decision 036): a cycle may replace the running one. Which one it replaces is part of what was sold.
  replaces text,
  -- Packs (decision 046): a cycle may add units to the running one, until that ends. It is bought, paid, documented and refunded like every cycle,
  -- but gives no access of its own. The quota of a cycle is what was sold with it and its paid packs.
  adds_to text,
  -- Plans that an operator granted, with the reason (product §4.25). A granted plan is a cycle without a price, an order or a document; unlike free
  -- plans, whose quota belongs to customer and product, it has the quota of its terms for itself.
  granted_reason text,
  foreign key (activation_id, customer_id) references activations (id, customer_id),
  unique (id, activation_id, customer_id),
  check (status <> 'NO_PAYMENT_REQUIRED' or price_paise = 0),
  check (status <> 'PAID' or (price_paise > 0 and paid_at is not null)),
  constraint cycles_replaces_fkey foreign key (replaces, activation_id, customer_id) references cycles (id, activation_id, customer_id),
  constraint cycles_replaces_check check (replaces <> id),
  constraint cycles_adds_to_fkey foreign key (adds_to, activation_id, customer_id) references cycles (id, activation_id, customer_id),
  constraint cycles_adds_to_check check (adds_to is null or
    adds_to <> id and replaces is null and status <> 'NO_PAYMENT_REQUIRED' and tenure <> 'TRIAL' and daily_quota = monthly_quota and monthly_quota > 0),
  constraint cycles_never_overlap exclude using gist (activation_id with =, daterange(from_date, to_date) with &&)
    where (status in ('PAID', 'NO_PAYMENT_REQUIRED') and adds_to is null),
  constraint cycles_granted_check check (granted_reason is null or length(btrim(granted_reason)) between 1 and 1000
    and price_paise = 0 and status in ('NO_PAYMENT_REQUIRED', 'DEACTIVATED') and paid_at is null and adds_to is null and tenure <> 'TRIAL')
);
create index cycles_activation on cycles (activation_id, from_date);
create index cycles_customer on cycles (customer_id);
-- A trial once per customer and product; one that was removed before it was paid was not had.
create unique index cycles_one_trial on cycles (customer_id, service_id) where tenure = 'TRIAL' and status <> 'REMOVED';
create index cycles_starting on cycles (from_date, id) where status in ('PAID', 'NO_PAYMENT_REQUIRED');
create index cycles_ending on cycles (to_date, id) where status in ('PAID', 'NO_PAYMENT_REQUIRED');
-- Their revenue is not spread evenly: figures read them one by one.
create index cycles_ended on cycles (to_date) where ended_at is not null and paid_at is not null;
-- Paid plans that begin on days without sums.
create index cycles_paid on cycles (from_date) where paid_at is not null and adds_to is null;
-- Customers who began free, for the figures, and whether they had before.
create index cycles_begun_free on cycles (created_at)
  where price_paise = 0 and granted_reason is null and status in ('NO_PAYMENT_REQUIRED', 'DEACTIVATED');
create index cycles_free on cycles (customer_id, service_id, created_at)
  where price_paise = 0 and granted_reason is null and status in ('NO_PAYMENT_REQUIRED', 'DEACTIVATED');
-- What operators see of plans that are not paid.
create index cycles_unpaid on cycles (from_date, id) where status = 'PAYMENT_PENDING' and adds_to is null;
-- A cycle is replaced once, and one unpaid switch waits at a time.
create unique index cycles_replaced_once on cycles (replaces) where replaces is not null and status <> 'REMOVED';
create index cycles_adds_to on cycles (adds_to) where adds_to is not null;
-- One unpaid pack of a cycle waits at a time.
create unique index cycles_one_unpaid_pack on cycles (adds_to) where adds_to is not null and status = 'PAYMENT_PENDING';

-- While a cycle waits for its payment, its price follows the buyer and the tax rate of the day: an order is over the price at that moment.
create or replace function cycles_move_forward()
  returns trigger
  language plpgsql
as $$
begin
  if new.id <> old.id or new.activation_id <> old.activation_id or new.customer_id <> old.customer_id
     or new.plan <> old.plan or new.daily_quota <> old.daily_quota
     or new.monthly_quota <> old.monthly_quota or new.rps <> old.rps or new.created_at <> old.created_at
     or (new.price_paise <> old.price_paise and not (
          old.status = 'PAYMENT_PENDING' and new.status = 'PAYMENT_PENDING' and new.price_paise >= (new.plan ->> 'pricePaise')::bigint
          and not exists (select from order_cycles where cycle_id = new.id and live))) then
    raise exception 'what was sold in cycle % never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'PAYMENT_PENDING' and new.status in ('PAID', 'REMOVED', 'REFUNDED'))
    or (old.status = 'PAID' and new.status in ('DEACTIVATED', 'REFUNDED'))
    or (old.status = 'NO_PAYMENT_REQUIRED' and new.status = 'DEACTIVATED')
  ) then
    raise exception 'cycle % cannot go from % to %', old.id, old.status, new.status;
  end if;
  -- A cycle paid late starts on the first free day (product §4.14), a pack on the day of its payment, and the unpaid period of a renewal after days that
  -- the provider gave (only `renewals_move_with_given_days` moves it); otherwise their days stand.
  if (new.from_date, new.to_date) <> (old.from_date, old.to_date)
     and not (old.status = 'PAYMENT_PENDING' and new.status = 'PAYMENT_PENDING' and new.adds_to is null and new.replaces is null
       and new.to_date - new.from_date = old.to_date - old.from_date and pg_trigger_depth() > 1)
     and not (old.status = 'PAYMENT_PENDING' and new.status = 'PAID' and (case when new.adds_to is null
       then new.to_date - new.from_date = old.to_date - old.from_date else new.to_date = old.to_date and new.from_date >= old.from_date end)) then
    raise exception 'cycle %: dates can''t change', old.id;
  end if;
  return new;
end $$;
create trigger cycles_move_forward before update on cycles for each row execute function cycles_move_forward();

create or replace function cycles_are_paid() returns trigger language plpgsql as $$
declare
  c cycles;
  given_back bigint;
begin
  select * into c from cycles where id = new.id;
  if c.paid_at is null then
    if c.status = 'REFUNDED' then raise exception 'cycle % was never paid', c.id; end if;
    return null;
  end if;
  if not exists (select from cycle_payments where cycle_id = c.id) then
    raise exception 'cycle % is paid by no payment', c.id;
  end if;
  select coalesce(sum(r.amount_paise - r.covers_paise - r.withheld_paise), 0) into given_back
    from refunds r join cycle_payments p on p.provider_payment_id = r.payment_id and p.cycle_id = r.cycle_id where p.cycle_id = c.id;
  if c.status = 'PAID' and given_back >= c.price_paise or c.status = 'REFUNDED' and given_back < c.price_paise then
    raise exception 'cycle % is % while % paise of it are given back', c.id, c.status, given_back;
  end if;
  return null;
end $$;
create constraint trigger cycles_are_paid after update of status, paid_at on cycles
  deferrable initially deferred for each row execute function cycles_are_paid();

-- Nothing gives access on an activation that was deleted.
create or replace function cycles_need_activation() returns trigger language plpgsql as $$
begin
  if new.status in ('PAID', 'NO_PAYMENT_REQUIRED') and (tg_op = 'INSERT' or old.status <> new.status)
     and (select deleted_at from activations where id = new.activation_id for share) is not null then
    raise exception 'activation % is deleted', new.activation_id;
  end if;
  return new;
end $$;
create trigger cycles_need_activation before insert or update on cycles for each row execute function cycles_need_activation();

-- No cycle begins on a day that is over, whatever the clock of whoever asks for it says. Whoever began before midnight and ends after it
-- is told to begin again, as after any other race.
create or replace function cycles_begin_in_time() returns trigger language plpgsql as $$
declare
  reached date;
begin
  select reached_day into reached from clock;
  if new.from_date < reached then
    raise exception 'cycle % would begin on %, and % has been reached', new.id, new.from_date, reached
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger cycles_begin_in_time before insert on cycles for each row execute function cycles_begin_in_time();
create trigger cycles_paid_in_time before update on cycles
  for each row when (new.status = 'PAID' and old.status <> 'PAID') execute function cycles_begin_in_time();

-- Free quota belongs to customer and product (product §7.3): what free cycles took on a day, and in a window of thirty days, counts for every
-- later free cycle of the same customer and product, whatever was deleted, ended or activated again in between. A trial can be had once
-- (cycles_one_trial), so its quotas need no account beyond its own cycle; paid cycles have none either.
create or replace function is_free_cycle(c cycles) returns boolean language sql immutable as $$
  select c.price_paise = 0 and c.tenure <> 'TRIAL' and c.granted_reason is null
$$;

-- Only a cycle that gives access today is replaced.
create or replace function cycles_replace_running() returns trigger language plpgsql as $$
begin
  if not exists (select from cycles r where r.id = new.replaces and r.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and r.from_date <= new.from_date and new.from_date < r.to_date)
     and not (new.status = 'NO_PAYMENT_REQUIRED' and exists (select from cycles r
      where r.id = new.replaces and r.status = 'DEACTIVATED' and r.ended_at = new.created_at)) then
    raise exception 'cycle % replaces %, which does not run on %', new.id, new.replaces, new.from_date;
  end if;
  return new;
end $$;
create trigger cycles_replace_running before insert on cycles
  for each row when (new.replaces is not null) execute function cycles_replace_running();

-- A pack adds to a cycle that gives access on its first day, and ends with it.
create or replace function packs_add_to_running() returns trigger language plpgsql as $$
begin
  perform from cycles c where c.id = new.adds_to and c.adds_to is null and c.status in ('PAID', 'NO_PAYMENT_REQUIRED')
    and c.from_date <= new.from_date and new.from_date < c.to_date and c.to_date = new.to_date for share;
  if not found then
    raise exception 'pack % adds to %, which does not run on %', new.id, new.adds_to, new.from_date;
  end if;
  return new;
end $$;
create trigger packs_add_to_running before insert on cycles
  for each row when (new.adds_to is not null) execute function packs_add_to_running();
create trigger packs_paid_while_running before update on cycles
  for each row when (new.adds_to is not null and new.status = 'PAID' and old.status <> 'PAID') execute function packs_add_to_running();

-- The same rules, read by index: an OR over two tables read every cycle at each change of one.
create or replace function packs_end_with_cycle() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from cycles p join cycles c on c.id = p.adds_to
        where p.id = new.id and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED'))
     or exists (select from cycles c join cycles p on p.adds_to = c.id
        where c.id = new.id and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED')) then
    raise exception 'cycle % has ended and its packs have not', coalesce(new.adds_to, new.id);
  end if;
  return null;
end $$;
create constraint trigger packs_end_with_cycle after insert or update of status on cycles deferrable initially deferred
  for each row execute function packs_end_with_cycle();

-- At the commit: it is in the audit log with its reason.
create or replace function grants_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action in ('plans.grant', 'plans.extend') and a.target = new.id and a.customer_id = new.customer_id
      and a.reason = new.granted_reason) then
    raise exception 'the granted plan % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger grants_are_recorded after insert on cycles deferrable initially deferred
  for each row when (new.granted_reason is not null) execute function grants_are_recorded();

-- Whoever ends a cycle waits for units that are being taken of it, and take_quota gives no more: a refund of what is unused is of what is left then.
create or replace function cycles_end_under_lock() returns trigger language plpgsql as $$
begin
  perform lock_counters(array[new.id], array[null::date]);
  return null;
end $$;
create trigger cycles_end_under_lock after update of status on cycles
  for each row when (new.adds_to is null and old.status in ('PAID', 'NO_PAYMENT_REQUIRED') and new.status not in ('PAID', 'NO_PAYMENT_REQUIRED'))
  execute function cycles_end_under_lock();

-- What the database itself holds to, whatever a program does: money that was captured is used once, states only move forward,
-- nothing of it is ever deleted, and the ledger is only added to.
create trigger cycles_never_deleted before delete on cycles for each row execute function never_change();
create trigger never_emptied before truncate on cycles execute function refuse_truncate();
create trigger cycles_noted_for_rounds after insert or update on cycles
  for each row execute function note_customer_change('rounds');
create trigger noted_for_ledger after insert or update or delete on cycles for each row execute function note_ledger_change('customer');
alter table cycles enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on cycles for each row execute function seal_record('id');
create trigger cycles_replace_for_good before update on cycles
  for each row when (new.replaces is distinct from old.replaces) execute function never_change();
create trigger packs_add_for_good before update on cycles
  for each row when (new.adds_to is distinct from old.adds_to) execute function never_change();
create trigger grants_stand before update on cycles
  for each row when (new.granted_reason is distinct from old.granted_reason) execute function never_change();
