-- A claim or an SEZ check that was under way when its customer was erased is refused, as everything else that the customer writes is.
create trigger erased_get_nothing before insert on tds_claims for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on sez_checks for each row execute function erased_get_nothing();

-- The largest raise, and that the plan is not over, hold here too.
create or replace function quota_raises_are_due() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  c cycles;
  added bigint;
  most_of_day bigint;
  of_cycle bigint;
begin
  select * into c from cycles where id = new.cycle_id and customer_id = new.customer_id and adds_to is null
    and status in ('PAID', 'NO_PAYMENT_REQUIRED') for share;
  if not found then
    raise exception 'cycle % has no quota to raise', new.cycle_id;
  end if;
  if c.to_date <= (new.made_at at time zone 'Asia/Kolkata')::date then
    raise exception 'cycle % is over', c.id;
  end if;
  perform 1 from quota_days d where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date order by d.day for update;
  insert into quota_cycles (cycle_id) values (c.id) on conflict do nothing;
  select taken into of_cycle from quota_cycles where cycle_id = c.id for update;
  if new.units > 0 then
    -- Of domain/raised-quota.ts: sums of quotas stay whole numbers of the database.
    if raised_units(c.id)::bigint + new.units > 1000000000 then
      raise exception 'the quota of cycle % cannot be raised by %', c.id, new.units;
    end if;
    return new;
  end if;
  select coalesce(max(taken), 0) into most_of_day from quota_days
    where activation_id = c.activation_id and day >= c.from_date and day < c.to_date;
  if is_free_cycle(c) then
    select greatest(most_of_day, coalesce(max(taken), 0)) into most_of_day from free_quota_days
      where customer_id = c.customer_id and service_id = c.service_id and day >= c.from_date and day < c.to_date;
    select greatest(of_cycle, coalesce(max(taken), 0)) into of_cycle from free_quota_windows
      where customer_id = c.customer_id and service_id = c.service_id and from_date < c.to_date and c.from_date < to_date;
  end if;
  added := pack_units(c.id) + new.units;
  if raised_units(c.id) + new.units < 0 or of_cycle > c.monthly_quota + added or most_of_day > c.daily_quota + added then
    raise exception 'the quota of cycle % cannot be lowered by %', c.id, -new.units using errcode = 'check_violation';
  end if;
  return new;
end $$;
