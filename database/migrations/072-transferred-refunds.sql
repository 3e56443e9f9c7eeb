-- safe beside older versions: they write none of the new columns, and what they write keeps the new checks, but for promises below one rupee that
-- nobody could pay.
-- Refunds that the payment provider can't pay (decision 055): older than six months, or below one rupee. The operator transfers the money from
-- the bank account, which the UTR of the transfer proves.
alter table refunds
  add column payout text not null default 'PROVIDER' check (payout in ('PROVIDER', 'TRANSFER')),
  add column utr text check (utr ~ '^[A-Z0-9]{6,30}$'),
  add column transferred_on date,
  -- Since when the provider refuses it, and its words; null once it was accepted.
  add column refused_at timestamptz,
  add column refusal text,
  add constraint refunds_transfer_day_check check (transferred_on between (created_at at time zone 'Asia/Kolkata')::date
    and (settled_at at time zone 'Asia/Kolkata')::date),
  add constraint refunds_refusal_check check ((refused_at is null) = (refusal is null)),
  -- Done by hand: with its UTR and day, and without one only when money refunded elsewhere covers all of it.
  add constraint refunds_transfer_check check ((utr is null) = (transferred_on is null) and (utr is null or payout = 'TRANSFER') and (payout = 'PROVIDER'
    or foreign_id is null and provider_refund_id is null and next_try_at is null and status in ('STARTED', 'PROCESSED')
      and (status = 'PROCESSED' and covered_paise < amount_paise) = (utr is not null))),
  -- What the provider has accepted is at least a rupee.
  add constraint refunds_least_check check (payout = 'TRANSFER' or foreign_id is not null or provider_refund_id is null
    or amount_paise - covered_paise >= 100) not valid;

-- For the health report, which is read every few seconds.
create index refunds_unpaid on refunds (created_at) where status in ('STARTED', 'FAILED');

create or replace function refunds_are_due() returns trigger language plpgsql as $$
declare
  r refunds;
  p payments;
  c cycles;
  paid bigint;
  given_back bigint;
  covering bigint;
  covered bigint;
begin
  select * into r from refunds where id = new.id;
  select * into p from payments where provider_payment_id = r.payment_id;
  select * into c from cycles where id = r.cycle_id;
  select case p.use when 'CYCLE' then oc.amount_paise else p.amount_paise end into paid
    from order_cycles oc where oc.order_id = p.order_id and oc.cycle_id = r.cycle_id and (p.use = 'CYCLE' or oc.place = 1);
  select sum(amount_paise - covers_paise), sum(covers_paise), sum(covered_paise) into given_back, covering, covered
    from refunds where payment_id = r.payment_id and cycle_id = r.cycle_id;
  if p.status <> 'captured' or paid is null or given_back > paid or covering <> covered
     or p.use = 'REFUND' and r.origin = 'PORTAL' and r.amount_paise <> p.amount_paise
     or p.use = 'CYCLE' and c.status not in ('DEACTIVATED', 'REFUNDED') and (r.origin = 'PORTAL' or c.status <> 'PAID')
     or p.use = 'CYCLE' and (c.status = 'PAID' and given_back = paid or c.status = 'REFUNDED' and given_back <> paid)
     or r.origin = 'TDS' and (p.use <> 'CYCLE' or not exists (select from tds_claims t where t.refund_id = r.id and t.status = 'ACCEPTED'
       and t.cycle_id = r.cycle_id and t.amount_paise = r.amount_paise)) then
    raise exception 'refund % of payment % is not due', r.id, r.payment_id;
  end if;
  -- The provider pays nothing below a rupee (decision 055).
  if tg_op = 'INSERT' and r.origin = 'OPERATOR' and paid - given_back between 1 and 99 then
    raise exception 'refund % leaves less than a rupee', r.id;
  end if;
  if tg_op = 'INSERT' and r.origin = 'PORTAL' and p.use = 'CYCLE' and c.status = 'DEACTIVATED' and r.amount_paise < 100 then
    raise exception 'refund % of unused days is less than a rupee', r.id;
  end if;
  if (p.use = 'CYCLE' and r.amount_paise > r.covers_paise) <> exists (select from ledger_lines where entry_id = 'due:' || r.id
       and account = case r.origin when 'TDS' then 'tds' else 'cycles' end and amount_paise = r.amount_paise - r.covers_paise)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_lines where entry_id = 'paid:' || r.id
       and account = case r.payout when 'TRANSFER' then 'bank' else 'provider' end and amount_paise = r.covered_paise - r.amount_paise) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  return null;
