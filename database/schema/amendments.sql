-- Invoices whose buyer details were wrong: number, date and amounts stay, the return of the month names both (decision 037).

-- The buyer's details of a document as amended (GSTR-1, tables 9A and 9C), once for each document. The document itself stays as issued.
create table amendments (
  document_id text primary key references documents,
  customer_id text not null references customers,
  amended_at timestamptz not null,
  amended_on date not null check (amended_on = (amended_at at time zone 'Asia/Kolkata')::date),
  content jsonb not null
);
create index amendments_customer on amendments (customer_id);
create index amendments_day on amendments (amended_on);

-- The PDF of an amended document, made once.
create table amendment_files (
  document_id text primary key references amendments,
  pdf bytea,
  pdf_sha256 bytea not null check (pdf_sha256 = sha256(pdf)),
  made_at timestamptz not null,
  place text check (place <> ''),
  bytes integer check (bytes > 0),
  constraint amendment_files_one_place check ((pdf is null) = (place is not null) and (pdf is null) = (bytes is not null)),
  constraint amendment_files_hash_check check (length(pdf_sha256) = 32)
);

-- CGST Act s.37(3): details only, of an invoice or credit note, until 30 November after the financial year of its date.
create or replace function amendments_are_lawful() returns trigger language plpgsql as $$
declare
  d documents;
  details text[] := '{recipient,placeOfSupply,placeOfSupplyName}';
begin
  select * into d from documents where id = new.document_id;
  if d.kind not in ('INVOICE', 'CREDIT_NOTE') or d.customer_id <> new.customer_id or d.content - details <> new.content - details
     or (d.content ->> 'supplyType' = 'B2C' and d.content -> 'placeOfSupply' <> new.content -> 'placeOfSupply')
     or (d.content #> '{recipient,gstin}' <> new.content #> '{recipient,gstin}' and exists (select from e_invoices where document_id = d.id))
  then
    raise exception 'document % cannot be amended to that', d.number;
  end if;
  if new.amended_on > make_date(extract(year from d.issued_on - interval '3 months')::int + 1, 11, 30) then
    raise exception 'document % is amended after 30 November', d.number;
  end if;
  if month_is_locked(new.amended_on) then
    raise exception 'document % would be amended on %, and that month is locked', d.number, new.amended_on;
  end if;
  if exists (select from documents where refers_to = d.id and kind = 'INVOICE')
     or exists (select from e_invoices where document_id = d.id and cancelled_at is not null) then
    raise exception 'document % was replaced and cannot be amended', d.number;
  end if;
  return new;
end $$;
create trigger amendments_are_lawful before insert on amendments for each row execute function amendments_are_lawful();

create trigger amendments_never_change before update or delete on amendments for each row execute function never_change();
create trigger never_emptied before truncate on amendments execute function refuse_truncate();
create trigger sealed after insert or update or delete on amendments for each row execute function seal_record('document_id');
create trigger noted_for_ledger after insert or update or delete on amendments for each row execute function note_ledger_change('customer');
alter table amendments enable always trigger noted_for_ledger;
create trigger never_emptied before truncate on amendment_files execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on amendment_files for each row execute function note_ledger_change('document');
alter table amendment_files enable always trigger noted_for_ledger;
create trigger only_moves before update on amendment_files for each row execute function only_moves();
create trigger never_deleted before delete on amendment_files for each row execute function never_change();
create trigger sealed after insert or delete or update of document_id, pdf_sha256, made_at on amendment_files
  for each row execute function seal_record('document_id');
