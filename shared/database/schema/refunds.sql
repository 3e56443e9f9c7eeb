-- Money that goes back, for whatever reason: a plan ends, an operator decides, too much tax was charged, tax was deducted, or Razorpay or a bank has done
-- it already (`origin`).
--
-- A refund is promised and booked at once, and then carried out: by Razorpay under an idempotency key for each attempt, or by bank transfer where Razorpay can't
-- (decision 055). What others paid of it reduces what is asked for (`covered_paise`); a refund made elsewhere first pays what was promised (`covers_paise`).
-- `refunds_are_due` says at the commit what may be promised: never more than was paid, nor more than is unused where the plan's own rule decides.

create table refunds (
  id text primary key check (id like 'RFD-%'),
  payment_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null,
  reason text not null,
  status text not null check (status in ('STARTED', 'PENDING', 'PROCESSED', 'FAILED')),
  provider_refund_id text,
  -- A bank may send a refund back; the next attempt is a new one for the provider, under a new idempotency key.
  attempt integer not null default 1 check (attempt > 0),
  -- How often the provider was asked, and when (of the machine's clock) it is asked next; null: no more.
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz default clock_timestamp(),
  created_at timestamptz not null,
  settled_at timestamptz,
  origin text not null default 'PORTAL' check (origin in ('PORTAL', 'OPERATOR', 'EXCESS_TAX', 'CORRECTION', 'TDS', 'PROVIDER', 'DISPUTE')),
  -- Of the unused days of a plan that another one replaced: due only once that one has started.
  of_replaced boolean not null default false constraint refunds_of_replaced_check check (not of_replaced or origin = 'PORTAL'),
  -- The provider's id of the refund that was made there, or of the lost dispute: each is booked once, whatever becomes of it.
  foreign_id text,
  -- So much of it pays what another refund of the payment had promised, and nothing new becomes due by it.
  covers_paise bigint not null default 0,
  -- So much of it was paid by others: the provider is asked for the rest.
  covered_paise bigint not null default 0,
  -- So much of that never came: the customer had withheld it from its bank transfer as tax, no certificate proved it, and it is receivable no more.
  withheld_paise bigint not null default 0,
  -- So much of that only lowered what was due of a bill on terms: first what is due, and only the rest is paid out (decision 081).
  offset_paise bigint not null default 0,
  -- Refunds that the payment provider can't pay (decision 055): older than six months, or below one rupee. The operator transfers the money from
  -- the bank account, which the UTR of the transfer proves.
  -- WITHHELD: tax that was deducted from a bank transfer (decision 075). It never came, and is the Government's to pay from then on.
  -- OFFSET: of a bill on terms that is not paid. All of it reduces what is due (`offset_paise`), and nothing is paid out (decision 081).
  payout text not null default 'PROVIDER' check (payout in ('PROVIDER', 'TRANSFER', 'WITHHELD', 'OFFSET')),
  utr text check (utr ~ '^[A-Z0-9]{6,30}$'),
  transferred_on date,
  -- The day on which the books have the transfer, or what was withheld: that of the transfer, or on which the money came; that of the recording where the
  -- figures of that day are locked.
  booked_on date,
  -- Since when the provider refuses it, and its words; null once it was accepted.
  refused_at timestamptz,
  refusal text,
  -- What the provider refunded beyond the price, because a lost dispute or a bank transfer had paid it already: the customer has it twice,
  -- and it is a loss of ours, not a refund (decision 034). A refund of which nothing else is left has the amount 0.
  loss_paise bigint not null default 0
    constraint refunds_loss_check check (loss_paise >= 0 and (loss_paise = 0 or foreign_id is not null and origin <> 'DISPUTE' and payout = 'PROVIDER')),
  -- The provider is asked about each that it is to pay, until it has: one that nobody asks about would never be paid.
  constraint refunds_asked_check check (status = 'PROCESSED' or payout = 'TRANSFER' or next_try_at is not null),
  constraint refunds_check check ((status = 'PROCESSED') = (settled_at is not null)),
  constraint refunds_check3 check (covered_paise between 0 and amount_paise),
  constraint refunds_withheld_part_check check (withheld_paise between 0 and covered_paise and (withheld_paise = 0 or origin <> 'TDS')),
  constraint refunds_check2 check (covers_paise between 0 and amount_paise and (foreign_id is not null or covers_paise = 0)),
  foreign key (payment_id, customer_id) references payments (provider_payment_id, customer_id),
  foreign key (cycle_id) references cycles (id),
  -- A correction or TDS with an id of the provider was refunded before the database was restored from a backup.
  constraint refunds_check1 check (case when origin in ('PROVIDER', 'DISPUTE') then foreign_id is not null
    when origin not in ('CORRECTION', 'TDS') then foreign_id is null else true end),
  constraint refunds_transfer_day_check check (transferred_on between (created_at at time zone 'Asia/Kolkata')::date
    and (settled_at at time zone 'Asia/Kolkata')::date),
  constraint refunds_booked_day_check check ((booked_on is null) = (utr is null and payout <> 'WITHHELD')
    and (payout = 'WITHHELD' or booked_on = transferred_on or booked_on = (settled_at at time zone 'Asia/Kolkata')::date)),
  constraint refunds_refusal_check check ((refused_at is null) = (refusal is null)),
  constraint refunds_amount_paise_check check (amount_paise > 0 or amount_paise = 0 and foreign_id is not null and origin <> 'DISPUTE'),
  constraint refunds_transfer_check check ((utr is null) = (transferred_on is null) and (utr is null or payout = 'TRANSFER')
    and (payout <> 'TRANSFER' or origin <> 'DISPUTE' and provider_refund_id is null and next_try_at is null and status in ('STARTED', 'PROCESSED')
    and (status = 'PROCESSED' and covered_paise < amount_paise) = (utr is not null))),
  constraint refunds_withheld_check check (payout <> 'WITHHELD' or origin = 'TDS' and status = 'PROCESSED' and settled_at = created_at and foreign_id is null
    and provider_refund_id is null and covered_paise = 0 and covers_paise = 0 and next_try_at is null),
  constraint refunds_offset_part_check check (offset_paise between 0 and covered_paise - withheld_paise
    and (offset_paise = 0 or foreign_id is null and payout in ('TRANSFER', 'OFFSET'))),
  constraint refunds_offset_check check (payout <> 'OFFSET' or status = 'PROCESSED' and settled_at = created_at and foreign_id is null
    and provider_refund_id is null and covered_paise = amount_paise and offset_paise = amount_paise - withheld_paise and offset_paise > 0
    and covers_paise = 0 and next_try_at is null),
  -- What the provider has accepted is at least a rupee.
  constraint refunds_least_check check (payout = 'TRANSFER' or foreign_id is not null or provider_refund_id is null
    or amount_paise - covered_paise >= 100)
);
create index refunds_next_try on refunds (next_try_at) where next_try_at is not null;
create index refunds_customer on refunds (customer_id);
create index refunds_payment on refunds (payment_id);
create index refunds_foreign on refunds (created_at) where foreign_id is not null;
create unique index refunds_booked_once on refunds (foreign_id, cycle_id);
create unique index refunds_at_provider_once on refunds (provider_refund_id, cycle_id);
create unique index refunds_ours_at_provider on refunds (provider_refund_id) where foreign_id is null;
create index refunds_cycle on refunds (cycle_id);
create unique index refunds_one_of_ours on refunds (payment_id, cycle_id, origin, (payout = 'WITHHELD')) where foreign_id is null and origin <> 'OPERATOR';
create unique index refunds_by_operator_once on refunds (payment_id, cycle_id, amount_paise, reason) where origin = 'OPERATOR';
-- For the health report, which is read every few seconds.
create index refunds_unpaid on refunds (created_at) where status <> 'PROCESSED';
create index refunds_utr on refunds (bank_number(utr)) where utr is not null;
create index refunds_booked on refunds (booked_on) where booked_on is not null;

-- The figures of a locked month never change by a transfer that is recorded later. Locking waits for it, so its trial balance has it.
create or replace function refunds_book_transfer() returns trigger language plpgsql as $$
declare
  own_day date := case new.payout when 'WITHHELD' then money_came_on(new.payment_id) else new.transferred_on end;
begin
  if tg_op = 'INSERT' or old.utr is null and new.payout <> 'WITHHELD' then
    new.booked_on := case when figures_are_locked(own_day) then (new.settled_at at time zone 'Asia/Kolkata')::date else own_day end;
  end if;
  return new;
end $$;
create trigger refunds_book_transfer before insert or update on refunds for each row when (new.utr is not null or new.payout = 'WITHHELD')
  execute function refunds_book_transfer();

-- A loss that a bank returns is none: the refund is repeated without it, or done if it was nothing else.
create or replace function refunds_move_forward() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.cycle_id, new.customer_id, new.amount_paise, new.reason, new.created_at, new.origin, new.of_replaced, new.foreign_id,
      new.covers_paise, new.withheld_paise, new.offset_paise)
     is distinct from (old.id, old.payment_id, old.cycle_id, old.customer_id, old.amount_paise, old.reason, old.created_at, old.origin, old.of_replaced,
      old.foreign_id, old.covers_paise, old.withheld_paise, old.offset_paise)
     or new.covered_paise < old.covered_paise
     or new.loss_paise <> old.loss_paise and not (new.loss_paise = 0 and (new.status = 'FAILED' or new.status = 'PROCESSED' and new.amount_paise = 0)) then
    raise exception 'refund %: payment, amount and reason can''t change', old.id;
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
     or (old.payout = 'PROVIDER' and new.payout = 'TRANSFER' and old.status not in ('STARTED', 'FAILED'))
     or (old.payout = 'TRANSFER' and new.payout = 'PROVIDER' and new.provider_refund_id is null)
     or (old.status = 'PROCESSED' and (new.payout, new.utr, new.transferred_on, new.booked_on)
       is distinct from (old.payout, old.utr, old.transferred_on, old.booked_on)) then
    raise exception 'refund % cannot go from % (attempt %) to % (attempt %)', old.id, old.status, old.attempt, new.status, new.attempt;
  end if;
  return new;
