-- One payment for several cycles of an activation: all of them or none. An order covers 1 to 12 cycles, each with its share of the amount.

alter table payment_orders add unique (id, activation_id, customer_id);
alter table payments add unique (provider_payment_id, customer_id);

create table order_cycles (
  order_id text not null,
  cycle_id text not null,
  activation_id text not null,
  customer_id text not null,
  -- 1: the cycle that the order itself names.
  place integer not null check (place between 1 and 12),
  amount_paise bigint not null check (amount_paise > 0),
  -- Can the order be paid, or was it? Follows the order's status.
  live boolean not null,
  primary key (order_id, cycle_id),
  unique (order_id, place),
  foreign key (order_id, activation_id, customer_id) references payment_orders (id, activation_id, customer_id),
  foreign key (cycle_id, activation_id, customer_id) references cycles (id, activation_id, customer_id)
);
-- A cycle has one live order, and so is paid once.
create unique index order_cycles_one_live on order_cycles (cycle_id) where live;
create index order_cycles_cycle on order_cycles (cycle_id);
create index order_cycles_customer on order_cycles (customer_id);

insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live)
select id, cycle_id, activation_id, customer_id, 1, amount_paise, status in ('CREATING', 'OPEN', 'PAID') from payment_orders;

drop index payment_orders_one_live;
drop index payments_one_per_cycle;
create unique index payments_one_per_order on payments (order_id) where use = 'CYCLE';

create trigger never_deleted before delete on order_cycles for each row execute function never_change();
create trigger never_emptied before truncate on order_cycles execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on order_cycles for each row execute function note_ledger_change('customer');
alter table order_cycles enable always trigger noted_for_ledger;

create function order_cycles_stand() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'live') <> (to_jsonb(old) - 'live') then
    raise exception 'what order % is for never changes', old.order_id;
  end if;
  return new;
end $$;
create trigger order_cycles_stand before update on order_cycles for each row execute function order_cycles_stand();

-- Every order covers the cycle that it names; further cycles are inserted with it.
create function orders_cover_cycles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live)
    select new.id, new.cycle_id, new.activation_id, new.customer_id, 1, c.price_paise, new.status in ('CREATING', 'OPEN', 'PAID')
    from cycles c where c.id = new.cycle_id;
  elsif new.status <> old.status then
    update order_cycles set live = new.status in ('CREATING', 'OPEN', 'PAID') where order_id = new.id;
  end if;
  return null;
end $$;
create trigger orders_cover_cycles after insert or update of status on payment_orders
  for each row execute function orders_cover_cycles();

create or replace function orders_move_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then return new; end if;
  if (new.id, new.cycle_id, new.customer_id, new.amount_paise, new.currency, new.created_at)
     is distinct from (old.id, old.cycle_id, old.customer_id, old.amount_paise, old.currency, old.created_at)
     or (old.provider_order_id is not null and new.provider_order_id is distinct from old.provider_order_id) then
    raise exception 'what order % is for never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'CREATING' and new.status in ('OPEN', 'CLOSED'))
    or (old.status = 'OPEN' and new.status in ('PAID', 'CLOSED'))
    or (old.status = 'CLOSED' and new.status = 'PAID')
  ) then
    raise exception 'order % cannot go from % to %', old.id, old.status, new.status;
  end if;
  return new;
end $$;

-- At the commit: an order is over the prices of its cycles, and no cycle is added to it later.
create function orders_add_up() returns trigger language plpgsql as $$
declare
  covered text := to_jsonb(new) ->> tg_argv[0];
begin
  if exists (select from order_cycles oc join cycles c on c.id = oc.cycle_id where oc.order_id = covered and oc.amount_paise <> c.price_paise)
     or (select o.amount_paise from payment_orders o where o.id = covered)
        is distinct from (select sum(oc.amount_paise)::bigint from order_cycles oc where oc.order_id = covered) then
    raise exception 'order % must be over the prices of its cycles', covered;
  end if;
  return null;
end $$;
create constraint trigger orders_add_up after insert on payment_orders
  deferrable initially deferred for each row execute function orders_add_up('id');
