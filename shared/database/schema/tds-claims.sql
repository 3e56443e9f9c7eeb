-- Tax that customers deducted at source (decision 042): declared with a certificate, accepted or refused once, and refunded when accepted.

create table tds_claims (
  id text primary key check (id like 'TDS-%'),
  customer_id text not null references customers,
  cycle_id text not null references cycles,
  -- Its taxable value is what the tax was deducted from (CBDT Circular 23/2017).
  invoice_id text not null references documents,
  tan text not null check (tan ~ '^[A-Z]{4}[0-9]{5}[A-Z]$'),
  -- Income-tax Act 1961, or from 1 April 2026 the Income-tax Act 2025.
  section text not null check (section in ('194J', '393(1)')),
  quarter text not null check (quarter ~ '^\d{4}-\d\d Q[1-4]$' and (left(quarter, 4)::integer + 1) % 100 = substring(quarter from 6 for 2)::integer),
  amount_paise bigint not null check (amount_paise > 0),
  certificate_name text not null check (length(certificate_name) between 1 and 120 and certificate_name !~ '[[:cntrl:]/\\]'),
  certificate_type text not null check (certificate_type in ('application/pdf', 'image/jpeg', 'image/png')),
  certificate_bytes integer not null,
  certificate bytea not null,
  certificate_sha256 bytea not null,
  declared_on date not null,
  declared_at timestamptz not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'ACCEPTED', 'REFUSED')),
  decided_at timestamptz,
  -- Why it was refused; for the customer.
  reason text check (reason = btrim(reason) and length(reason) between 1 and 500 and reason !~ '[[:cntrl:]]'),
  -- What the customer gets back.
  refund_id text unique references refunds,
  check (section = case when quarter < '2026-27 Q1' then '194J' else '393(1)' end),
  check (certificate_bytes = octet_length(certificate) and certificate_bytes between 1 and 1000000),
  constraint tds_claims_certificate_hash check (certificate_sha256 = sha256(certificate)),
  -- By its content, not by its name.
  check (case certificate_type
    when 'application/pdf' then substring(certificate for 5) = '\x255044462d'
    when 'image/jpeg' then substring(certificate for 3) = '\xffd8ff'
    when 'image/png' then substring(certificate for 8) = '\x89504e470d0a1a0a'
    else false end),
  check (declared_on = (declared_at at time zone 'Asia/Kolkata')::date and decided_at >= declared_at),
  check ((status = 'WAITING') = (decided_at is null)),
  check ((status = 'REFUSED') = (reason is not null)),
  check ((status = 'ACCEPTED') = (refund_id is not null))
);
create index tds_claims_customer on tds_claims (customer_id);
create index tds_claims_waiting on tds_claims (declared_at) where status = 'WAITING';
-- A subscription has one claim that waits or was accepted; a refused one may be declared again.
create unique index tds_claims_one_of_cycle on tds_claims (cycle_id) where status <> 'REFUSED';

-- What can have been deducted of the price on an invoice, or was: at most 10 % of the taxable value, in whole rupees, where the buyer has a GSTIN. What was
-- withheld from a bank transfer is exactly that, of the paper on the day of the payment: rate and buyer may have changed since.
create or replace function tds_is_lawful(p_cycle text, p_gstin text, p_taxable bigint, p_paise bigint) returns boolean language sql stable as $$
  select coalesce((select r.amount_paise = p_paise and d.content #>> '{recipient,gstin}' is not null and r.amount_paise <= ceil(d.taxable_paise / 1000.0) * 100
      from refunds r join documents d on d.payment_id = r.payment_id and d.cycle_id = r.cycle_id and d.kind in ('INVOICE', 'RECEIPT_VOUCHER') and d.refers_to is null
      where r.cycle_id = p_cycle and r.payout = 'WITHHELD'),
    p_gstin is not null and p_paise <= ceil(p_taxable / 1000.0) * 100)
$$;

-- Of the invoice of a paid subscription, from the quarter on in which the money came.
create or replace function tds_claims_are_lawful() returns trigger language plpgsql as $$
begin
  if new.status <> 'WAITING' or not exists (
    select from documents d join cycles c on c.id = d.cycle_id
    where d.id = new.invoice_id and d.kind = 'INVOICE' and d.cycle_id = new.cycle_id and d.customer_id = new.customer_id
      and tds_is_lawful(d.cycle_id, d.content #>> '{recipient,gstin}', d.taxable_paise, new.amount_paise)
      and new.quarter between quarter_of(cycle_money_came_on(c.id)) and quarter_of(new.declared_on)) then
    raise exception 'claim % is not about tax on an invoice', new.id;
  end if;
  return new;
end $$;
create trigger tds_claims_are_lawful before insert on tds_claims for each row execute function tds_claims_are_lawful();

-- A claim is decided once; nothing else about it changes.
create or replace function tds_claims_move_forward() returns trigger language plpgsql as $$
begin
  if old.status <> 'WAITING' or new.status = 'WAITING'
     or (new.id, new.customer_id, new.cycle_id, new.invoice_id, new.tan, new.section, new.quarter, new.amount_paise, new.certificate_name,
         new.certificate_type, new.certificate_bytes, new.certificate, new.certificate_sha256, new.declared_on, new.declared_at)
     is distinct from (old.id, old.customer_id, old.cycle_id, old.invoice_id, old.tan, old.section, old.quarter, old.amount_paise,
         old.certificate_name, old.certificate_type, old.certificate_bytes, old.certificate, old.certificate_sha256, old.declared_on,
         old.declared_at) then
    raise exception 'claim % can only be accepted or refused, once', old.id;
  end if;
  return new;
end $$;
create trigger tds_claims_move_forward before update on tds_claims for each row execute function tds_claims_move_forward();

-- An accepted claim has its refund, over its amount.
create or replace function tds_claims_are_refunded() returns trigger language plpgsql as $$
begin
  if not exists (select from refunds r where r.id = new.refund_id and r.origin = 'TDS' and r.cycle_id = new.cycle_id
    and r.customer_id = new.customer_id and r.amount_paise = new.amount_paise) then
    raise exception 'claim % was accepted without its refund', new.id;
  end if;
  return null;
end $$;
create constraint trigger tds_claims_are_refunded after update on tds_claims deferrable initially deferred
  for each row when (new.status = 'ACCEPTED') execute function tds_claims_are_refunded();

-- At the commit: a decision is in the audit log, with the reason or the refund.
create or replace function tds_decisions_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.target = new.id and a.customer_id = new.customer_id and is_recorded_now(a)
      and case new.status when 'ACCEPTED' then a.action = 'tds.accept' and a.effect ->> 'refundId' = new.refund_id
        else a.action = 'tds.refuse' and a.reason = new.reason end) then
    raise exception 'the decision of claim % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger tds_decisions_are_recorded after update on tds_claims deferrable initially deferred
  for each row when (new.status <> 'WAITING') execute function tds_decisions_are_recorded();

create trigger never_deleted before delete on tds_claims for each row execute function never_change();
create trigger never_emptied before truncate on tds_claims execute function refuse_truncate();
create trigger sealed after insert or update or delete on tds_claims for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on tds_claims for each row execute function note_ledger_change('customer');
alter table tds_claims enable always trigger noted_for_ledger;
-- A claim or an SEZ check that was under way when its customer was erased is refused, as everything else that the customer writes is.
create trigger erased_get_nothing before insert on tds_claims for each row execute function erased_get_nothing();