end $$;
create trigger refunds_move_forward before update on refunds for each row execute function refunds_move_forward();

-- What of the price of a cycle never came: tax that was withheld from its bank transfer, neither proved by a certificate nor reversed by a refund. What the
-- provider paid back of it for a certificate, before a restore lost that, is not proved any more.
create or replace function unproved_tax(p_cycle text) returns bigint language sql stable as $$
  select case when exists (select from tds_claims where cycle_id = p_cycle and status = 'ACCEPTED') then 0
    when bool_or(payout = 'WITHHELD') then sum(amount_paise) filter (where origin = 'TDS') - sum(withheld_paise) else 0 end::bigint
  from refunds where cycle_id = p_cycle
$$;

-- At the commit: never more goes back than was paid for the cycle, nor in cash than came for it, and of a part of its price no greater part in cash; GST that
-- was not due is all cash, as tax is deducted from the value without it. A cycle whose whole price went back gives no access.
-- Each rule has a name.
create or replace function refunds_are_due() returns trigger language plpgsql as $$
declare
  broken text;
  r refunds;
  p payments;
  c cycles;
  paid bigint;
  given_back bigint;
  deducted bigint;
  covering bigint;
  covered bigint;
  reversed bigint;
  withheld bigint;
  excess bigint;
  unproved bigint;
  own bigint;
  covered_tax bigint;
  -- The promise where it is of a bill on terms, and the money that came for that and has not gone back: after a loss more may come.
  promise text;
  cash_left bigint;
