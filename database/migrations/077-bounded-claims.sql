-- Letters are kept for good, so a customer can store only so many: at most 5 in 30 days and 10 in 365 days.
create function letters_are_few() returns trigger language plpgsql as $$
begin
  -- Declarations of one customer wait for each other.
  perform from customers where id = new.customer_id for no key update;
  if (select count(*) from tax_claims where customer_id = new.customer_id and declared_at > new.declared_at - interval '30 days') >= 5
    or (select count(*) from tax_claims where customer_id = new.customer_id and declared_at > new.declared_at - interval '365 days') >= 10 then
    raise exception 'too many letters were stored' using constraint = 'tax_claims_too_many_letters';
  end if;
  return new;
end $$;
create trigger letters_are_few before insert on tax_claims for each row execute function letters_are_few();
create index tax_claims_of_customer on tax_claims (customer_id, declared_at);

-- Each search at the GST portal costs the provider money: the day of a customer's last one (IST), and how many that day had.
alter table customers
  add column sez_searched_on date,
  add column sez_searches integer not null default 0 check (sez_searches between 0 and 10);
