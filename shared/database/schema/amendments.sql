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

-- What forbids an amendment, for good: null when nothing does. CGST Act s.37(3): details only, of an invoice or credit note, until 30 November after the
-- financial year of its date. A supply within the supplier's State stays one, and one beyond it too; the invoice portal amends no GSTIN.
create or replace function fault_of_amendment(a amendments) returns text language sql stable as $$
  select 'document ' || d.number || case
    when d.kind not in ('INVOICE', 'CREDIT_NOTE') or d.customer_id <> a.customer_id
      or d.content - k.details is distinct from a.content - k.details
      or d.content ->> 'supplyType' = 'B2C' and d.content -> 'placeOfSupply' is distinct from a.content -> 'placeOfSupply'
      or d.content ->> 'supplyType' = 'B2B' and (d.content ->> 'placeOfSupply' = k.home) is distinct from (a.content ->> 'placeOfSupply' = k.home)
      or d.content #> '{recipient,gstin}' is distinct from a.content #> '{recipient,gstin}' and exists (select from e_invoices where document_id = d.id)
      then ' cannot be amended to that'
    when a.amended_on > make_date(extract(year from d.issued_on - interval '3 months')::int + 1, 11, 30) then ' is amended after 30 November' end
  from documents d cross join lateral (
    select '{recipient,placeOfSupply,placeOfSupplyName}'::text[] as details, left(d.content #>> '{supplier,gstin}', 2) as home) k
  where d.id = a.document_id
$$;

create or replace function amendments_are_lawful() returns trigger language plpgsql as $$
declare
  d documents;
  fault text := fault_of_amendment(new);
begin
  if fault is not null then
    raise exception '%', fault;
  end if;
  select * into d from documents where id = new.document_id;
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