begin
  select * into r from refunds where id = new.id;
  select * into p from payments where provider_payment_id = r.payment_id;
  select * into c from cycles where id = r.cycle_id;
  select case p.use when 'CYCLE' then oc.amount_paise else p.amount_paise end into paid
    from order_cycles oc where oc.order_id = p.order_id and oc.cycle_id = r.cycle_id and (p.use = 'CYCLE' or oc.place = 1);
  select sum(amount_paise - covers_paise), coalesce(sum(amount_paise) filter (where origin = 'TDS'), 0), sum(withheld_paise),
      coalesce(sum(amount_paise) filter (where payout = 'WITHHELD'), 0),
      coalesce(sum(amount_paise - covers_paise) filter (where origin in ('EXCESS_TAX', 'CORRECTION')), 0)
    into given_back, deducted, reversed, withheld, excess
    from refunds where payment_id = r.payment_id and cycle_id = r.cycle_id;
  select payment_id into promise from credit_bills where cycle_id = p.cycle_id and (payment_id = p.provider_payment_id or p.use = 'DUE');
  cash_left := cash_left_of_bill(promise);
  select sum(amount_paise - covered_paise) into own from refunds where payment_id = r.payment_id;
  -- What went back of the money of a bill covers what the promise gives back.
  select sum(covers_paise), sum(covered_paise - offset_paise), sum(withheld_paise) into covering, covered, covered_tax
    from refunds where cycle_id = r.cycle_id and (payment_id in (r.payment_id, promise)
      or payment_id in (select money_id from payment_money where payment_id = promise));
  unproved := case p.use when 'CYCLE' then unproved_tax(r.cycle_id) else 0 end;
  broken := case
    when p.status <> 'captured' then 'of_captured_money'
    when paid is null then 'of_a_cycle_that_was_paid'
    when given_back - deducted > paid then 'within_the_price'
    when given_back - deducted > paid - unproved or withheld > 0 and given_back - withheld - reversed > paid then 'within_what_came'
    when unproved > 0 and reversed::numeric * paid < withheld::numeric * (given_back - deducted - excess) then 'cash_in_proportion'
    when reversed > case when withheld > 0 then deducted else 0 end then 'reverses_what_was_withheld'
    when covering <> covered - covered_tax then 'covers_what_is_covered'
    when cash_left < 0 then 'within_what_came_for_the_bill'
    when tg_op = 'INSERT' and r.payout = 'TRANSFER' and (select b.owed_paise from credit_bills b where b.payment_id = r.payment_id) > 0 then 'less_is_due_first'
    when r.loss_paise > 0 and case p.use when 'DUE' then tg_op = 'INSERT' and cash_left > 0 and own < paid else given_back - deducted < paid - unproved end
      then 'loss_only_beyond_the_price'
    when p.use = 'REFUND' and r.origin = 'PORTAL' and r.amount_paise <> p.amount_paise then 'unused_payment_as_a_whole'
    when p.use = 'CYCLE' and r.origin = 'PORTAL' and c.status not in ('DEACTIVATED', 'REFUNDED') then 'by_its_rule_once_it_ended'
    when p.use = 'CYCLE' and c.status not in ('DEACTIVATED', 'REFUNDED', 'PAID') then 'of_a_cycle_that_gave_access'
    when p.use = 'CYCLE' and c.status = 'PAID' and given_back - reversed >= paid then 'no_access_without_its_price'
    when p.use = 'CYCLE' and c.status = 'REFUNDED' and given_back - reversed < paid then 'refunded_is_all_of_it'
    when r.payout = 'WITHHELD' and p.use <> 'CYCLE' then 'withheld_of_a_price'
    when r.offset_paise > 0 and p.method <> 'terms' or r.payout = 'PROVIDER' and p.method = 'terms' then 'a_bill_is_offset'
    when r.origin = 'TDS' and r.payout <> 'WITHHELD' and r.foreign_id is null and (p.use <> 'CYCLE' or not exists (select from tds_claims t where t.refund_id = r.id and t.status = 'ACCEPTED'
      and t.cycle_id = r.cycle_id and t.amount_paise = r.amount_paise)
      and not ((tg_op = 'UPDATE' or deducted - withheld = reversed) and exists (select from tds_claims t join refunds w on w.id = t.refund_id and w.payout = 'WITHHELD'
        where t.cycle_id = r.cycle_id and t.status = 'ACCEPTED'))) then 'tds_of_an_accepted_claim'
  end;
  if broken is not null then
    raise exception 'refund % of payment % is not due (%)', r.id, r.payment_id, broken;
  end if;
  -- The provider is asked for no more than was paid.
  if tg_op = 'INSERT' and r.payout = 'PROVIDER' and r.foreign_id is null and r.amount_paise > r.covers_paise and r.amount_paise > r.covered_paise
     and given_back - reversed > paid then
    raise exception 'the provider has less left of payment % than refund %', r.payment_id, r.id;
  end if;
  -- The provider pays nothing below a rupee (decision 055).
  if tg_op = 'INSERT' and r.origin = 'OPERATOR' and paid - given_back + deducted - unproved between 1 and 99 then
    raise exception 'refund % leaves less than a rupee', r.id;
  end if;
  if tg_op = 'INSERT' and r.origin = 'PORTAL' and p.use = 'CYCLE' and c.status = 'DEACTIVATED' and r.amount_paise < 100 then
    raise exception 'refund % of unused days is less than a rupee', r.id;
  end if;
  if r.payout = 'WITHHELD' then
    if not exists (select from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'tds' and l.amount_paise = r.amount_paise
        where e.payment_id = money_of(r.payment_id) and e.cycle_id = r.cycle_id
          and e.kind in ('CAPTURED_FOR_CYCLE', 'HELD_FOR_CYCLE', 'CAPTURED_FOR_BILL', 'HELD_FOR_BILL')) then
      raise exception 'refund % is not in the ledger', r.id;
    end if;
    return null;
  end if;
  if (p.use in ('CYCLE', 'DUE') and r.amount_paise > r.covers_paise) <> exists (select from ledger_lines where entry_id = 'due:' || r.id
       and account = case when p.use = 'DUE' then 'receivables' when r.origin = 'TDS' then 'tds' else 'cycles' end and amount_paise = r.amount_paise - r.covers_paise)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_lines where entry_id = 'paid:' || r.id
       and account = case r.payout when 'TRANSFER' then 'bank' else 'provider' end and amount_paise = r.covered_paise - r.amount_paise)
     or (r.withheld_paise > 0) <> exists (select from ledger_lines where entry_id = 'withheld:' || r.id
       and account = 'tds' and amount_paise = -r.withheld_paise)
     or (r.offset_paise > 0) <> exists (select from ledger_lines where entry_id = 'offset:' || r.id
       and account = 'receivables' and amount_paise = -r.offset_paise)
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
create constraint trigger refunds_are_due after insert or update on refunds
  deferrable initially deferred for each row execute function refunds_are_due();

