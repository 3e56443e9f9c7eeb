-- Recharge before units run out (decision 080): a pack for the running plan, debited by its mandate.
--
-- A shortage is known by its plan and by how many units that could use in all: once a pack is paid, what is left may run short again, and that is another
-- one. It is told, skipped, withheld or asked for as one row, so it is debited once at most. A debit that is asked for was told a day before, is over what
-- was told, and keeps the debits of each calendar month (IST) that it may fall into within what the customer agreed to.

create table recharges (
  -- The plan that runs out of units.
  cycle_id text not null,
  -- What was sold with it, its paid packs, and what an operator added.
  quota_units integer not null check (quota_units > 0),
  activation_id text not null,
  customer_id text not null,
  mandate_id text not null,
  pack_id text not null,
  units integer check (units > 0),
  -- Null: it is withheld, and had no price.
  amount_paise bigint check (amount_paise >= 100),
  -- SKIPPED: by the customer, for good. ASKED: its order is debited.
  state text not null check (state in ('ANNOUNCED', 'WITHHELD', 'SKIPPED', 'ASKED')),
  -- Why there is no debit, or nothing came of it.
  reason text,
  -- When the customer was told last, and when the units were to end by then.
  told_at timestamptz not null,
  ends_at timestamptz not null,
  order_id text unique references payment_orders,
  primary key (cycle_id, quota_units),
  foreign key (cycle_id, activation_id, customer_id) references cycles (id, activation_id, customer_id),
  foreign key (mandate_id, activation_id, customer_id) references mandates (id, activation_id, customer_id),
  constraint recharges_reason_check check (case state when 'WITHHELD' then reason is not null when 'ASKED' then true else reason is null end),
  constraint recharges_amount_check check (amount_paise is not null and units is not null or state = 'WITHHELD'),
  constraint recharges_order_check check ((order_id is not null) = (state = 'ASKED'))
);
create index recharges_activation on recharges (activation_id, told_at);
create index recharges_customer on recharges (customer_id);
create index recharges_mandate on recharges (mandate_id);

create or replace function recharges_move_forward() returns trigger language plpgsql as $$
begin
  if (new.cycle_id, new.quota_units, new.activation_id, new.customer_id) is distinct from (old.cycle_id, old.quota_units, old.activation_id, old.customer_id)
     or old.state in ('SKIPPED', 'ASKED') and (to_jsonb(new) - 'reason' <> to_jsonb(old) - 'reason' or old.reason is not null and new.reason is distinct from old.reason)
  then
    raise exception 'the recharge of % with % units is over', old.cycle_id, old.quota_units;
  end if;
  if new.state = 'ASKED' and old.state <> 'ASKED' and (old.state <> 'ANNOUNCED' or (new.mandate_id, new.pack_id, new.units, new.amount_paise, new.told_at)
      is distinct from (old.mandate_id, old.pack_id, old.units, old.amount_paise, old.told_at)) then
    raise exception 'the recharge of % with % units was not told as it is asked for', old.cycle_id, old.quota_units;
  end if;
  return new;
end $$;
create trigger recharges_move_forward before update on recharges for each row execute function recharges_move_forward();

-- What the other debits of packs take of a month: those that were asked for in it, were taken in it, or may be.
create or replace function recharged_paise(p_activation text, p_month date, p_but text) returns bigint language sql stable as $$
  select coalesce(sum(amount_paise), 0) from mandate_debits
  where activation_id = p_activation and first_day is null and order_id <> p_but and state in ('ASKED', 'SENT', 'PAID')
    and date_trunc('month', asked_at at time zone 'Asia/Kolkata') <= p_month
    and date_trunc('month', coalesce(ended_at, asked_at + interval '48 hours') at time zone 'Asia/Kolkata') >= p_month
$$;

-- The mandate is locked: of two debits at the same time the second one sees the first.
create or replace function require_within_month(d mandate_debits, m mandates) returns void language plpgsql as $$
declare
  month date;
begin
  foreach month in array array[date_trunc('month', d.asked_at at time zone 'Asia/Kolkata')::date,
    date_trunc('month', coalesce(d.ended_at, d.asked_at + interval '48 hours') at time zone 'Asia/Kolkata')::date]
  loop
    if recharged_paise(d.activation_id, month, d.order_id) + d.amount_paise > coalesce(m.recharge_monthly_paise, 0) then
      raise exception 'with % paise the recharges of mandate % are above what was agreed for the month of %', d.amount_paise, m.id, month
        using constraint = 'recharges_within_month';
    end if;
  end loop;
end $$;

-- A debit of a pack is asked for as the customer agreed to it and was told.
create or replace function require_recharge(d mandate_debits, m mandates, c cycles) returns void language plpgsql as $$
declare
  r recharges;
begin
  select * into r from recharges where order_id = d.order_id;
  if r.order_id is null or r.cycle_id is distinct from c.adds_to or r.mandate_id <> m.id or r.pack_id <> c.plan ->> 'planId' or r.units <> c.monthly_quota or r.amount_paise <> d.amount_paise
     or m.recharge_pack_id is distinct from r.pack_id or m.expires_on <= c.from_date or c.status <> 'PAYMENT_PENDING' or c.price_paise <> d.amount_paise
     or d.state <> 'ASKED' or not exists (select from cycles p where p.id = c.adds_to and p.status in ('PAID', 'NO_PAYMENT_REQUIRED')
       and p.plan ->> 'planId' = m.plan_id) then
    raise exception 'pack % may not be debited by mandate %', c.id, m.id using constraint = 'mandate_debits_agreed';
  end if;
  if r.told_at > d.asked_at - interval '24 hours' then
    raise exception 'the debit of pack % was told within a day', c.id using constraint = 'recharges_told_before';
  end if;
  if r.told_at < m.recharge_agreed_at then
    raise exception 'the debit of pack % was told before it was agreed to', c.id using constraint = 'recharges_told_since';
  end if;
  -- After two days nobody waits for an answer.
  if exists (select from mandate_debits other where other.mandate_id = m.id and other.first_day is null and other.state in ('ASKED', 'SENT')
       and other.asked_at > d.asked_at - interval '48 hours') then
    raise exception 'another debit of a pack of mandate % may still be answered', m.id using constraint = 'mandate_debits_one_live_recharge';
  end if;
  perform require_within_month(d, m);
end $$;

-- What the bank takes late, or after the customer has agreed to less, is given back.
create or replace function require_recharge_kept(d mandate_debits) returns void language plpgsql as $$
declare
  m mandates;
begin
  select * into m from mandates where id = d.mandate_id for update;
  if m.state not in ('IN_FORCE', 'PAUSED') or m.recharge_agreed_at > d.asked_at
     or m.recharge_pack_id is distinct from (select pack_id from recharges where order_id = d.order_id) then
    raise exception 'debit % was turned off before it was paid', d.order_id using constraint = 'recharges_agreed_still';
  end if;
  if d.ended_at >= (select (p.to_date - 1)::timestamp at time zone 'Asia/Kolkata' from recharges r join cycles p on p.id = r.cycle_id where r.order_id = d.order_id) then
    raise exception 'debit % pays for less than a day of its plan', d.order_id using constraint = 'recharges_in_time';
  end if;
  perform require_within_month(d, m);
end $$;

create trigger erased_get_nothing before insert on recharges for each row execute function erased_get_nothing();
create trigger never_deleted before delete on recharges for each row execute function never_change();
create trigger never_emptied before truncate on recharges execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on recharges for each row execute function note_ledger_change('customer');
alter table recharges enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on recharges for each row execute function seal_record('cycle_id,quota_units');
