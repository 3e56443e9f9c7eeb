-- Refunds that an operator decided, of a plan that goes on or of one that ends with it (product §6.30). There may be several of a cycle; the same
-- amount for the same reason only once, so that a command given twice refunds once.
alter table refunds drop constraint refunds_origin_check;
alter table refunds add constraint refunds_origin_check
  check (origin in ('PORTAL', 'OPERATOR', 'EXCESS_TAX', 'TDS', 'PROVIDER', 'DISPUTE'));
alter table refunds drop constraint refunds_check1;
alter table refunds add constraint refunds_check1 check ((origin in ('PORTAL', 'OPERATOR', 'EXCESS_TAX', 'TDS')) = (foreign_id is null));
drop index refunds_one_of_ours;
create unique index refunds_one_of_ours on refunds (payment_id, cycle_id, origin) where foreign_id is null and origin <> 'OPERATOR';
create unique index refunds_by_operator_once on refunds (payment_id, cycle_id, amount_paise, reason) where origin = 'OPERATOR';

-- At the commit: it is of money that paid for a cycle, and in the audit log with its reason.
create function operator_refunds_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from payments p where p.provider_payment_id = new.payment_id and p.use = 'CYCLE')
     or not exists (select from operator_actions a where a.action = 'payments.refund' and a.customer_id = new.customer_id
       and a.reason = new.reason and a.effect -> 'refunds' ? new.id) then
    raise exception 'refund % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger operator_refunds_are_recorded after insert on refunds deferrable initially deferred
  for each row when (new.origin = 'OPERATOR') execute function operator_refunds_are_recorded();

-- An operator may give any reason in words.
drop trigger replaced_cycles_give_back on refunds;
create constraint trigger replaced_cycles_give_back after insert on refunds deferrable initially deferred
  for each row when (new.reason = 'Unused days of a replaced plan' and new.origin = 'PORTAL') execute function replaced_cycles_give_back();