-- Only the advance of a cycle can contain excess tax, and only before its invoice: with a refund voucher over the amount.
create or replace function excess_tax_has_a_voucher() returns trigger language plpgsql as $$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.cycle_id = new.cycle_id and d.kind = 'REFUND_VOUCHER' and d.total_paise = new.amount_paise
      and b.kind = 'RECEIPT_VOUCHER' and (b.content -> 'item' ->> 'fromDate')::date <= d.issued_on) then
    raise exception 'refund % of excess tax has no refund voucher', new.id;
  end if;
  return null;
end $$;
create constraint trigger excess_tax_has_a_voucher after insert on refunds deferrable initially deferred
  for each row when (new.origin = 'EXCESS_TAX') execute function excess_tax_has_a_voucher();

-- How much it gives back is a rule of refunds_are_due.
create or replace function replaced_cycles_give_back() returns trigger language plpgsql as $$
begin
  if not exists (select from cycles c join cycles n on n.replaces = c.id and n.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      where c.id = new.cycle_id and c.status = 'DEACTIVATED') then
    raise exception 'refund % of the replaced cycle % is not due', new.id, new.cycle_id;
  end if;
  return null;
end $$;
create constraint trigger replaced_cycles_give_back after insert on refunds deferrable initially deferred
  for each row when (new.of_replaced) execute function replaced_cycles_give_back();