create constraint trigger orders_add_up after insert on order_cycles
  deferrable initially deferred for each row execute function orders_add_up('order_id');

-- The cycles that a captured payment paid for, each with its share of the money.
create view cycle_payments as
select p.provider_payment_id, p.order_id, oc.cycle_id, oc.customer_id, oc.place, oc.amount_paise, p.currency, p.captured_at
from payments p join order_cycles oc on oc.order_id = p.order_id where p.use = 'CYCLE';

-- The name of the ledger entry of a capture: each cycle of a payment has its own.
create function capture_entry(payment_id text, place integer) returns text language sql immutable as $$
  select 'capture:' || payment_id || case place when 1 then '' else ':' || place end
$$;

-- While a cycle waits for its payment, its price follows the buyer and the tax rate of the day: an order is over the price at that moment.
create or replace function cycles_move_forward() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.activation_id <> old.activation_id or new.customer_id <> old.customer_id
     or new.plan <> old.plan or new.daily_quota <> old.daily_quota
     or new.monthly_quota <> old.monthly_quota or new.rps <> old.rps or new.created_at <> old.created_at
     or (new.price_paise <> old.price_paise and not (
          old.status = 'PAYMENT_PENDING' and new.status = 'PAYMENT_PENDING' and new.price_paise >= (new.plan ->> 'pricePaise')::bigint
          and not exists (select from order_cycles where cycle_id = new.id and live))) then
    raise exception 'what was sold in cycle % never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'PAYMENT_PENDING' and new.status in ('PAID', 'REMOVED', 'REFUNDED'))
    or (old.status = 'PAID' and new.status in ('DEACTIVATED', 'REFUNDED'))
    or (old.status = 'NO_PAYMENT_REQUIRED' and new.status = 'DEACTIVATED')
  ) then
    raise exception 'cycle % cannot go from % to %', old.id, old.status, new.status;
  end if;
  -- A cycle paid late starts on the first free day (product §4.14); otherwise its days stand.
  if (new.from_date, new.to_date) <> (old.from_date, old.to_date)
     and not (old.status = 'PAYMENT_PENDING' and new.status = 'PAID' and new.to_date - new.from_date = old.to_date - old.from_date) then
    raise exception 'the days of cycle % stand', old.id;
  end if;
  return new;
end $$;

-- At the commit: captured money pays for every cycle of its order, or goes back as a whole.
create or replace function payments_are_used() returns trigger language plpgsql as $$
declare
  p payments;
begin
  select * into p from payments where provider_payment_id = new.provider_payment_id;
  if p.use = 'CYCLE' and (not exists (
    select from payment_orders o where o.id = p.order_id and o.status = 'PAID' and o.amount_paise = p.amount_paise and o.currency = p.currency
  ) or exists (
    select from order_cycles oc join cycles c on c.id = oc.cycle_id
    where oc.order_id = p.order_id and (c.price_paise <> oc.amount_paise or c.paid_at is null)
  )) then
    raise exception 'payment % does not pay for cycle %', p.provider_payment_id, p.cycle_id;
  end if;
  if p.use = 'REFUND' and not exists (
    select from refunds where payment_id = p.provider_payment_id and origin = 'PORTAL' and amount_paise = p.amount_paise
  ) then
    raise exception 'payment % has to be refunded and is not', p.provider_payment_id;
  end if;
  if p.status = 'captured' and exists (
    select from order_cycles oc where oc.order_id = p.order_id and (p.use = 'CYCLE' or oc.place = 1)
      and not exists (select from ledger_entries e where e.id = capture_entry(p.provider_payment_id, oc.place) and e.cycle_id = oc.cycle_id)
  ) then
    raise exception 'the capture of payment % is not in the ledger', p.provider_payment_id;
  end if;
  return null;
end $$;

create or replace function cycles_are_paid() returns trigger language plpgsql as $$
declare
  c cycles;
  given_back bigint;
