-- Orders, the cycles that each is to pay for, and payments as Razorpay reports them.
--
-- An order covers 1 to 12 cycles of one activation, and its amount is the sum of their prices; a cycle has one order at a time that can be paid
-- (`order_cycles_one_live`). A captured payment has one use: it pays for every cycle of its order, or all of it goes back. That holds at the commit
-- (`payments_are_used`), as does its entry in the ledger. An order of a bill on terms (`of_bill`) is over what is due of it, and its payment pays that bill. Webhooks are kept before they are acted on, and known by the key of what they say, since their ids are not signed.

-- The number that a bank gave a movement of money (UTR, RRN), as it is compared: letters in either case and whatever stands between them are the same number.
-- Razorpay's stay as they came, since papers and seals have them; its settlements have small letters, and people type what their statement shows.
create or replace function bank_number(written text) returns text language sql immutable parallel safe as $$
  select upper(regexp_replace(written collate "C", '[^A-Za-z0-9]', '', 'g'))
$$;

create table payment_orders (
  -- Our own id is the receipt under which the provider knows the order.
  id text primary key check (id like 'ORD-%' and length(id) <= 40),
  cycle_id text not null,
  activation_id text not null,
  customer_id text not null,
  provider_order_id text unique,
  amount_paise bigint not null check (amount_paise >= 100),
  currency text not null check (currency = 'INR'),
  status text not null check (status in ('CREATING', 'OPEN', 'PAID', 'CLOSED')),
  -- While the provider is asked to make it, one request holds the claim and the others wait.
  claimed_until timestamptz,
  -- How often the provider was asked what became of it, and when (of the machine's clock) it is asked next; null: no more.
  checks integer not null default 0 check (checks >= 0),
  next_check_at timestamptz,
  created_at timestamptz not null,
  -- The purchase order that a buyer names for one payment, in place of the one in the business details. Empty: none, on purpose.
  purchase_order text check (purchase_order ~ '^[0-9A-Za-z/-]{0,16}$'),
  purchase_order_date date,
  -- When the customer asked for it last, themselves, by the mandate that it is debited from, or through an operator. Null: only a holder of a pay link has
  -- (decision 077), who pays, and has no say in what else the customer agreed to.
  customer_asked_at timestamptz,
  -- Its cycle is sold on credit terms, and this is to pay the bill (decision 081).
  of_bill boolean not null default false,
  check (status <> 'OPEN' or provider_order_id is not null),
  unique (id, cycle_id, customer_id),
  foreign key (cycle_id, activation_id, customer_id) references cycles (id, activation_id, customer_id),
  -- One payment for several cycles of an activation: all of them or none. An order covers 1 to 12 cycles, each with its share of the amount.
  unique (id, activation_id, customer_id),
  check (purchase_order_date is null or purchase_order <> '')
);
create index payment_orders_activation on payment_orders (activation_id, created_at);
create index payment_orders_next_check on payment_orders (next_check_at) where next_check_at is not null;
create index payment_orders_customer on payment_orders (customer_id);

create table order_cycles (
  order_id text not null,
  cycle_id text not null,
  activation_id text not null,
  customer_id text not null,
  -- 1: the cycle that the order itself names.
  place integer not null check (place between 1 and 12),
  amount_paise bigint not null check (amount_paise > 0),
  -- Can the order be paid, or was it? Follows the order's status. What was paid of a bill may become due again.
  live boolean not null,
  of_bill boolean not null default false,
  primary key (order_id, cycle_id),
  unique (order_id, place),
  foreign key (order_id, activation_id, customer_id) references payment_orders (id, activation_id, customer_id),
  foreign key (cycle_id, activation_id, customer_id) references cycles (id, activation_id, customer_id)
);
-- A cycle has one live order, and so is paid once.
create unique index order_cycles_one_live on order_cycles (cycle_id, of_bill) where live;
create index order_cycles_cycle on order_cycles (cycle_id);
create index order_cycles_customer on order_cycles (customer_id);

create table payments (
  provider_payment_id text primary key,
  order_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null check (amount_paise > 0),
  currency text not null,
  status text not null check (status in ('created', 'authorized', 'captured', 'failed')),
  method text not null,
  error_description text,
  created_at timestamptz not null,
  captured_at timestamptz,
  -- A captured rupee ends as exactly one paid cycle, a paid bill (DUE, decision 081) or exactly one refund. HELD: an operator is asked which (decision 075).
  use text check (use in ('CYCLE', 'DUE', 'REFUND', 'HELD')),
  -- The fee that Razorpay names with the payment, to be compared with the one that it settles.
  fee_paise bigint check (fee_paise >= 0),
  fee_tax_paise bigint constraint payments_check2 check (fee_tax_paise between 0 and fee_paise),
  constraint payments_check check ((status = 'captured') = (use is not null)),
  constraint payments_check1 check ((status = 'captured') = (captured_at is not null)),
  unique (provider_payment_id, cycle_id, customer_id),
  foreign key (order_id, cycle_id, customer_id) references payment_orders (id, cycle_id, customer_id),
  unique (provider_payment_id, customer_id)
);
create index payments_order on payments (order_id);
create index payments_cycle on payments (cycle_id);
create index payments_customer on payments (customer_id);
-- The lists of operators, newest first.
create index payments_newest on payments (created_at, provider_payment_id);
create index payments_status on payments (status, created_at, provider_payment_id);
create unique index payments_one_per_order on payments (order_id) where use in ('CYCLE', 'DUE');

-- Captured payments that could not be settled: the money is with the provider, and neither a plan nor a refund has come of it yet.
-- A row is there from the first failure until the payment is settled.
create table unsettled_payments (
  payment_id text primary key,
  order_id text not null references payment_orders,
  amount_paise bigint not null,
  since timestamptz not null,
  tries integer not null check (tries > 0),
  fault text not null
);

create table webhook_inbox (
  -- The provider's event id is not signed, and a body may be printed anew: a delivery is known by the SHA-256 of what it says,
  -- which is the event, the ids and the states of what it is about.
  dedup_key bytea primary key check (length(dedup_key) = 32),
  event text not null,
  body jsonb not null,
  received_at timestamptz not null,
  -- When (of the machine's clock) it is acted on, again after a fault; null once that is done.
  next_try_at timestamptz,
  tries integer not null default 0 check (tries >= 0),
  processed_at timestamptz,
  fault text
);
create index webhook_inbox_next_try on webhook_inbox (next_try_at) where next_try_at is not null;
-- What is too old is found without reading what stays.
create index webhook_inbox_processed on webhook_inbox (processed_at) where processed_at is not null;
-- Razorpay's messages about an order: what an erasure deletes, and what comes after it.
create index webhook_inbox_order on webhook_inbox ((body #>> '{payload,payment,entity,order_id}'));
-- Support is sent the number that the customer's bank gave a payment.
create index webhook_inbox_bank on webhook_inbox (bank_number(coalesce(body #>> '{payload,payment,entity,acquirer_data,rrn}',
  body #>> '{payload,payment,entity,acquirer_data,bank_transaction_id}')));

-- How far the provider's lists were read, and when (of the machine's clock) they are read again.
create table provider_looks (
  list text primary key check (list in ('refunds', 'disputes')),
  looked_until timestamptz,
  next_look_at timestamptz not null default clock_timestamp()
);
insert into provider_looks (list) values ('refunds'), ('disputes');

-- The cycles that a captured payment paid for, each with its share of the money.
create or replace view cycle_payments as
select p.provider_payment_id, p.order_id, oc.cycle_id, oc.customer_id, oc.place, oc.amount_paise, p.currency, p.captured_at
from payments p join order_cycles oc on oc.order_id = p.order_id where p.use = 'CYCLE';

-- The payments with the money that a payment stands for: of a promise to pay later those that paid its bill (decision 081), of every other one itself.
-- Refunds of a price are of the promise, while the provider's refunds and disputes are of the money: whoever compares them asks here.
create or replace view payment_money as
select p.provider_payment_id as payment_id, p.provider_payment_id as money_id from payments p
union all
select b.payment_id, p.provider_payment_id from credit_bills b join payments p on p.cycle_id = b.cycle_id and p.use = 'DUE';

create or replace function orders_move_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then return new; end if;
  if (new.id, new.cycle_id, new.customer_id, new.amount_paise, new.currency, new.created_at)
     is distinct from (old.id, old.cycle_id, old.customer_id, old.amount_paise, old.currency, old.created_at)
     or new.of_bill <> old.of_bill or (old.provider_order_id is not null and new.provider_order_id is distinct from old.provider_order_id) then
    raise exception 'order %: cycles, customer and amount can''t change', old.id;
  end if;
  if old.customer_asked_at is not null and (new.customer_asked_at is null or new.customer_asked_at < old.customer_asked_at) then
    raise exception 'order %: its customer has asked for it', old.id;
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
create trigger orders_move_forward before insert or update on payment_orders for each row execute function orders_move_forward();

create or replace function payments_move_forward() returns trigger language plpgsql as $$
declare
  ranks constant text[] := array['created', 'failed', 'authorized', 'captured'];
begin
  if (new.provider_payment_id, new.order_id, new.cycle_id, new.customer_id)
     is distinct from (old.provider_payment_id, old.order_id, old.cycle_id, old.customer_id) then
    raise exception 'payment %: order and customer can''t change', old.provider_payment_id;
  end if;
  if array_position(ranks, new.status) < array_position(ranks, old.status)
     or (old.status = 'captured' and (new.captured_at, new.amount_paise, new.currency) is distinct from (old.captured_at, old.amount_paise, old.currency))
     or (old.status = 'captured' and old.use <> 'HELD' and new.use is distinct from old.use)
     or (new.use = 'HELD' and old.status = 'captured' and old.use <> 'HELD') then
    raise exception 'payment % cannot go from % % to % %', old.provider_payment_id, old.status, old.use, new.status, new.use;
  end if;
  return new;
end $$;
create trigger payments_move_forward before update on payments for each row execute function payments_move_forward();

-- At the commit: captured money pays for every cycle of its order, or goes back as a whole.
create or replace function payments_are_used() returns trigger language plpgsql as $$
declare
  p payments;
  withheld bigint;
  was_held boolean;
begin
  select * into p from payments where provider_payment_id = new.provider_payment_id;
  withheld := coalesce((select tds_paise from bank_transfers where payment_id = p.provider_payment_id), 0);
  was_held := exists (select from ledger_entries where id = capture_entry(p.provider_payment_id, 1) and kind = 'CAPTURED_HELD');
  if p.use in ('CYCLE', 'DUE') and (not exists (
    select from payment_orders o where o.id = p.order_id and o.status = 'PAID' and o.amount_paise = p.amount_paise + withheld and o.currency = p.currency
      and o.of_bill = (p.use = 'DUE')
  ) or p.use = 'CYCLE' and exists (
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
  if (p.use = 'CYCLE' and p.method <> 'terms' or p.use = 'DUE') and withheld <> (select coalesce(sum(amount_paise), 0) from refunds
      where payment_id in (p.provider_payment_id, (select b.payment_id from credit_bills b where p.use = 'DUE' and b.cycle_id = p.cycle_id)) and payout = 'WITHHELD'
        and money_of(payment_id) = p.provider_payment_id) then
    raise exception 'payment % does not say what of its tax is whose', p.provider_payment_id;
  end if;
  if p.use = 'HELD' and not exists (select from bank_transfers where payment_id = p.provider_payment_id and tds_percent is not null and tds_tan is null)
    -- An operator has recorded its number as that of other money.
    and not exists (select from bank_transfers t cross join money_of_number(t.utr) m where t.payment_id = p.provider_payment_id and m.what in ('RECORDED', 'REFUND')) then
    raise exception 'payment % is held for no reason', p.provider_payment_id;
  end if;
  if was_held and p.use <> 'HELD' and not exists (select from operator_actions a where a.target = p.provider_payment_id and a.customer_id = p.customer_id
      and a.action = case p.use when 'REFUND' then 'transfers.refund' else 'transfers.settle' end)
    -- Refunded at the provider, which asks nobody.
    and not exists (select from refunds r where p.use = 'REFUND' and r.payment_id = p.provider_payment_id and r.foreign_id is not null) then
    raise exception 'the answer about payment % is not in the audit log', p.provider_payment_id;
  end if;
  if p.status = 'captured' and exists (
    select from order_cycles oc where oc.order_id = p.order_id and (p.use = 'CYCLE' or oc.place = 1)
      and not exists (select from ledger_entries e where e.id = use_entry(p.provider_payment_id, oc.place, was_held and p.use <> 'HELD') and e.cycle_id = oc.cycle_id)
  ) then
    raise exception 'the capture of payment % is not in the ledger', p.provider_payment_id;
  end if;
  return null;
end $$;
create constraint trigger payments_are_used after insert or update on payments
  deferrable initially deferred for each row execute function payments_are_used();

create or replace function order_cycles_stand() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'live') <> (to_jsonb(old) - 'live') then
    raise exception 'order %: cycles, customer and amount can''t change', old.order_id;
  end if;
  return new;
end $$;
create trigger order_cycles_stand before update on order_cycles for each row execute function order_cycles_stand();

create or replace function is_live(o payment_orders) returns boolean language sql immutable as $$
  select o.status in ('CREATING', 'OPEN') or o.status = 'PAID' and not o.of_bill
$$;

-- Every order covers the cycle that it names; further cycles are inserted with it.
create or replace function orders_cover_cycles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.of_bill and new.amount_paise is distinct from (select b.owed_paise from credit_bills b where b.cycle_id = new.cycle_id) then
      raise exception 'order % is not over what is due of its bill', new.id;
    end if;
    insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live, of_bill)
    select new.id, new.cycle_id, new.activation_id, new.customer_id, 1, case when new.of_bill then new.amount_paise else c.price_paise end,
      is_live(new), new.of_bill
    from cycles c where c.id = new.cycle_id;
  elsif new.status <> old.status then
    update order_cycles set live = is_live(new) where order_id = new.id;
  end if;
  return null;
end $$;
create trigger orders_cover_cycles after insert or update of status on payment_orders
  for each row execute function orders_cover_cycles();

-- At the commit: an order is over the prices of its cycles, or of one bill, and no cycle is added to it later.
create or replace function orders_add_up() returns trigger language plpgsql as $$
declare
  covered text := to_jsonb(new) ->> tg_argv[0];
begin
  if exists (select from order_cycles oc join cycles c on c.id = oc.cycle_id where oc.order_id = covered and not oc.of_bill and oc.amount_paise <> c.price_paise)
     or exists (select from order_cycles oc where oc.order_id = covered and oc.of_bill and oc.place > 1)
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

-- A switch starts on the day of its payment, which a period before it in the same order could take: it is paid alone.
create or replace function switches_are_paid_alone() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from cycles c where c.id = new.cycle_id and (c.replaces is not null or c.adds_to is not null))
     or exists (select from order_cycles o join cycles c on c.id = o.cycle_id
        where o.order_id = new.order_id and (c.replaces is not null or c.adds_to is not null)) then
    raise exception 'order % covers a switch or a pack and other cycles', new.order_id;
  end if;
  return new;
end $$;
create trigger switches_are_paid_alone before insert on order_cycles
  for each row when (new.place > 1) execute function switches_are_paid_alone();

-- An unpaid order stops no erasure, and what is paid on it later goes back (product §12.4): an erased customer buys nothing, and pays no bill.
create trigger erased_get_nothing before insert on payment_orders for each row execute function erased_get_nothing();
create trigger erased_pay_nothing before insert on payments for each row when (new.use in ('CYCLE', 'DUE')) execute function erased_get_nothing();
create trigger erased_pay_nothing_held before update of use on payments
  for each row when (new.use in ('CYCLE', 'DUE') and new.use is distinct from old.use) execute function erased_get_nothing();

create trigger orders_never_deleted before delete on payment_orders for each row execute function never_change();
create trigger noted_for_ledger after insert or update or delete on payment_orders for each row execute function note_ledger_change('customer');
alter table payment_orders enable always trigger noted_for_ledger;
-- Not for each look at an order.
create trigger sealed after insert or delete or update of id, cycle_id, activation_id, customer_id, provider_order_id, amount_paise, currency, status,
  created_at, purchase_order, purchase_order_date, customer_asked_at, of_bill on payment_orders for each row execute function seal_record('id');
create trigger never_deleted before delete on order_cycles for each row execute function never_change();
create trigger never_emptied before truncate on order_cycles execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on order_cycles for each row execute function note_ledger_change('customer');
alter table order_cycles enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on order_cycles for each row execute function seal_record('order_id,cycle_id');
create trigger payments_never_deleted before delete on payments for each row execute function never_change();
create trigger never_emptied before truncate on payments execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on payments for each row execute function note_ledger_change('customer');
alter table payments enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on payments for each row execute function seal_record('provider_payment_id');
