-- Money that goes back at the payment provider without us: refunds of its dashboard, and disputes that were lost.

-- Ours stays one refund per payment; any number of others may stand beside it.
alter table refunds drop constraint refunds_payment_id_key;
alter table refunds
  add column origin text not null default 'PORTAL' check (origin in ('PORTAL', 'PROVIDER', 'DISPUTE')),
  -- The provider's id of the refund that was made there, or of the lost dispute: each is booked once, whatever becomes of it.
  add column foreign_id text unique,
  -- So much of it pays what another refund of the payment had promised, and nothing new becomes due by it.
  add column covers_paise bigint not null default 0,
  -- So much of it was paid by others: the provider is asked for the rest.
  add column covered_paise bigint not null default 0,
  add check ((origin = 'PORTAL') = (foreign_id is null)),
  add check (covers_paise between 0 and amount_paise and (origin <> 'PORTAL' or covers_paise = 0)),
  add check (covered_paise between 0 and amount_paise);
create unique index refunds_one_of_ours on refunds (payment_id) where origin = 'PORTAL';
create index refunds_payment on refunds (payment_id);
create index refunds_foreign on refunds (created_at) where origin <> 'PORTAL';

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
     or (new.attempt > old.attempt and old.status <> 'FAILED') then
    raise exception 'refund % cannot go from % (attempt %) to % (attempt %)', old.id, old.status, old.attempt, new.status, new.attempt;
  end if;
  return new;
end $$;

-- At the commit: never more goes back than was captured, and a cycle whose whole price went back gives no access.
create or replace function refunds_are_due() returns trigger language plpgsql as $$
declare
  r refunds;
  p payments;
  c cycles;
  given_back bigint;
  covering bigint;
  covered bigint;
begin
  select * into r from refunds where id = new.id;
  select * into p from payments where provider_payment_id = r.payment_id;
  select * into c from cycles where id = p.cycle_id;
  select sum(amount_paise - covers_paise), sum(covers_paise), sum(covered_paise) into given_back, covering, covered
    from refunds where payment_id = r.payment_id;
  if p.status <> 'captured' or given_back > p.amount_paise or covering <> covered
     or p.use = 'REFUND' and r.origin = 'PORTAL' and r.amount_paise <> p.amount_paise
     or p.use = 'CYCLE' and c.status not in ('DEACTIVATED', 'REFUNDED') and (r.origin = 'PORTAL' or c.status <> 'PAID')
     or p.use = 'CYCLE' and (c.status = 'PAID' and given_back = p.amount_paise or c.status = 'REFUNDED' and given_back <> p.amount_paise) then
    raise exception 'refund % of payment % is not due', r.id, r.payment_id;
  end if;
  if (p.use = 'CYCLE' and r.amount_paise > r.covers_paise) <> exists (select from ledger_entries where id = 'due:' || r.id)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_entries where id = 'paid:' || r.id) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  return null;
end $$;

create or replace function payments_are_used() returns trigger language plpgsql as $$
declare
  p payments;
begin
  select * into p from payments where provider_payment_id = new.provider_payment_id;
  if p.use = 'CYCLE' and not exists (
    select from payment_orders o join cycles c on c.id = o.cycle_id
    where o.id = p.order_id and o.status = 'PAID' and o.amount_paise = p.amount_paise and o.currency = p.currency
      and c.price_paise = p.amount_paise and c.paid_at is not null
  ) then
    raise exception 'payment % does not pay for cycle %', p.provider_payment_id, p.cycle_id;
  end if;
  if p.use = 'REFUND' and not exists (
    select from refunds where payment_id = p.provider_payment_id and origin = 'PORTAL' and amount_paise = p.amount_paise
  ) then
    raise exception 'payment % has to be refunded and is not', p.provider_payment_id;
  end if;
  if p.status = 'captured' and not exists (select from ledger_entries where id = 'capture:' || p.provider_payment_id) then
    raise exception 'the capture of payment % is not in the ledger', p.provider_payment_id;
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
  if not exists (select from payments where cycle_id = c.id and use = 'CYCLE') then
    raise exception 'cycle % is paid by no payment', c.id;
  end if;
  select coalesce(sum(r.amount_paise - r.covers_paise), 0) into given_back
    from refunds r join payments p on p.provider_payment_id = r.payment_id where p.cycle_id = c.id and p.use = 'CYCLE';
  if c.status = 'PAID' and given_back >= c.price_paise or c.status = 'REFUNDED' and given_back <> c.price_paise then
    raise exception 'cycle % is % while % paise of it are given back', c.id, c.status, given_back;
  end if;
  return null;
end $$;

