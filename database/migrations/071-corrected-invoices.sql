-- A corrected invoice may be over less than the first one: tax that was added to the price and is no longer due is refunded (decision 023). At most
-- one such refund of a cycle, beside those of other origins: an invoice without tax is never corrected to one with tax that was not paid.
alter table refunds drop constraint refunds_origin_check, add constraint refunds_origin_check
  check (origin in ('PORTAL', 'OPERATOR', 'EXCESS_TAX', 'CORRECTION', 'TDS', 'PROVIDER', 'DISPUTE'));
alter table refunds drop constraint refunds_check1, add constraint refunds_check1
  check ((origin in ('PORTAL', 'OPERATOR', 'EXCESS_TAX', 'CORRECTION', 'TDS')) = (foreign_id is null));

-- At the commit: an invoice with tax was replaced by one without, which is over that much less.
create function corrections_lower_the_invoice() returns trigger language plpgsql as $$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.cycle_id = new.cycle_id and d.kind = 'INVOICE' and b.kind = 'INVOICE'
      and d.content ->> 'tax' = 'NONE' and b.content ->> 'tax' <> 'NONE' and b.total_paise - d.total_paise >= new.amount_paise) then
    raise exception 'refund % has no corrected invoice over that much less', new.id;
  end if;
  return null;
end $$;
create constraint trigger corrections_lower_the_invoice after insert on refunds deferrable initially deferred
  for each row when (new.origin = 'CORRECTION') execute function corrections_lower_the_invoice();

-- Only an invoice that loses its tax is over less than is left of the one that it replaces.
create or replace function documents_follow() returns trigger language plpgsql as $$
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

-- At the commit: a replacement is over exactly what is kept of the payment, so that no correction keeps or gives what the books don't know.
create function replacements_are_over_what_is_kept() returns trigger language plpgsql as $$
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

-- A document that will never be registered: the invoice portal refused its invoice, which was then credited in full. An invoice without a registration
-- is no tax invoice (CGST Rule 48(5)), so neither it nor its credit note waits any more. The row stays, with what the invoice portal said.
alter table e_invoice_waits add column closed_at timestamptz;

create function waits_close_when_credited() returns trigger language plpgsql as $$
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
