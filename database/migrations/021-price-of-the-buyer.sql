-- While a cycle waits for its payment, its price follows the buyer and the tax rate of the day: an order is over the price at that moment.
create or replace function cycles_move_forward() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.activation_id <> old.activation_id or new.customer_id <> old.customer_id
     or new.plan <> old.plan or new.daily_quota <> old.daily_quota
     or new.monthly_quota <> old.monthly_quota or new.rps <> old.rps or new.created_at <> old.created_at
     or (new.price_paise <> old.price_paise and not (
          old.status = 'PAYMENT_PENDING' and new.status = 'PAYMENT_PENDING' and new.price_paise >= (new.plan ->> 'pricePaise')::bigint
          and not exists (select from payment_orders where cycle_id = new.id and status in ('CREATING', 'OPEN', 'PAID')))) then
    raise exception 'what was sold in cycle % never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'PAYMENT_PENDING' and new.status in ('PAID', 'REMOVED', 'REFUNDED'))
    or (old.status = 'PAID' and new.status in ('DEACTIVATED', 'REFUNDED'))
    or (old.status = 'NO_PAYMENT_REQUIRED' and new.status = 'DEACTIVATED')
  ) then
    raise exception 'cycle % cannot go from % to %', old.id, old.status, new.status;
  end if;
  -- A cycle paid late starts on the first free day (D10); otherwise its days stand.
  if (new.from_date, new.to_date) <> (old.from_date, old.to_date)
     and not (old.status = 'PAYMENT_PENDING' and new.status = 'PAID' and new.to_date - new.from_date = old.to_date - old.from_date) then
    raise exception 'the days of cycle % stand', old.id;
  end if;
  return new;
end $$;
