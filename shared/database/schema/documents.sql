-- Papers under the GST law: invoices, bills of supply, vouchers, credit notes; their numbers and their PDFs.
--
-- A document is issued in the transaction of its cause, never changes and is never deleted. Numbers have no gaps: the row of a series is locked until the
-- commit, and `document_series_used` compares it with the documents. A full series is followed by the next form (decision 021).
-- What may follow what, in which month, with which tax, is refused here too: `documents_follow`, `documents_are_paid`, `late_notes_bear_no_tax`. A PDF may
-- lie in the row or outside (decision 052); its hash stays.

create type document_kind as enum ('INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER', 'CREDIT_NOTE');

-- A day as ISO 8601 has it, whatever the session's DateStyle: a generated column takes nothing less.
create or replace function day_of_text(day text) returns date language sql immutable strict parallel safe as $$
  select make_date(split_part(day, '-', 1)::integer, split_part(day, '-', 2)::integer, split_part(day, '-', 3)::integer)
$$;

-- A series that is full is followed by the next of its kind (CGST Rule 46(b) allows several, each consecutive in itself).
-- The series of each kind, in the order in which a financial year fills them; shared/domain/document-series.ts has the same.
create table document_series_forms (
  name text primary key,
  kind document_kind not null,
  place integer not null check (place >= 0),
  letters text not null unique check (letters ~ '^[A-Z]{0,2}$'),
  digits integer not null check (digits between 4 and 6),
  last integer not null check (last = 10 ^ digits - 1),
  unique (kind, place),
  check (length(letters) + digits <= 6)
);
with kinds (kind, first, width, more) as (values
  ('INVOICE'::document_kind, '', 6, 'ABDEGHJKL'), ('RECEIPT_VOUCHER', 'R', 4, 'STUWXYZ'),
  ('REFUND_VOUCHER', 'V', 4, 'PQ'), ('CREDIT_NOTE', 'C', 4, 'MN')
), forms as (
  select kind, 0 as step, 0 as one, 0 as two, first as letters, width as digits from kinds
  union all
  select kind, 1, n, 0, substr(more, n, 1), 5 from kinds, generate_series(1, length(more)) n
  union all
  select kind, 2, n, m, substr(first || more, n, 1) || substr('ABCDEFGHJKLMNPQRSTUVWXYZ', m, 1), 4
  from kinds, generate_series(1, length(first || more)) n, generate_series(1, 24) m
)
insert into document_series_forms (name, kind, place, letters, digits, last)
  select kind || case step when 0 then '' else ' ' || letters end, kind,
    row_number() over (partition by kind order by step, one, two) - 1, letters, digits, 10 ^ digits - 1
  from forms;
-- They are there before the trigger that seals them.
select seal_unsealed_of('document_series_forms');

-- The last number of each series (CGST Rule 46(b): consecutive, unique for a financial year).
create table document_series (
  series text not null,
  financial_year text not null check (financial_year ~ '^\d{4}-\d{2}$'),
  last_number integer not null check (last_number > 0),
  -- Numbers increase with time, also when a clock goes back.
  last_issued_at timestamptz not null,
  primary key (series, financial_year),
  foreign key (series) references document_series_forms (name)
);

