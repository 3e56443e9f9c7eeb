-- Documents under the GST law. Each is issued in the transaction of its cause and never changed or deleted afterwards.

-- Whether a customer sits in a Special Economic Zone (which the GSTIN does not tell), and in which country.
alter table profiles
  add column sez boolean not null default false check (not sez or gstin is not null),
  add column country text not null default 'IN' check (country ~ '^[A-Z]{2}$'),
  add check ((country <> 'IN') = (state_code = '96')),
  add check (country = 'IN' or gstin is null);

-- The last number of each series (CGST Rule 46(b): consecutive, unique for a financial year).
create table document_series (
  series text not null,
  financial_year text not null check (financial_year ~ '^\d{4}-\d{2}$'),
  last_number integer not null check (last_number > 0),
  -- Numbers increase with time, also when a clock goes back.
  last_issued_at timestamptz not null,
  primary key (series, financial_year)
);

create type document_kind as enum ('INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER', 'CREDIT_NOTE');

create table documents (
  id text primary key check (id like 'DOC-%'),
  kind document_kind not null,
  number text not null unique check (number ~ '^[A-Za-z0-9][A-Za-z0-9/-]{0,15}$'),
  series text not null,
  financial_year text not null,
  sequence integer not null,
  issued_at timestamptz not null,
  -- The day in India that stands on it.
  issued_on date not null check (issued_on = (issued_at at time zone 'Asia/Kolkata')::date),
  customer_id text not null references customers,
  cycle_id text not null references cycles,
  payment_id text not null references payments,
  -- The document that it follows: an invoice's advance or the invoice that it replaces; a voucher's or credit note's original.
  refers_to text references documents,
  taxable_paise bigint not null check (taxable_paise >= 0),
  cgst_paise bigint not null check (cgst_paise >= 0),
  sgst_paise bigint not null check (sgst_paise >= 0),
  utgst_paise bigint not null check (utgst_paise >= 0),
  igst_paise bigint not null check (igst_paise >= 0),
  round_off_paise bigint not null,
  total_paise bigint not null check (total_paise > 0),
  content jsonb not null,
  -- Must the invoice portal know it before it is given out (Rule 48(4))?
  needs_irn boolean not null,
  unique (series, financial_year, sequence),
  foreign key (series, financial_year) references document_series (series, financial_year),
  check (taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise + round_off_paise = total_paise),
  check (kind not in ('REFUND_VOUCHER', 'CREDIT_NOTE') or refers_to is not null)
);
create index documents_customer on documents (customer_id, issued_at);
create index documents_cycle on documents (cycle_id);
create index documents_day on documents (issued_on);
-- The papers of a cycle are one chain. It begins once; an advance is invoiced or refunded, once; an invoice is replaced once and
-- credited once.
create unique index documents_begin_once on documents (cycle_id) where refers_to is null;
create unique index documents_followed_once on documents (refers_to) where kind in ('INVOICE', 'REFUND_VOUCHER');
create unique index documents_credited_once on documents (refers_to) where kind = 'CREDIT_NOTE';

create function documents_follow() returns trigger language plpgsql as $$
declare
  before documents;
begin
  if (select (last_number, last_issued_at) from document_series where series = new.series and financial_year = new.financial_year)
     is distinct from (new.sequence, new.issued_at) then
    raise exception 'document % does not have the next number of its series', new.number;
  end if;
  if new.refers_to is null then return new; end if;
  select * into before from documents where id = new.refers_to;
  if (before.cycle_id, before.customer_id, before.payment_id) is distinct from (new.cycle_id, new.customer_id, new.payment_id)
     or new.total_paise > before.total_paise
     or (new.kind = 'INVOICE' and new.total_paise <> before.total_paise)
     or (before.kind, new.kind) not in (
       ('RECEIPT_VOUCHER', 'INVOICE'), ('RECEIPT_VOUCHER', 'REFUND_VOUCHER'), ('INVOICE', 'INVOICE'), ('INVOICE', 'CREDIT_NOTE'))
  then
    raise exception 'document % cannot follow %', new.number, before.number;
  end if;
  return new;
end $$;
create trigger documents_follow before insert on documents for each row execute function documents_follow();
create trigger documents_never_change before update or delete on documents for each row execute function never_change();

create function document_series_count() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (tg_op = 'INSERT' and new.last_number <> 1) or (tg_op = 'UPDATE' and (
       (new.series, new.financial_year, new.last_number) <> (old.series, old.financial_year, old.last_number + 1)
       or new.last_issued_at < old.last_issued_at)) then
    raise exception 'a series counts up by one';
  end if;
  return new;
end $$;
create trigger document_series_count before insert or update or delete on document_series
  for each row execute function document_series_count();

-- At the commit: whoever took a number has used it.
create function document_series_used() returns trigger language plpgsql as $$
begin
  if not exists (select from documents
                 where series = new.series and financial_year = new.financial_year and sequence = new.last_number) then
    raise exception 'number % of series % was taken and not used', new.last_number, new.series;
  end if;
  return null;
end $$;
create constraint trigger document_series_used after insert or update on document_series
  deferrable initially deferred for each row execute function document_series_used();

-- The paper of a document, made once: what is downloaded is always the same bytes.
create table document_files (
  document_id text primary key references documents,
  pdf bytea not null,
  pdf_sha256 bytea not null check (pdf_sha256 = sha256(pdf)),
  made_at timestamptz not null
);
create trigger document_files_never_change before update or delete on document_files
  for each row execute function never_change();

-- What the invoice portal answered about a document. Only its cancellation is added later.
create table e_invoices (
  document_id text primary key references documents,
  irn text not null unique check (irn ~ '^[0-9a-f]{64}$'),
  ack_number text not null,
  ack_at timestamptz not null,
  signed_qr text not null,
  signed_invoice text not null,
  cancelled_at timestamptz,
  cancel_reason text,
  check ((cancelled_at is null) = (cancel_reason is null))
);
create function e_invoices_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.cancelled_at is not null
     or (to_jsonb(new) - '{cancelled_at,cancel_reason}'::text[]) <> (to_jsonb(old) - '{cancelled_at,cancel_reason}'::text[]) then
    raise exception 'a registration only changes by being cancelled';
  end if;
  return new;
end $$;
create trigger e_invoices_stay before update or delete on e_invoices for each row execute function e_invoices_stay();

create trigger never_emptied before truncate on documents execute function refuse_truncate();
create trigger never_emptied before truncate on document_series execute function refuse_truncate();
create trigger never_emptied before truncate on document_files execute function refuse_truncate();

-- The paper that stands for a cycle: its invoice, the newest where it was corrected, or the receipt voucher until it starts.
create view current_papers as
  select d.cycle_id, d.customer_id, d.id as document_id, d.kind, d.number
  from documents d
  where d.kind in ('INVOICE', 'RECEIPT_VOUCHER')
    and not exists (select from documents f where f.refers_to = d.id and f.kind = 'INVOICE');

-- Mail that is to be sent, written in the transaction of its cause. Each occasion is told of once.
create table mails (
  id text primary key check (id like 'MSG-%'),
  occasion text not null unique,
  customer_id text not null references customers,
  recipient text not null,
  subject text not null check (subject !~ '[\r\n]'),
  body_text text not null,
  body_html text not null,
  -- Its paper is attached.
  document_id text references documents,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_created on mails (created_at);
create index mails_document on mails (document_id) where sent_at is null;