-- At the commit: it is of money that paid for a cycle, and in the audit log with its reason.
create or replace function operator_refunds_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from payments p where p.provider_payment_id = new.payment_id and p.use = 'CYCLE')
     or not exists (select from operator_actions a where a.action = 'payments.refund' and a.customer_id = new.customer_id
       and a.reason = new.reason and a.effect -> 'refunds' ? new.id) then
    raise exception 'refund % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger operator_refunds_are_recorded after insert on refunds deferrable initially deferred
  for each row when (new.origin = 'OPERATOR') execute function operator_refunds_are_recorded();

-- At the commit: as much as the provider has refunded of the payment by itself is refunded again only if the operator names that refund. The portal may
-- have made it, before its database was restored from a backup, and of another plan of the payment than the one that it is booked on, partly as paying
-- what was promised: neither the whole nor the rest is repeated. One that is known as a correction or TDS of
-- a plan is no refund of the others. Not so of a plan that ends by its rule and of excess tax: each is due once, from what is left, and what was
-- refunded of it since the backup ends it when it is booked.
create or replace function refunds_are_not_repeated() returns trigger language plpgsql as $$
declare
  -- Of tax that was withheld and reversed: refunds_are_due holds that it is as much as the provider has not paid of it.
  is_rest boolean := new.origin = 'TDS' and exists (select from refunds w where w.cycle_id = new.cycle_id and w.payout = 'WITHHELD');