begin
  select * into c from cycles where id = new.id;
  if c.paid_at is null then
    if c.status = 'REFUNDED' then raise exception 'cycle % was never paid', c.id; end if;
    return null;
  end if;
  if not exists (select from cycle_payments where cycle_id = c.id) then
    raise exception 'cycle % is paid by no payment', c.id;
  end if;
  select coalesce(sum(r.amount_paise - r.covers_paise), 0) into given_back
    from refunds r join cycle_payments p on p.provider_payment_id = r.payment_id and p.cycle_id = r.cycle_id where p.cycle_id = c.id;
  if c.status = 'PAID' and given_back >= c.price_paise or c.status = 'REFUNDED' and given_back <> c.price_paise then
    raise exception 'cycle % is % while % paise of it are given back', c.id, c.status, given_back;
  end if;
  return null;
end $$;

-- Each cycle of a payment has its own refunds; one refund at the provider may be shared by several of them.
alter table refunds
  drop constraint refunds_payment_id_cycle_id_customer_id_fkey,
  drop constraint refunds_foreign_id_key,
  drop constraint refunds_provider_refund_id_key,
  add foreign key (payment_id, customer_id) references payments (provider_payment_id, customer_id),
  add foreign key (cycle_id) references cycles (id);
drop index refunds_one_of_ours;
create unique index refunds_one_of_ours on refunds (payment_id, cycle_id, origin) where foreign_id is null;
create unique index refunds_booked_once on refunds (foreign_id, cycle_id);
create unique index refunds_at_provider_once on refunds (provider_refund_id, cycle_id);
create unique index refunds_ours_at_provider on refunds (provider_refund_id) where foreign_id is null;
create index refunds_cycle on refunds (cycle_id);

-- At the commit: never more goes back than was paid for the cycle, and a cycle whose whole price went back gives no access.
create or replace function refunds_are_due() returns trigger language plpgsql as $$
declare
  r refunds;
  p payments;
  c cycles;
  paid bigint;
  given_back bigint;
  covering bigint;
  covered bigint;
begin
  select * into r from refunds where id = new.id;
  select * into p from payments where provider_payment_id = r.payment_id;
  select * into c from cycles where id = r.cycle_id;
  select case p.use when 'CYCLE' then oc.amount_paise else p.amount_paise end into paid
    from order_cycles oc where oc.order_id = p.order_id and oc.cycle_id = r.cycle_id and (p.use = 'CYCLE' or oc.place = 1);
  select sum(amount_paise - covers_paise), sum(covers_paise), sum(covered_paise) into given_back, covering, covered
    from refunds where payment_id = r.payment_id and cycle_id = r.cycle_id;
  if p.status <> 'captured' or paid is null or given_back > paid or covering <> covered
     or p.use = 'REFUND' and r.origin = 'PORTAL' and r.amount_paise <> p.amount_paise
     or p.use = 'CYCLE' and c.status not in ('DEACTIVATED', 'REFUNDED') and (r.origin = 'PORTAL' or c.status <> 'PAID')
     or p.use = 'CYCLE' and (c.status = 'PAID' and given_back = paid or c.status = 'REFUNDED' and given_back <> paid) then
    raise exception 'refund % of payment % is not due', r.id, r.payment_id;
  end if;
  if (p.use = 'CYCLE' and r.amount_paise > r.covers_paise) <> exists (select from ledger_entries where id = 'due:' || r.id)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_entries where id = 'paid:' || r.id) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  return null;
end $$;

-- A document is over money that was captured for its cycle: at the commit there is that payment, of that cycle and customer.
create or replace function documents_are_paid() returns trigger language plpgsql as $$
begin
  if not exists (
    select from cycle_payments p where p.provider_payment_id = new.payment_id and p.cycle_id = new.cycle_id and p.customer_id = new.customer_id
  ) then
    raise exception 'document % is over money that did not pay for cycle %', new.number, new.cycle_id;
  end if;
  return null;
end $$;

create or replace function excess_tax_has_a_voucher() returns trigger language plpgsql as $$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.cycle_id = new.cycle_id and d.kind = 'REFUND_VOUCHER' and d.total_paise = new.amount_paise
      and b.kind = 'RECEIPT_VOUCHER' and (b.content -> 'item' ->> 'fromDate')::date <= d.issued_on) then
    raise exception 'refund % of excess tax has no refund voucher', new.id;
  end if;
  return null;
end $$;
