-- Tax that a customer deducted at source (TDS) from the price of a subscription, as declared with the certificate. The operator accepts or
-- refuses each claim; what is accepted is refunded, and receivable from the Government.
create function quarter_of(day date) returns text language sql immutable as $$
  select to_char(day - interval '3 months', 'YYYY') || '-' || to_char(day + interval '9 months', 'YY') || ' Q' || to_char(day - interval '3 months', 'Q')
$$;

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

-- Of the invoice of a paid subscription of a business, at most 10 % of its taxable value in whole rupees, from the quarter of the payment on.
create function tds_claims_are_lawful() returns trigger language plpgsql as $$
begin
  if new.status <> 'WAITING' or not exists (
    select from documents d join cycles c on c.id = d.cycle_id
    where d.id = new.invoice_id and d.kind = 'INVOICE' and d.cycle_id = new.cycle_id and d.customer_id = new.customer_id
      and d.content #>> '{recipient,gstin}' is not null and new.amount_paise <= ceil(d.taxable_paise / 1000.0) * 100
      and new.quarter between quarter_of((c.paid_at at time zone 'Asia/Kolkata')::date) and quarter_of(new.declared_on)) then
    raise exception 'claim % is not about tax on an invoice', new.id;
  end if;
  return new;
end $$;
create trigger tds_claims_are_lawful before insert on tds_claims for each row execute function tds_claims_are_lawful();

-- A claim is decided once; nothing else about it changes.
create function tds_claims_move_forward() returns trigger language plpgsql as $$
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
create trigger never_deleted before delete on tds_claims for each row execute function never_change();
create trigger never_emptied before truncate on tds_claims execute function refuse_truncate();

-- An accepted claim has its refund, over its amount.
create function tds_claims_are_refunded() returns trigger language plpgsql as $$
begin
  if not exists (select from refunds r where r.id = new.refund_id and r.origin = 'TDS' and r.cycle_id = new.cycle_id
    and r.customer_id = new.customer_id and r.amount_paise = new.amount_paise) then
    raise exception 'claim % was accepted without its refund', new.id;
  end if;
  return null;
end $$;
create constraint trigger tds_claims_are_refunded after update on tds_claims deferrable initially deferred
  for each row when (new.status = 'ACCEPTED') execute function tds_claims_are_refunded();

-- The refund of a claim is the portal's own, beside that of the end of the plan, and no return of the price: the value of the supply stays.
alter table refunds drop constraint refunds_origin_check;
alter table refunds add constraint refunds_origin_check check (origin in ('PORTAL', 'EXCESS_TAX', 'TDS', 'PROVIDER', 'DISPUTE'));
alter table refunds drop constraint refunds_check1;
alter table refunds add constraint refunds_check1 check ((origin in ('PORTAL', 'EXCESS_TAX', 'TDS')) = (foreign_id is null));
alter table ledger_lines drop constraint ledger_lines_account_check;
alter table ledger_lines add constraint ledger_lines_account_check
  check (account in ('provider', 'cycles', 'refunds', 'tds', 'bank', 'fees', 'input_tax', 'disputed', 'losses', 'unmatched'));

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
  if (p.use = 'CYCLE' and r.amount_paise > r.covers_paise) <> exists (select from ledger_lines where entry_id = 'due:' || r.id
       and account = case r.origin when 'TDS' then 'tds' else 'cycles' end and amount_paise = r.amount_paise - r.covers_paise)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_entries where id = 'paid:' || r.id) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  return null;
end $$;

-- Claims are sealed, and noted for the check of the ledger, as documents are.
alter table record_seals drop constraint record_seals_kind_check;
alter table record_seals add check (
  kind in ('documents', 'document_files', 'e_invoices', 'cycles', 'payments', 'amendments', 'amendment_files', 'tds_claims'));
create function seal_of_tds_claims(r tds_claims) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.cycle_id, r.invoice_id, r.tan, r.section, r.quarter, r.amount_paise,
    r.certificate_name, r.certificate_type, encode(r.certificate_sha256, 'hex'), seal_text(r.declared_on), seal_text(r.declared_at), r.status,
    seal_text(r.decided_at), r.reason, r.refund_id)::text, 'UTF8'))
$$;
create trigger sealed after insert or update or delete on tds_claims for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on tds_claims for each row execute function note_ledger_change('customer');
alter table tds_claims enable always trigger noted_for_ledger;

create or replace function seal_unsealed() returns void language sql as $$
  insert into record_seals (kind, record_id, customer_id, content)
  select 'documents', r.id, r.customer_id, seal_of_documents(r) from documents r
    where not exists (select from record_seals s where s.kind = 'documents' and s.record_id = r.id)
  union all
  select 'document_files', r.document_id, d.customer_id, seal_of_document_files(r) from document_files r join documents d on d.id = r.document_id
    where not exists (select from record_seals s where s.kind = 'document_files' and s.record_id = r.document_id)
  union all
  select 'e_invoices', r.document_id, d.customer_id, seal_of_e_invoices(r) from e_invoices r join documents d on d.id = r.document_id
    where not exists (select from record_seals s where s.kind = 'e_invoices' and s.record_id = r.document_id)
  union all
  select 'cycles', r.id, r.customer_id, seal_of_cycles(r) from cycles r
    where not exists (select from record_seals s where s.kind = 'cycles' and s.record_id = r.id)
  union all
  select 'payments', r.provider_payment_id, r.customer_id, seal_of_payments(r) from payments r
    where not exists (select from record_seals s where s.kind = 'payments' and s.record_id = r.provider_payment_id)
  union all
  select 'amendments', r.document_id, r.customer_id, seal_of_amendments(r) from amendments r
    where not exists (select from record_seals s where s.kind = 'amendments' and s.record_id = r.document_id)
  union all
  select 'amendment_files', r.document_id, d.customer_id, seal_of_amendment_files(r) from amendment_files r join documents d on d.id = r.document_id
    where not exists (select from record_seals s where s.kind = 'amendment_files' and s.record_id = r.document_id)
  union all
  select 'tds_claims', r.id, r.customer_id, seal_of_tds_claims(r) from tds_claims r
    where not exists (select from record_seals s where s.kind = 'tds_claims' and s.record_id = r.id)
$$;
