-- Registrations of documents at the invoice portal (IRN), and the documents that wait for one.

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

-- Documents that have to be registered on the invoice portal and are not yet, from their issue on: always few, whatever the
-- number of documents.
create table e_invoice_waits (
  document_id text primary key references documents,
  since timestamptz not null,
  -- The portal refused the document itself, for good: it is not asked again.
  refused_at timestamptz,
  refused_code text,
  refused_reason text,
  -- When the operator was last told that it is late.
  alarmed_at timestamptz,
  -- A document that will never be registered: the invoice portal refused its invoice, which was then credited in full. An invoice without a registration
  -- is no tax invoice (CGST Rule 48(5)), so neither it nor its credit note waits any more. The row stays, with what the invoice portal said.
  closed_at timestamptz,
  check ((refused_at is null) = (refused_code is null) and (refused_at is null) = (refused_reason is null))
);

create or replace function e_invoices_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.cancelled_at is not null
     or (to_jsonb(new) - '{cancelled_at,cancel_reason}'::text[]) <> (to_jsonb(old) - '{cancelled_at,cancel_reason}'::text[]) then
    raise exception 'a registration only changes by being cancelled';
  end if;
  return new;
end $$;
create trigger e_invoices_stay before update or delete on e_invoices for each row execute function e_invoices_stay();

create or replace function e_invoices_waited() returns trigger language plpgsql as $$
begin
  delete from e_invoice_waits where document_id = new.document_id;
  return null;
end $$;
create trigger e_invoices_waited after insert on e_invoices for each row execute function e_invoices_waited();

create or replace function e_invoices_cancelled_in_open_month() returns trigger language plpgsql as $$
declare
  d documents;
begin
  select * into d from documents where id = new.document_id;
  if month_is_locked(d.issued_on) then
    raise exception 'invoice % of % cannot be cancelled: that month is locked', d.number, d.issued_on;
  end if;
  return new;
end $$;
create trigger e_invoices_cancelled_in_open_month before update of cancelled_at on e_invoices
  for each row when (old.cancelled_at is null and new.cancelled_at is not null) execute function e_invoices_cancelled_in_open_month();

create or replace function waits_close_when_credited() returns trigger language plpgsql as $$
declare
  d documents;
  invoice documents;
begin
  if old.closed_at is not null then
    raise exception 'the wait of document % is closed', old.document_id;
  end if;
  select * into d from documents where id = new.document_id;
  select * into invoice from documents where id = case d.kind when 'CREDIT_NOTE' then d.refers_to else d.id end;
  if exists (select from e_invoices where document_id = invoice.id)
     or not exists (select from e_invoice_waits where document_id = invoice.id and refused_at is not null)
     or invoice.total_paise <> (select coalesce(sum(total_paise), 0) from documents where refers_to = invoice.id and kind = 'CREDIT_NOTE') then
    raise exception 'document % still has to be registered', d.number;
  end if;
  return new;
end $$;
create trigger waits_close_when_credited before update on e_invoice_waits for each row
  when (old.closed_at is not null or new.closed_at is not null) execute function waits_close_when_credited();

create trigger noted_for_ledger after insert or update or delete on e_invoices for each row execute function note_ledger_change('document');
alter table e_invoices enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on e_invoices for each row execute function seal_record('document_id');
create trigger sealed after insert or delete or update of document_id, since, refused_at, refused_code, refused_reason, closed_at on e_invoice_waits
  for each row execute function seal_record('document_id');
create trigger noted_for_ledger after insert or update or delete on e_invoice_waits for each row execute function note_ledger_change('document');
alter table e_invoice_waits enable always trigger noted_for_ledger;
