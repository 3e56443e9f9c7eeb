-- Tax of an advance that is no longer due when its invoice is issued (CGST Act s.14, Rule 51): a refund of the portal beside the one that
-- may follow when the plan ends, at most one per payment.
alter table refunds drop constraint refunds_origin_check;
alter table refunds add constraint refunds_origin_check check (origin in ('PORTAL', 'EXCESS_TAX', 'PROVIDER', 'DISPUTE'));
alter table refunds drop constraint refunds_check1;
alter table refunds add constraint refunds_check1 check ((origin in ('PORTAL', 'EXCESS_TAX')) = (foreign_id is null));
alter table refunds drop constraint refunds_check2;
alter table refunds add constraint refunds_check2 check (covers_paise between 0 and amount_paise and (foreign_id is not null or covers_paise = 0));
drop index refunds_one_of_ours;
create unique index refunds_one_of_ours on refunds (payment_id, origin) where foreign_id is null;
drop index refunds_foreign;
create index refunds_foreign on refunds (created_at) where foreign_id is not null;

-- Only the advance of a cycle can contain excess tax, and only before its invoice: with a refund voucher over the amount.
create function excess_tax_has_a_voucher() returns trigger language plpgsql as $$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.kind = 'REFUND_VOUCHER' and d.total_paise = new.amount_paise
      and b.kind = 'RECEIPT_VOUCHER' and (b.content -> 'item' ->> 'fromDate')::date <= d.issued_on) then
    raise exception 'refund % of excess tax has no refund voucher', new.id;
  end if;
  return null;
end $$;
create constraint trigger excess_tax_has_a_voucher after insert on refunds deferrable initially deferred
  for each row when (new.origin = 'EXCESS_TAX') execute function excess_tax_has_a_voucher();