-- Several parts of an invoice may be credited, several parts of an advance refunded: together never more than the whole.
drop index documents_followed_once;
drop index documents_credited_once;
create unique index documents_invoiced_once on documents (refers_to) where kind = 'INVOICE';
create index documents_refers_to on documents (refers_to);

create or replace function documents_follow() returns trigger language plpgsql as $$
declare
  before documents;
  form document_series_forms;
  returned bigint;
begin
  if (select (last_number, last_issued_at) from document_series where series = new.series and financial_year = new.financial_year)
     is distinct from (new.sequence, new.issued_at) then
    raise exception 'document % does not have the next number of its series', new.number;
  end if;
  select * into form from document_series_forms where name = new.series;
  if form.kind is distinct from new.kind or new.number !~ ('^[A-Za-z0-9]{1,3}/' || right(new.financial_year, 5) || '/' || form.letters
       || lpad(new.sequence::text, form.digits, '0') || '$') then
    raise exception 'document % does not have the number of its place in series %', new.number, new.series;
  end if;
  if new.refers_to is null then return new; end if;
  -- Locked, so that no two follow it without seeing each other.
  select * into before from documents where id = new.refers_to for update;
  select coalesce(sum(total_paise), 0) into returned from documents where refers_to = before.id and kind in ('CREDIT_NOTE', 'REFUND_VOUCHER');
  if (before.cycle_id, before.customer_id, before.payment_id) is distinct from (new.cycle_id, new.customer_id, new.payment_id)
     or (new.kind = 'INVOICE' and new.total_paise <> before.total_paise - returned)
     or (new.kind <> 'INVOICE' and new.total_paise > before.total_paise - returned)
     or (new.kind = 'REFUND_VOUCHER' and exists (select from documents where refers_to = before.id and kind = 'INVOICE'))
     or (before.kind, new.kind) not in (
       ('RECEIPT_VOUCHER', 'INVOICE'), ('RECEIPT_VOUCHER', 'REFUND_VOUCHER'), ('INVOICE', 'INVOICE'), ('INVOICE', 'CREDIT_NOTE'))
  then
    raise exception 'document % cannot follow %', new.number, before.number;
  end if;
  return new;
end $$;

-- An advance that was refunded in part is still to be invoiced, over the rest.
create or replace function open_vouchers_follow() returns trigger language plpgsql as $$
begin
  if new.kind = 'INVOICE' or new.kind = 'REFUND_VOUCHER' and (
    select sum(d.total_paise) from documents d where d.refers_to = new.refers_to and d.kind = 'REFUND_VOUCHER'
  ) = (select total_paise from documents where id = new.refers_to) then
    delete from open_vouchers where document_id = new.refers_to;
  end if;
  if new.kind = 'RECEIPT_VOUCHER' then
    insert into open_vouchers select new.id, new.cycle_id, c.from_date from cycles c where c.id = new.cycle_id;
  end if;
  return null;
end $$;

-- Disputes (chargebacks) of captured payments, as the provider tells of them.
create table disputes (
  provider_dispute_id text primary key,
  payment_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null check (amount_paise > 0),
  phase text not null,
  reason text not null,
  status text not null check (status in ('open', 'under_review', 'won', 'lost', 'closed')),
  -- Until when evidence can be given.
  respond_by timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When (of the machine's clock) the provider is asked about it next; null once it has ended.
  next_check_at timestamptz,
  check ((status in ('won', 'lost', 'closed')) = (ended_at is not null)),
  foreign key (payment_id, cycle_id, customer_id) references payments (provider_payment_id, cycle_id, customer_id)
);
create index disputes_next_check on disputes (next_check_at) where next_check_at is not null;
create trigger disputes_never_deleted before delete on disputes for each row execute function never_change();

create function disputes_move_forward() returns trigger language plpgsql as $$
begin
  if (new.provider_dispute_id, new.payment_id, new.cycle_id, new.customer_id, new.created_at)
     is distinct from (old.provider_dispute_id, old.payment_id, old.cycle_id, old.customer_id, old.created_at)
     or old.ended_at is not null and (new.status, new.ended_at) is distinct from (old.status, old.ended_at) then
    raise exception 'dispute % cannot go from % to %', old.provider_dispute_id, old.status, new.status;
  end if;
  return new;
end $$;
create trigger disputes_move_forward before update on disputes for each row execute function disputes_move_forward();

-- How far the provider's lists were read, and when (of the machine's clock) they are read again.
create table provider_looks (
  list text primary key check (list in ('refunds', 'disputes')),
  looked_until timestamptz,
  next_look_at timestamptz not null default clock_timestamp()
);
insert into provider_looks (list) values ('refunds'), ('disputes');
