-- An invoice is corrected three times at most, however its chain goes on; one that replaces a cancelled registration does not count.
create function invoices_are_corrected() returns trigger language plpgsql as $$
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
create function late_notes_bear_no_tax() returns trigger language plpgsql as $$
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
