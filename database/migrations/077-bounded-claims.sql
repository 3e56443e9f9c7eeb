-- Letters are kept for good, so a customer can store only so many: at most 5 in 30 days and 10 in 365 days.
create function has_too_many_letters(p_customer text, p_at timestamptz) returns boolean language sql stable as $$
  select count(*) filter (where declared_at > p_at - interval '30 days') >= 5 or count(*) >= 10
  from tax_claims where customer_id = p_customer and declared_at > p_at - interval '365 days'
$$;
create function letters_are_few() returns trigger language plpgsql as $$
begin
  -- Declarations of one customer wait for each other.
  perform from customers where id = new.customer_id for no key update;
  if has_too_many_letters(new.customer_id, new.declared_at) then
    raise exception 'too many letters were stored';
  end if;
  return new;
end $$;
create trigger letters_are_few before insert on tax_claims for each row execute function letters_are_few();
create index tax_claims_of_customer on tax_claims (customer_id, declared_at);

-- Each search at the GST portal costs the provider money: the day of a customer's last one (IST), and how many that day had.
alter table customers
  add column sez_searched_on date,
  add column sez_searches integer not null default 0 check (sez_searches between 0 and 10);