-- After a restore, or once the database runs elsewhere, numbers that were used before may stand on documents that it has lost. No number may be
-- used twice (CGST Rule 46(b)), so the series that were in use are closed, and the next ones of their kinds follow.
create table closed_series (
  series text not null references document_series_forms (name),
  financial_year text not null check (financial_year ~ '^\d{4}-\d{2}$'),
  closed_at timestamptz not null,
  reason text not null check (reason <> ''),
  primary key (series, financial_year)
);

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
  -- The days of its plan.
  from_date date not null generated always as (day_of_text(content #>> '{item,fromDate}')) stored,
  to_date date not null generated always as (day_of_text(content #>> '{item,toDate}')) stored,
  unique (series, financial_year, sequence),
  foreign key (series, financial_year) references document_series (series, financial_year),
  check (taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise + round_off_paise = total_paise),
  check (kind not in ('REFUND_VOUCHER', 'CREDIT_NOTE') or refers_to is not null)
);
create index documents_customer on documents (customer_id, issued_at);
create index documents_cycle on documents (cycle_id);
create index documents_payment on documents (payment_id);
create index documents_day on documents (issued_on);
-- Which registrations of the provider have issued documents, and since when, is asked of the index.
create index documents_supplier on documents ((content #>> '{supplier,gstin}'), issued_on);
-- Operators find a customer by a GSTIN that was corrected since.
create index documents_buyer on documents ((content #>> '{recipient,gstin}')) where content #>> '{recipient,gstin}' is not null;
-- Figures read the invoices whose plans still ran, from the index alone.
create index documents_earning on documents (greatest(to_date, issued_on + 1)) include (customer_id, issued_on, from_date, to_date, taxable_paise)
  where kind = 'INVOICE';
-- What operators see of payments from abroad.
create index documents_exports on documents (issued_on) where kind = 'INVOICE' and content ->> 'supplyType' in ('EXPWP', 'EXPWOP');
-- The few invoices that were credited are told from the many that were not.
create index documents_credited on documents (refers_to) where kind = 'CREDIT_NOTE';
-- The papers of a cycle are one chain. It begins once; an advance is invoiced or refunded, once; an invoice is replaced once and
-- credited once.
create unique index documents_begin_once on documents (cycle_id) where refers_to is null;
create unique index documents_invoiced_once on documents (refers_to) where kind = 'INVOICE';
create index documents_refers_to on documents (refers_to);

-- The paper of a document, made once: what is downloaded is always the same bytes.
create table document_files (
  document_id text primary key references documents,
  pdf bytea,
  pdf_sha256 bytea not null check (pdf_sha256 = sha256(pdf)),
  made_at timestamptz not null,
  place text check (place <> ''),
  bytes integer check (bytes > 0),
  constraint document_files_one_place check ((pdf is null) = (place is not null) and (pdf is null) = (bytes is not null)),
  constraint document_files_hash_check check (length(pdf_sha256) = 32)
);
-- The newest PDF outside is read now and then, to see that its place is there.
create index document_files_outside on document_files (made_at) where place is not null;

-- Documents without a PDF. Kept by triggers, because "has no row in another table" can't be an index condition.
create table unprinted_documents (
  document_id text primary key references documents (id),
  issued_at timestamptz not null
);
create index unprinted_documents_issued on unprinted_documents (issued_at);

-- Receipt vouchers that nothing follows yet: their invoices fall due when the cycle starts. Kept by a trigger, because "is
-- followed by no document" can't be an index condition.
create table open_vouchers (
  document_id text primary key references documents (id),
  cycle_id text not null references cycles (id),
  from_date date not null
);
create index open_vouchers_due on open_vouchers (from_date, cycle_id);

-- The paper that stands for a cycle: its invoice, the newest where it was corrected, or the receipt voucher until it starts.
create or replace view current_papers as
  select d.cycle_id, d.customer_id, d.id as document_id, d.kind, d.number
  from documents d
  where d.kind in ('INVOICE', 'RECEIPT_VOUCHER')
    and not exists (select from documents f where f.refers_to = d.id and f.kind = 'INVOICE');

-- Only an invoice that loses its tax is over less than is left of the one that it replaces.
create or replace function documents_follow() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before documents;
  form document_series_forms;
  returned bigint;
  loses_tax boolean;
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
  loses_tax := before.kind = 'INVOICE' and before.content ->> 'tax' <> 'NONE' and new.content ->> 'tax' = 'NONE';
  if (before.cycle_id, before.customer_id, before.payment_id) is distinct from (new.cycle_id, new.customer_id, new.payment_id)
     or (new.kind = 'INVOICE' and new.total_paise <> before.total_paise - returned
       and not (loses_tax and new.total_paise < before.total_paise - returned))
     or (new.kind <> 'INVOICE' and new.total_paise > before.total_paise - returned)
     or (new.kind = 'REFUND_VOUCHER' and exists (select from documents where refers_to = before.id and kind = 'INVOICE'))
     or (before.kind, new.kind) not in (
       ('RECEIPT_VOUCHER', 'INVOICE'), ('RECEIPT_VOUCHER', 'REFUND_VOUCHER'), ('INVOICE', 'INVOICE'), ('INVOICE', 'CREDIT_NOTE'))
  then
    raise exception 'document % cannot follow %', new.number, before.number;
  end if;
  return new;
end $$;
create trigger documents_follow before insert on documents for each row execute function documents_follow();

create or replace function document_series_count() returns trigger language plpgsql as $$
declare
  form document_series_forms;
  before document_series;
begin
  if tg_op = 'DELETE' or (tg_op = 'INSERT' and new.last_number <> 1) or (tg_op = 'UPDATE' and (
       (new.series, new.financial_year, new.last_number) <> (old.series, old.financial_year, old.last_number + 1)
       or new.last_issued_at < old.last_issued_at)) then
    raise exception 'a series counts up by one';
  end if;
  -- A number that was taken here may be lost, and stand on a paper.
  if exists (select from installation where setback in ('RESTORED', 'WENT_BACK') or runs_on <> database_place()) then
    raise exception 'no number is taken before the database is finished: octroi restore --finish';
  end if;
  if exists (select from closed_series where series = new.series and financial_year = new.financial_year) then
    raise exception 'series % of % is closed', new.series, new.financial_year;
  end if;
  select * into form from document_series_forms where name = new.series;
  if new.last_number > form.last then
    raise exception 'series % of % is full', new.series, new.financial_year;
  end if;
  if tg_op = 'INSERT' and form.place > 0 then
    select s.* into before from document_series s join document_series_forms f on f.name = s.series
      where f.kind = form.kind and f.place < form.place and s.financial_year = new.financial_year
      order by f.place desc limit 1;
    if not exists (select from document_series_forms f
        left join document_series s on s.series = f.name and s.financial_year = new.financial_year
        left join closed_series c on c.series = f.name and c.financial_year = new.financial_year
        where f.kind = form.kind and f.place = form.place - 1 and (s.last_number >= f.last or c.series is not null)) then
      raise exception 'series % of % begins before the one in front of it is full', new.series, new.financial_year;
    end if;
    -- Numbers increase with time across series too, also when a clock goes back.
    new.last_issued_at := greatest(new.last_issued_at, before.last_issued_at);
  end if;
  return new;
end $$;
create trigger document_series_count before insert or update or delete on document_series
  for each row execute function document_series_count();

-- At the commit: whoever took a number has used it.
create or replace function document_series_used() returns trigger language plpgsql as $$
begin
  if not exists (select from documents
                 where series = new.series and financial_year = new.financial_year and sequence = new.last_number) then
    raise exception 'number % of series % was taken and not used', new.last_number, new.series;
  end if;
  return null;
end $$;
create constraint trigger document_series_used after insert or update on document_series
  deferrable initially deferred for each row execute function document_series_used();

-- A document is over money that was captured for its cycle: at the commit there is that payment, of that cycle and customer.
create or replace function documents_are_paid() returns trigger language plpgsql as $$
begin
  if not exists (
    select from cycle_payments p where p.provider_payment_id = new.payment_id and p.cycle_id = new.cycle_id and p.customer_id = new.customer_id
  ) then
    raise exception 'document % is over money that did not pay for cycle %', new.number, new.cycle_id;
  end if;
  return null;
end $$;
create constraint trigger documents_are_paid after insert on documents
  deferrable initially deferred for each row execute function documents_are_paid();

-- Nor is a document dated on one.
create or replace function documents_issued_in_time() returns trigger language plpgsql as $$
declare
  reached date;
begin
  select reached_day into reached from clock;
  if new.issued_on < reached then
    raise exception 'document % would be dated %, and % has been reached', new.number, new.issued_on, reached
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger documents_dated_in_time before insert on documents
  for each row execute function documents_issued_in_time();

create or replace function documents_wait() returns trigger language plpgsql as $$
begin
  insert into e_invoice_waits (document_id, since) values (new.id, new.issued_at);
  return null;
end $$;
create trigger documents_wait after insert on documents for each row when (new.needs_irn) execute function documents_wait();

create or replace function unprinted_documents_follow() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'documents' then
    insert into unprinted_documents (document_id, issued_at) values (new.id, new.issued_at);
  else
    delete from unprinted_documents where document_id = new.document_id;
  end if;
  return null;
end $$;
create trigger documents_unprinted after insert on documents for each row execute function unprinted_documents_follow();
create trigger documents_printed after insert on document_files for each row execute function unprinted_documents_follow();

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
create trigger documents_open_vouchers after insert on documents for each row execute function open_vouchers_follow();

-- An invoice is corrected three times at most, however its chain goes on; one that replaces a cancelled registration does not count.
create or replace function invoices_are_corrected() returns trigger language plpgsql as $$
begin
  if (select kind from documents where id = new.refers_to) = 'INVOICE' and (
    select count(*) from documents d join documents b on b.id = d.refers_to left join e_invoices e on e.document_id = b.id
    where d.cycle_id = new.cycle_id and d.kind = 'INVOICE' and b.kind = 'INVOICE' and e.cancelled_at is null) >= 3
    and not exists (select from e_invoices where document_id = new.refers_to and cancelled_at is not null)
  then
    raise exception 'the invoice of cycle % has been corrected three times', new.cycle_id;
  end if;
  return new;
end $$;
create trigger invoices_are_corrected before insert on documents
  for each row when (new.kind = 'INVOICE' and new.refers_to is not null) execute function invoices_are_corrected();

-- CGST Act s.34(2): after 30 November following the financial year of the supply, a credit note takes back no tax.
create or replace function late_notes_bear_no_tax() returns trigger language plpgsql as $$
declare
  supplied date := (new.content -> 'item' ->> 'fromDate')::date;
begin
  if new.issued_on > make_date(extract(year from supplied - interval '3 months')::int + 1, 11, 30)
     and new.cgst_paise + new.sgst_paise + new.utgst_paise + new.igst_paise <> 0 then
    raise exception 'credit note % takes back tax after 30 November', new.number;
  end if;
  return new;
end $$;
create trigger late_notes_bear_no_tax before insert on documents
  for each row when (new.kind = 'CREDIT_NOTE') execute function late_notes_bear_no_tax();

create or replace function documents_dated_in_open_month() returns trigger language plpgsql as $$
begin
  if month_is_locked(new.issued_on) then
    raise exception 'document % would be dated %, and that month is locked', new.number, new.issued_on;
  end if;
  return new;
end $$;
create trigger documents_dated_in_open_month before insert on documents
  for each row execute function documents_dated_in_open_month();

-- An export or a supply to an SEZ bears no tax only under a letter that covers the day of supply: the later of issue and start. An invoice
-- that replaces another keeps the day of the first one; what refers to a document and returns money has its tax.
create or replace function zero_rated_under_a_letter() returns trigger language plpgsql as $$
declare
  supplied date := greatest(new.issued_on, (new.content -> 'item' ->> 'fromDate')::date);
begin
  if exists (select from documents where id = new.refers_to and kind = 'INVOICE') then
    select greatest(min(issued_on), min((content -> 'item' ->> 'fromDate')::date)) into supplied
      from documents where cycle_id = new.cycle_id and kind = 'INVOICE';
  end if;
  if not exists (select from letters_of_undertaking where arn = new.content ->> 'lut' and supplied between from_date and last_date) then
    raise exception 'document % bears no tax and no letter of undertaking covers %', new.number, supplied;
  end if;
  return new;
end $$;
create trigger zero_rated_under_a_letter before insert on documents
  for each row when (new.kind in ('INVOICE', 'RECEIPT_VOUCHER') and new.content ->> 'tax' = 'NONE') execute function zero_rated_under_a_letter();

-- A supply to an SEZ needs the portal's last word, or without one the declaration of the buyer; an export without tax needs the declaration.
create or replace function claims_are_declared() returns trigger language plpgsql as $$
declare
  is_sez boolean := new.content ->> 'supplyType' in ('SEZWP', 'SEZWOP');
  portal_says text;
begin
  if is_sez then
    select outcome into portal_says from sez_checks
      where customer_id = new.customer_id and gstin = new.content #>> '{recipient,gstin}' order by checked_at desc limit 1;
    if portal_says in ('UNIT', 'DEVELOPER') then
      return new;
    end if;
    if portal_says is not null then
      raise exception 'document % is %, which the GST portal contradicts', new.number, new.content ->> 'supplyType';
    end if;
  end if;
  if not exists (select from tax_claims where customer_id = new.customer_id and withdrawn_at is null
    and kind = case when is_sez then 'SEZ' else 'EXPORT' end
    and about = case when is_sez then new.content #>> '{recipient,gstin}' else new.content #>> '{recipient,country}' end) then
    raise exception 'document % is %, which its buyer has not declared', new.number, new.content ->> 'supplyType';
  end if;
  return new;
end $$;
create trigger claims_are_declared before insert on documents
  for each row when (new.kind in ('INVOICE', 'RECEIPT_VOUCHER') and new.content ->> 'supplyType' in ('SEZWP', 'SEZWOP', 'EXPWOP'))
  execute function claims_are_declared();

-- Tax that a customer deducted at source (TDS) from the price of a subscription, as declared with the certificate. The operator accepts or
-- refuses each claim; what is accepted is refunded, and receivable from the Government.
create or replace function quarter_of(day date) returns text language sql immutable as $$
  select to_char(day - interval '3 months', 'YYYY') || '-' || to_char(day + interval '9 months', 'YY') || ' Q' || to_char(day - interval '3 months', 'Q')
$$;

-- At the commit: a replacement is over exactly what is kept of the payment, so that no correction keeps or gives what the books don't know.
create or replace function replacements_are_over_what_is_kept() returns trigger language plpgsql as $$
declare
  kept bigint;
begin
  if (select kind from documents where id = new.refers_to) = 'INVOICE' then
    select p.amount_paise - coalesce((select sum(r.amount_paise - r.covers_paise) from refunds r
        where r.payment_id = p.provider_payment_id and r.cycle_id = p.cycle_id and r.origin <> 'TDS'), 0)
      into kept from cycle_payments p where p.provider_payment_id = new.payment_id and p.cycle_id = new.cycle_id;
    if new.total_paise is distinct from kept then
      raise exception 'invoice % is over %, and % is kept of the payment', new.number, new.total_paise, kept;
    end if;
  end if;
  return null;
end $$;
create constraint trigger replacements_are_over_what_is_kept after insert on documents deferrable initially deferred
  for each row when (new.kind = 'INVOICE' and new.refers_to is not null) execute function replacements_are_over_what_is_kept();

-- A document is of the same registration (GSTIN) as the one that it follows, each being a person of its own in law (CGST Act s.25(4), decision 021).
-- A portal of the version before breaks this only after a change of SUPPLIER_GSTIN: its invoices of earlier advances then wait for one of this version.
create or replace function documents_of_one_registration() returns trigger language plpgsql as $$
declare
  before text;
begin
  select content -> 'supplier' ->> 'gstin' into before from documents where id = new.refers_to;
  if new.content -> 'supplier' ->> 'gstin' is distinct from before then
    raise exception 'document % is not of the registration % of the document that it follows', new.number, before;
  end if;
  return new;
end $$;
create trigger documents_of_one_registration before insert on documents for each row when (new.refers_to is not null)
  execute function documents_of_one_registration();

create trigger document_series_forms_stand before update or delete on document_series_forms
  for each row execute function never_change();
create trigger sealed after insert or update or delete on document_series_forms for each row execute function seal_record('name');
create trigger never_emptied before truncate on document_series execute function refuse_truncate();
create trigger closed_series_stand before update or delete on closed_series
  for each row execute function never_change();
create trigger sealed after insert or update or delete on closed_series for each row execute function seal_record('series,financial_year');
create trigger documents_never_change before update or delete on documents for each row execute function never_change();
create trigger never_emptied before truncate on documents execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on documents for each row execute function note_ledger_change('customer');
alter table documents enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on documents for each row execute function seal_record('id');
create trigger never_emptied before truncate on document_files execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on document_files for each row execute function note_ledger_change('document');
alter table document_files enable always trigger noted_for_ledger;
create trigger only_moves before update on document_files for each row execute function only_moves();
create trigger never_deleted before delete on document_files for each row execute function never_change();
create trigger sealed after insert or delete or update of document_id, pdf_sha256, made_at on document_files
  for each row execute function seal_record('document_id');
create trigger noted_for_ledger after insert or update or delete on open_vouchers for each row execute function note_ledger_change('document');
alter table open_vouchers enable always trigger noted_for_ledger;
