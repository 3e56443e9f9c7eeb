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
  check ((refused_at is null) = (refused_code is null) and (refused_at is null) = (refused_reason is null))
);

create function documents_wait() returns trigger language plpgsql as $$
begin
  insert into e_invoice_waits (document_id, since) values (new.id, new.issued_at);
  return null;
end $$;
create trigger documents_wait after insert on documents for each row when (new.needs_irn) execute function documents_wait();

create function e_invoices_waited() returns trigger language plpgsql as $$
begin
  delete from e_invoice_waits where document_id = new.document_id;
  return null;
end $$;
create trigger e_invoices_waited after insert on e_invoices for each row execute function e_invoices_waited();

insert into e_invoice_waits (document_id, since)
  select d.id, d.issued_at from documents d where d.needs_irn and not exists (select from e_invoices e where e.document_id = d.id);
