-- A document is over money that was captured for its cycle: at the commit there is that payment, of that cycle and customer.
create function documents_are_paid() returns trigger language plpgsql as $$
begin
  if not exists (
    select from payments where provider_payment_id = new.payment_id and cycle_id = new.cycle_id and customer_id = new.customer_id and use = 'CYCLE'
  ) then
    raise exception 'document % is over money that did not pay for cycle %', new.number, new.cycle_id;
  end if;
  return null;
end $$;
create constraint trigger documents_are_paid after insert on documents
  deferrable initially deferred for each row execute function documents_are_paid();
