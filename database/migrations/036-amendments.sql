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
  pdf bytea not null,
  pdf_sha256 bytea not null check (pdf_sha256 = sha256(pdf)),
  made_at timestamptz not null
);

-- CGST Act s.37(3): details only, of an invoice or credit note, until 30 November after the financial year of its date.
create function amendments_are_lawful() returns trigger language plpgsql as $$
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
create trigger amendment_files_never_change before update or delete on amendment_files for each row execute function never_change();
create trigger never_emptied before truncate on amendments execute function refuse_truncate();
create trigger never_emptied before truncate on amendment_files execute function refuse_truncate();

-- Both are sealed, and noted for the check of the ledger, as documents and their files are.
alter table record_seals drop constraint record_seals_kind_check;
alter table record_seals add check (
  kind in ('documents', 'document_files', 'e_invoices', 'cycles', 'payments', 'amendments', 'amendment_files'));
create function seal_of_amendments(r amendments) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, r.customer_id, seal_text(r.amended_at), seal_text(r.amended_on), r.content)::text,
    'UTF8'))
$$;
create function seal_of_amendment_files(r amendment_files) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, encode(r.pdf_sha256, 'hex'), seal_text(r.made_at))::text, 'UTF8'))
$$;
create trigger sealed after insert or update or delete on amendments for each row execute function seal_record('document_id');
create trigger sealed after insert or update or delete on amendment_files for each row execute function seal_record('document_id');
create trigger noted_for_ledger after insert or update or delete on amendments for each row execute function note_ledger_change('customer');
create trigger noted_for_ledger after insert or update or delete on amendment_files for each row execute function note_ledger_change('document');
alter table amendments enable always trigger noted_for_ledger;
alter table amendment_files enable always trigger noted_for_ledger;

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
$$;
