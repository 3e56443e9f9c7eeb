-- Calls that a customer made with test keys of a product on one IST day: the newest day only. The gateways take each one here before they
-- make it, so no number of keys, activations, gateways or restarts gets more of them than the catalogue allows.
create table test_calls (
  customer_id text not null references customers (id),
  service_id text not null,
  day date not null,
  calls integer not null check (calls > 0),
  primary key (customer_id, service_id)
);

create function test_calls_only_grow() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.day, new.calls) > (old.day, old.calls) and (new.customer_id, new.service_id) = (old.customer_id, old.service_id) then
      return new;
    end if;
  end if;
  raise exception 'test calls only grow';
end $$;
create trigger test_calls_only_grow before update or delete on test_calls
  for each row execute function test_calls_only_grow();

-- Takes one test call; false when all of the day are taken. A gateway whose clock is a day behind takes from the day already begun.
create function take_test_call(p_customer text, p_service text, p_day date, p_cap integer) returns boolean language sql as $$
  with taken as (
    insert into test_calls as t (customer_id, service_id, day, calls) values (p_customer, p_service, p_day, 1)
    on conflict (customer_id, service_id) do update
      set day = greatest(t.day, excluded.day), calls = case when excluded.day > t.day then 1 else t.calls + 1 end
      where excluded.day > t.day or t.calls < p_cap
    returning 1
  )
  select exists (select from taken)
$$;
