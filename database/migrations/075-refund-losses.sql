-- What the provider refunded beyond the captured amount, because a lost dispute or a bank transfer had paid it already: the customer has it twice,
-- and it is a loss of ours, not a refund (decision 034). A refund of which nothing else is left has the amount 0.
alter table refunds add column loss_paise bigint not null default 0
  constraint refunds_loss_check check (loss_paise >= 0 and (loss_paise = 0 or origin = 'PROVIDER' and payout = 'PROVIDER'));
alter table refunds drop constraint refunds_amount_paise_check,
  add constraint refunds_amount_paise_check check (amount_paise > 0 or amount_paise = 0 and origin = 'PROVIDER');

-- A refund on the provider's dashboard that a bank returned is repeated by the portal, and so may become a transfer as any other.
alter table refunds drop constraint refunds_transfer_check,
  add constraint refunds_transfer_check check ((utr is null) = (transferred_on is null) and (utr is null or payout = 'TRANSFER')
  and (payout = 'PROVIDER' or origin <> 'DISPUTE' and provider_refund_id is null and next_try_at is null and status in ('STARTED', 'PROCESSED')
    and (status = 'PROCESSED' and covered_paise < amount_paise) = (utr is not null)));

-- A loss that a bank returns is none: the refund is repeated without it, or done if it was nothing else.
create or replace function refunds_move_forward() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.cycle_id, new.customer_id, new.amount_paise, new.reason, new.created_at, new.origin, new.foreign_id, new.covers_paise)
     is distinct from (old.id, old.payment_id, old.cycle_id, old.customer_id, old.amount_paise, old.reason, old.created_at, old.origin, old.foreign_id, old.covers_paise)
     or new.covered_paise < old.covered_paise
     or new.loss_paise <> old.loss_paise and not (new.loss_paise = 0 and (new.status = 'FAILED' or new.status = 'PROCESSED' and new.amount_paise = 0)) then
    raise exception 'what refund % is never changes', old.id;
  end if;
  if (old.status = 'PROCESSED' and (new.status, new.settled_at, new.covered_paise, new.loss_paise)
       is distinct from (old.status, old.settled_at, old.covered_paise, old.loss_paise))
     or new.status = 'FAILED' and new.loss_paise > 0
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
     or r.loss_paise > 0 and given_back <> paid
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
       and account = case r.payout when 'TRANSFER' then 'bank' else 'provider' end and amount_paise = r.covered_paise - r.amount_paise)
     or (r.status = 'PROCESSED' and r.loss_paise > 0) <> exists (select from ledger_lines where entry_id = 'loss:' || r.id
       and account = 'losses' and amount_paise = r.loss_paise) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  return null;
end $$;

-- Seals of refunds without a loss stay as they are; a transfer never has one.
create or replace function seal_of_refunds(r refunds) returns bytea language sql immutable as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, r.status, r.provider_refund_id,
    r.attempt, seal_text(r.created_at), seal_text(r.settled_at), r.origin, r.foreign_id, r.covers_paise, r.covered_paise)
    || case r.payout when 'TRANSFER' then jsonb_build_array(r.payout, r.utr, seal_text(r.transferred_on)) else '[]'::jsonb end
    || case r.loss_paise when 0 then '[]'::jsonb else jsonb_build_array(r.loss_paise) end)::text, 'UTF8'))
$$;
create or replace trigger sealed after insert or delete or update of status, provider_refund_id, attempt, settled_at, covered_paise, amount_paise, reason,
  origin, foreign_id, covers_paise, created_at, payment_id, cycle_id, customer_id, id, payout, utr, transferred_on, loss_paise on refunds
  for each row execute function seal_record('id');
