-- A document is of the same registration (GSTIN) as the one that it follows, each being a person of its own in law (CGST Act s.25(4), decision 021).
-- A portal of the version before breaks this only after a change of SUPPLIER_GSTIN: its invoices of earlier advances then wait for one of this version.
create function documents_of_one_registration() returns trigger language plpgsql as $$
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
