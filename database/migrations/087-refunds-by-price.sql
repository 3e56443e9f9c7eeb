-- Tax deducted at source is a part of the price that the Government pays: what is refunded of the price may exceed what the provider has left,
-- and the rest is transferred (product §6.27). What the portal gives back by the rule of a plan is bounded by its days and units (product §4.12, §4.23).
create function most_given_back(c cycles) returns bigint language plpgsql stable as $$
declare
  ended date := (c.ended_at at time zone 'Asia/Kolkata')::date;
  price numeric;
  days integer;
  units bigint;
begin
  if c.adds_to is null and ended < c.from_date then return c.price_paise; end if;
  if c.plan ->> 'onDeactivate' is distinct from 'refund-unused' then return 0; end if;
  if c.adds_to is not null then
    return case when pack_units_taken(c.adds_to) <= (select coalesce(sum(b.monthly_quota), 0) from cycles b
      where b.adds_to = c.adds_to and (b.paid_at, b.id) < (c.paid_at, c.id)) then c.price_paise else 0 end;
  end if;
  price := c.price_paise - (select coalesce(sum(amount_paise), 0) from refunds where cycle_id = c.id and origin in ('EXCESS_TAX', 'CORRECTION'));
  days := greatest(c.to_date - ended - 1, 0);
  units := greatest(c.monthly_quota - coalesce((select taken from quota_cycles where cycle_id = c.id), 0), 0);
  return ceil(least(price * days / (c.to_date - c.from_date), case when c.monthly_quota > 0 then price * units / c.monthly_quota end));
end $$;

create or replace function refunds_are_due() returns trigger language plpgsql as $$
declare
  r refunds;
  p payments;
  c cycles;
  paid bigint;
  given_back bigint;
  deducted bigint;
  covering bigint;
  covered bigint;
begin
  select * into r from refunds where id = new.id;
  select * into p from payments where provider_payment_id = r.payment_id;
  select * into c from cycles where id = r.cycle_id;
  select case p.use when 'CYCLE' then oc.amount_paise else p.amount_paise end into paid
    from order_cycles oc where oc.order_id = p.order_id and oc.cycle_id = r.cycle_id and (p.use = 'CYCLE' or oc.place = 1);
  select sum(amount_paise - covers_paise), coalesce(sum(amount_paise) filter (where origin = 'TDS'), 0), sum(covers_paise), sum(covered_paise)
    into given_back, deducted, covering, covered
    from refunds where payment_id = r.payment_id and cycle_id = r.cycle_id;
  if p.status <> 'captured' or paid is null or given_back - deducted > paid or covering <> covered
     or r.loss_paise > 0 and given_back < paid
     or p.use = 'REFUND' and r.origin = 'PORTAL' and r.amount_paise <> p.amount_paise
     or p.use = 'CYCLE' and c.status not in ('DEACTIVATED', 'REFUNDED') and (r.origin = 'PORTAL' or c.status <> 'PAID')
     or p.use = 'CYCLE' and (c.status = 'PAID' and given_back >= paid or c.status = 'REFUNDED' and given_back < paid)
     or r.origin = 'TDS' and (p.use <> 'CYCLE' or not exists (select from tds_claims t where t.refund_id = r.id and t.status = 'ACCEPTED'
       and t.cycle_id = r.cycle_id and t.amount_paise = r.amount_paise)) then
    raise exception 'refund % of payment % is not due', r.id, r.payment_id;
  end if;
  -- The provider refunds no more than was paid.
  if tg_op = 'INSERT' and r.payout = 'PROVIDER' and r.amount_paise > r.covers_paise and given_back > paid then
    raise exception 'the provider has less left of payment % than refund %', r.payment_id, r.id;
  end if;
  -- The provider pays nothing below a rupee (decision 055).
  if tg_op = 'INSERT' and r.origin = 'OPERATOR' and paid - given_back + deducted between 1 and 99 then
    raise exception 'refund % leaves less than a rupee', r.id;
  end if;
  if tg_op = 'INSERT' and r.origin = 'PORTAL' and p.use = 'CYCLE' and c.status = 'DEACTIVATED' and r.amount_paise < 100 then
    raise exception 'refund % of unused days is less than a rupee', r.id;
  end if;
  if (p.use = 'CYCLE' and r.amount_paise > r.covers_paise) <> exists (select from ledger_lines where entry_id = 'due:' || r.id
       and account = case r.origin when 'TDS' then 'tds' else 'cycles' end and amount_paise = r.amount_paise - r.covers_paise)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_lines where entry_id = 'paid:' || r.id
       and account = case r.payout when 'TRANSFER' then 'bank' else 'provider' end and amount_paise = r.covered_paise - r.amount_paise)
     or (r.status = 'PROCESSED' and r.loss_paise > 0) <> exists (select from ledger_lines where entry_id = 'loss:' || r.id
       and account = 'losses' and amount_paise = r.loss_paise) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  -- A call may have taken a unit since the portal looked: the transaction is run again.
  if tg_op = 'INSERT' and r.origin = 'PORTAL' and p.use = 'CYCLE' and r.amount_paise > most_given_back(c) then
    raise exception 'refund % is over more than is unused of cycle %', r.id, c.id using errcode = 'serialization_failure';
  end if;
  return null;
end $$;

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
  select coalesce(sum(r.amount_paise - r.covers_paise), 0) into given_back
    from refunds r join cycle_payments p on p.provider_payment_id = r.payment_id and p.cycle_id = r.cycle_id where p.cycle_id = c.id;
  if c.status = 'PAID' and given_back >= c.price_paise or c.status = 'REFUNDED' and given_back < c.price_paise then
    raise exception 'cycle % is % while % paise of it are given back', c.id, c.status, given_back;
  end if;
  return null;
end $$;

-- How much it gives back is a rule of refunds_are_due.
create or replace function replaced_cycles_give_back() returns trigger language plpgsql as $$
begin
  if not exists (select from cycles c join cycles n on n.replaces = c.id and n.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      where c.id = new.cycle_id and c.status = 'DEACTIVATED') then
    raise exception 'refund % of the replaced cycle % is not due', new.id, new.cycle_id;
  end if;
  return null;
end $$;
