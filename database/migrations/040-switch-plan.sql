-- Switch plan (decision 036): a cycle may replace the running one. Which one it replaces is part of what was sold.
alter table cycles add column replaces text;
alter table cycles add constraint cycles_replaces_fkey
  foreign key (replaces, activation_id, customer_id) references cycles (id, activation_id, customer_id);
alter table cycles add constraint cycles_replaces_check check (replaces <> id);
-- A cycle is replaced once, and one unpaid switch waits at a time.
create unique index cycles_replaced_once on cycles (replaces) where replaces is not null and status <> 'REMOVED';

create trigger cycles_replace_for_good before update on cycles
  for each row when (new.replaces is distinct from old.replaces) execute function never_change();

-- Only a cycle that gives access today is replaced.
create function cycles_replace_running() returns trigger language plpgsql as $$
begin
  if not exists (select from cycles r where r.id = new.replaces and r.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and r.from_date <= new.from_date and new.from_date < r.to_date)
     and not (new.status = 'NO_PAYMENT_REQUIRED' and exists (select from cycles r
      where r.id = new.replaces and r.status = 'DEACTIVATED' and r.ended_at = new.created_at)) then
    raise exception 'cycle % replaces %, which does not run on %', new.id, new.replaces, new.from_date;
  end if;
  return new;
end $$;
create trigger cycles_replace_running before insert on cycles
  for each row when (new.replaces is not null) execute function cycles_replace_running();

-- What a replaced plan gives back follows from its own terms: nothing, or at most the share of the days after the last one used.
create function replaced_cycles_give_back() returns trigger language plpgsql as $$
declare
  c cycles;
  allowed bigint;
begin
  select * into c from cycles where id = new.cycle_id;
  allowed := case when c.plan ->> 'onDeactivate' = 'refund-unused' then ceil(c.price_paise::numeric
    * greatest(c.to_date - (c.ended_at at time zone 'Asia/Kolkata')::date - 1, 0) / (c.to_date - c.from_date)) else 0 end;
  if c.status <> 'DEACTIVATED' or new.amount_paise > allowed
     or not exists (select from cycles where replaces = c.id and status in ('PAID', 'NO_PAYMENT_REQUIRED')) then
    raise exception 'refund % of % paise for the replaced cycle % is not due', new.id, new.amount_paise, new.cycle_id;
  end if;
  return null;
end $$;
create constraint trigger replaced_cycles_give_back after insert on refunds deferrable initially deferred
  for each row when (new.reason = 'Unused days of a replaced plan') execute function replaced_cycles_give_back();

-- A switch starts on the day of its payment, which a period before it in the same order could take: it is paid alone.
create function switches_are_paid_alone() returns trigger language plpgsql as $$
begin
  if exists (select from cycles c where c.replaces is not null
      and (c.id = new.cycle_id or c.id in (select o.cycle_id from order_cycles o where o.order_id = new.order_id))) then
    raise exception 'order % covers a switch and other cycles', new.order_id;
  end if;
  return new;
end $$;
create trigger switches_are_paid_alone before insert on order_cycles
  for each row when (new.place > 1) execute function switches_are_paid_alone();

create or replace function seal_of_cycles(r cycles) returns bytea language sql immutable as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.status::text, seal_text(r.from_date),
    seal_text(r.to_date), r.plan, r.tenure, r.price_paise, r.daily_quota, r.monthly_quota, r.rps, seal_text(r.created_at), seal_text(r.paid_at),
    seal_text(r.ended_at)) || case when r.replaces is null then '[]'::jsonb else jsonb_build_array(r.replaces) end)::text, 'UTF8'))
$$;