end $$;

create or replace function refunds_move_forward() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.cycle_id, new.customer_id, new.amount_paise, new.reason, new.created_at, new.origin, new.foreign_id, new.covers_paise)
     is distinct from (old.id, old.payment_id, old.cycle_id, old.customer_id, old.amount_paise, old.reason, old.created_at, old.origin, old.foreign_id, old.covers_paise)
     or new.covered_paise < old.covered_paise then
    raise exception 'what refund % is never changes', old.id;
  end if;
  if (old.status = 'PROCESSED' and (new.status, new.settled_at, new.covered_paise) is distinct from (old.status, old.settled_at, old.covered_paise))
     or new.attempt < old.attempt
     or (new.attempt = old.attempt and (
          (old.status <> 'STARTED' and new.status = 'STARTED')
          or (old.status = 'FAILED' and new.status not in ('FAILED', 'PROCESSED'))
          or (old.status = 'FAILED' and new.status = 'PROCESSED' and new.covered_paise <> new.amount_paise)
          or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)))
     or (new.attempt > old.attempt and old.status <> 'FAILED')
     or (old.payout = 'PROVIDER' and new.payout = 'TRANSFER' and old.status <> 'STARTED')
     or (old.payout = 'TRANSFER' and new.payout = 'PROVIDER' and new.provider_refund_id is null)
     or (old.status = 'PROCESSED' and (new.payout, new.utr, new.transferred_on) is distinct from (old.payout, old.utr, old.transferred_on)) then
    raise exception 'refund % cannot go from % (attempt %) to % (attempt %)', old.id, old.status, old.attempt, new.status, new.attempt;
  end if;
  return new;
end $$;

-- At the commit: a transfer is in the audit log, and one transfer pays refunds of one customer.
create function refund_transfers_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'refunds.transfer' and a.target = new.id and a.customer_id = new.customer_id
      and a.effect ->> 'utr' = new.utr) then
    raise exception 'the transfer of refund % is not in the audit log', new.id;
  end if;
  if exists (select from refunds r where r.utr = new.utr and r.customer_id <> new.customer_id) then
    raise exception 'transfer % pays refunds of two customers', new.utr;
  end if;
  return null;
end $$;
create index refunds_utr on refunds (utr) where utr is not null;
create constraint trigger refund_transfers_are_recorded after insert or update of utr on refunds deferrable initially deferred
  for each row when (new.utr is not null) execute function refund_transfers_are_recorded();

-- The seals of refunds that the provider pays stay as they are.
create or replace function seal_of_refunds(r refunds) returns bytea language sql immutable as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, r.status, r.provider_refund_id,
    r.attempt, seal_text(r.created_at), seal_text(r.settled_at), r.origin, r.foreign_id, r.covers_paise, r.covered_paise)
    || case r.payout when 'TRANSFER' then jsonb_build_array(r.payout, r.utr, seal_text(r.transferred_on)) else '[]'::jsonb end)::text, 'UTF8'))
$$;
drop trigger sealed on refunds;
create trigger sealed after insert or delete or update of status, provider_refund_id, attempt, settled_at, covered_paise, amount_paise, reason, origin,
  foreign_id, covers_paise, created_at, payment_id, cycle_id, customer_id, id, payout, utr, transferred_on on refunds
  for each row execute function seal_record('id');
