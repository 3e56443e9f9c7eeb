-- A request that the accountant confirmed was welcome: an accountant of many customers is asked by each of them.
create or replace function accountants_are_asked() returns trigger language plpgsql as $$
begin
  -- Requests to one address, and those of one customer, wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('accountant ' || each, 0))
    from unnest(array[least(new.email, new.customer_id), greatest(new.email, new.customer_id)]) as each;
  if new.confirmed_at is not null or new.ended_at is not null then
    raise exception 'a request to an accountant is neither confirmed nor ended when it is made';
  end if;
  if exists (select from accountants where customer_id = new.customer_id and email = new.email and ended_by = 'ACCOUNTANT'
    and ended_at > new.asked_at - interval '365 days') then
    raise exception 'the accountant declined' using constraint = 'accountants_declined';
  end if;
  if (select count(*) from accountants where customer_id = new.customer_id and confirmed_at is null
      and asked_at > new.asked_at - interval '30 days') >= 3
    or (select count(*) from accountants where email = new.email and confirmed_at is null
      and asked_at > new.asked_at - interval '30 days') >= 3 then
    raise exception 'accountants were asked too often' using constraint = 'accountants_asked_too_often';
  end if;
  return new;
end $$;
