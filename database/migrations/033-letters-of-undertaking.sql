-- The provider's letters of undertaking under which documents were issued without tax (IGST Act s.16, Rule 96A): one financial year each.
create table letters_of_undertaking (
  arn text primary key,
  from_date date not null,
  last_date date not null,
  check (from_date <= last_date),
  check (extract(year from from_date - interval '3 months') = extract(year from last_date - interval '3 months'))
);

-- An export or a supply to an SEZ bears no tax only under a letter that covers the day of supply: the later of issue and start. An invoice
-- that replaces another keeps the day of the first one; what refers to a document and returns money has its tax.
create function zero_rated_under_a_letter() returns trigger language plpgsql as $$
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