begin
  if exists (select from refunds f where f.payment_id = new.payment_id and f.foreign_id is not null and f.origin <> 'DISPUTE' and f.status <> 'FAILED'
      group by f.foreign_id
      having sum(f.amount_paise - f.withheld_paise + f.loss_paise) > sum(f.covers_paise)
        and bool_or(f.origin not in ('CORRECTION', 'TDS') or f.cycle_id = new.cycle_id)
        and not (is_rest and bool_and(f.origin = 'TDS' and f.cycle_id = new.cycle_id))
        and new.amount_paise - new.withheld_paise in (sum(f.amount_paise - f.withheld_paise + f.loss_paise), sum(f.amount_paise - f.withheld_paise + f.loss_paise - f.covers_paise))
        and not exists (select from operator_actions a where a.customer_id = new.customer_id and strpos(a.reason, f.foreign_id) > 0
          and (a.action = 'payments.refund' and a.effect -> 'refunds' ? new.id or new.origin = 'TDS' and a.action = 'tds.accept'
              and a.target in (select t.id from tds_claims t where t.cycle_id = new.cycle_id and t.status = 'ACCEPTED')
            or new.origin = 'CORRECTION' and a.action in ('documents.correct', 'e-invoices.cancel') and is_recorded_now(a)))) then
    raise exception 'refund % is as much as the provider has refunded already, which its reason does not name', new.id;
  end if;
  if new.origin = 'TDS' and not is_rest and exists (select from refunds f where f.cycle_id = new.cycle_id and f.origin = 'TDS' and f.foreign_id is not null) then
    raise exception 'refund % is of tax deducted at source that the provider has refunded already', new.id;
  end if;
  return null;
end $$;
create constraint trigger refunds_are_not_repeated after insert on refunds deferrable initially deferred
  for each row when (new.origin in ('OPERATOR', 'TDS', 'CORRECTION') and new.foreign_id is null and new.amount_paise > new.withheld_paise) execute function refunds_are_not_repeated();

-- At the commit: an invoice with tax was replaced by one without, which is over that much less.
create or replace function corrections_lower_the_invoice() returns trigger language plpgsql as $$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.cycle_id = new.cycle_id and d.kind = 'INVOICE' and b.kind = 'INVOICE'
      and d.content ->> 'tax' = 'NONE' and b.content ->> 'tax' <> 'NONE' and b.total_paise - d.total_paise >= new.amount_paise) then
    raise exception 'refund % has no corrected invoice over that much less', new.id;
  end if;
  return null;
end $$;
create constraint trigger corrections_lower_the_invoice after insert on refunds deferrable initially deferred
  for each row when (new.origin = 'CORRECTION' and new.foreign_id is null) execute function corrections_lower_the_invoice();

-- At the commit: a transfer is in the audit log, and pays nothing but refunds of one customer.
create or replace function refund_transfers_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'refunds.transfer' and a.target = new.id and a.customer_id = new.customer_id
      and a.effect ->> 'utr' = new.utr) then
    raise exception 'the transfer of refund % is not in the audit log', new.id;
  end if;
  perform number_is_of_nothing_else(new.utr, new.id, new.customer_id);
  return null;
end $$;
create constraint trigger refund_transfers_are_recorded after insert or update of utr on refunds deferrable initially deferred
  for each row when (new.utr is not null) execute function refund_transfers_are_recorded();

-- Tax deducted at source is a part of the price that the Government pays: what is refunded of the price may exceed what the provider has left,
-- and the rest is transferred (product §6.27). What the portal gives back by the rule of a plan is bounded by its days and units (product §4.12, §4.23).
create or replace function most_given_back(c cycles) returns bigint language plpgsql stable as $$
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
  units := greatest(c.monthly_quota - coalesce((select taken from quota_counters where kind = 'cycle' and scope_id = c.id), 0), 0);
  return ceil(least(price * days / (c.to_date - c.from_date), case when c.monthly_quota > 0 then price * units / c.monthly_quota end));
end $$;

create trigger refunds_never_deleted before delete on refunds for each row execute function never_change();
create trigger never_emptied before truncate on refunds execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on refunds for each row execute function note_ledger_change('customer');
alter table refunds enable always trigger noted_for_ledger;
create trigger sealed after insert or delete or update of status, provider_refund_id, attempt, settled_at, covered_paise, amount_paise, reason,
  origin, of_replaced, foreign_id, covers_paise, created_at, payment_id, cycle_id, customer_id, id, payout, utr, transferred_on, booked_on, loss_paise on refunds
  for each row execute function seal_record('id');
