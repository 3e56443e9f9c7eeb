-- Payment by bank transfer (decision 075): a customer's account number at Razorpay, the orders for which it was asked for, and each credit to it.
--
-- A credit is noted once, with the order that it is for (shared/domain/bank-transfer.ts). Its payment in `payments` follows from that and is settled like any
-- other: it pays for every cycle of the order, or all of it goes back. Nothing is kept of the payer but the bank's number of the transfer.
-- A credit that would pay if tax (TDS) was deducted from it, which its customer has not declared, is held until an operator answers (`payments.use`).

create table virtual_accounts (
  -- The provider's id.
  id text primary key,
  customer_id text not null unique references customers,
  account_number text not null unique check (account_number ~ '^[0-9A-Za-z]{5,35}$'),
  ifsc text not null check (ifsc ~ '^[A-Z]{4}[0-9A-Z]{7}$'),
  bank_name text not null,
  holder_name text not null,
  created_at timestamptz not null,
  -- How often the provider was asked for its credits since the account number was asked for, and when (of the machine's clock) it is asked next.
  checks integer not null default 0 check (checks >= 0),
  next_check_at timestamptz not null,
  -- The customer's standing declaration that it deducts tax at source (TDS) from what it transfers: its TAN, and the percentage of the value without GST.
  tds_tan text check (tds_tan ~ '^[A-Z]{4}[0-9]{5}[A-Z]$'),
  tds_percent integer check (tds_percent in (2, 10)),
  unique (id, customer_id),
  constraint virtual_accounts_tds_check check ((tds_tan is null) = (tds_percent is null))
);
create index virtual_accounts_next_check on virtual_accounts (next_check_at);

create table transfer_orders (
  order_id text primary key,
  virtual_account_id text not null,
  activation_id text not null,
  customer_id text not null,
  asked_at timestamptz not null,
  -- When the customer first asked for it themselves. Null: only a holder of a pay link has, for whom no debit waits (decision 077).
  customer_asked_at timestamptz check (customer_asked_at >= asked_at),
  foreign key (order_id, activation_id, customer_id) references payment_orders (id, activation_id, customer_id),
  foreign key (virtual_account_id, customer_id) references virtual_accounts (id, customer_id),
  unique (order_id, virtual_account_id, customer_id)
);
create index transfer_orders_customer on transfer_orders (customer_id);

-- What was asked for stays so. A customer who asks for a transfer asks for its order, too.
create or replace function askings_stand() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and ((to_jsonb(new) - 'customer_asked_at') <> (to_jsonb(old) - 'customer_asked_at') or old.customer_asked_at is not null) then
    raise exception 'the account number of order % was asked for', old.order_id;
  end if;
  if new.customer_asked_at is not null and not exists (select from payment_orders where id = new.order_id and customer_asked_at is not null) then
    raise exception 'the customer has not asked for order %', new.order_id;
  end if;
  return new;
end $$;

create table bank_transfers (
  -- The provider's payment: a credit is used once. TRF-…: what an operator has recorded.
  payment_id text primary key,
  order_id text not null,
  -- Null: the money came to the provider's own bank account, and an operator has recorded it.
  virtual_account_id text,
  customer_id text not null,
  amount_paise bigint not null check (amount_paise > 0),
  -- The number that the payer's bank gave the transfer.
  utr text not null check (length(utr) between 1 and 60),
  noted_at timestamptz not null,
  -- What the credit is less than the order: tax deducted at this percentage. The TAN is that of the declaration; null: nothing was declared, and it is held.
  tds_percent integer check (tds_percent in (2, 10)),
  tds_paise bigint not null default 0 check (tds_paise >= 0),
  tds_tan text check (tds_tan ~ '^[A-Z]{4}[0-9]{5}[A-Z]$'),
  -- The day on which it came to the provider's own account, and the one on which the books have it: that of the recording where the figures of its own are locked.
  received_on date,
  booked_on date,
  constraint bank_transfers_received_check check ((virtual_account_id is null) = (received_on is not null) and (received_on is null) = (booked_on is null)
    and (received_on is null) = (payment_id not like 'TRF-%') and received_on <= (noted_at at time zone 'Asia/Kolkata')::date
    and (booked_on = received_on or booked_on = (noted_at at time zone 'Asia/Kolkata')::date)),
  constraint bank_transfers_tds_check check ((tds_percent is null) = (tds_paise = 0) and (tds_tan is null or tds_percent is not null)),
  foreign key (order_id, virtual_account_id, customer_id) references transfer_orders (order_id, virtual_account_id, customer_id),
  foreign key (order_id) references payment_orders (id)
);
-- What came to the provider's own account is recorded once.
create unique index bank_transfers_received_once on bank_transfers (bank_number(utr)) where received_on is not null;
create index bank_transfers_order on bank_transfers (order_id);
create index bank_transfers_customer on bank_transfers (customer_id);
create index bank_transfers_utr on bank_transfers (bank_number(utr));

-- A payment by bank transfer is the noted credit, for its order and over its amount.
create or replace function bank_transfers_are_noted() returns trigger language plpgsql as $$
begin
  if not exists (select from bank_transfers where payment_id = new.provider_payment_id and order_id = new.order_id
      and customer_id = new.customer_id and amount_paise = new.amount_paise) then
    raise exception 'payment % is no noted bank transfer for order %', new.provider_payment_id, new.order_id;
  end if;
  return null;
end $$;
create trigger bank_transfers_are_noted after insert or update of order_id, amount_paise, method on payments
  for each row when (new.method = 'bank_transfer') execute function bank_transfers_are_noted();

-- A bank's number names one movement of money. What Razorpay says (credits, settlements) comes as it is; what operators record is never a second one.
create or replace function money_of_number(p_utr text)
returns table (what text, id text, customer_id text) language plpgsql stable as $$
begin
  return query
    select case when t.received_on is null then 'CREDIT' else 'RECORDED' end, t.payment_id, t.customer_id from bank_transfers t where bank_number(t.utr) = bank_number(p_utr)
    union all
    select 'REFUND', r.id, r.customer_id from refunds r where bank_number(r.utr) = bank_number(p_utr)
    union all
    select 'SETTLEMENT', s.settlement_id, null from settlements s where bank_number(s.utr) = bank_number(p_utr);
end $$;

-- At the commit of what an operator recorded; one transfer may pay several refunds of one customer. Two at once wait for each other.
create or replace function number_is_of_nothing_else(p_utr text, p_id text, p_customer_id text) returns void language plpgsql as $$
declare
  other record;
begin
  perform pg_advisory_xact_lock(hashtext('utr ' || bank_number(p_utr)));
  select m.what, m.id into other from money_of_number(p_utr) m
    where m.id <> p_id and not (m.what = 'REFUND' and p_id like 'RFD-%' and m.customer_id = p_customer_id) limit 1;
  if found then
    raise exception 'transfer % of % is known already as other money (% %)', p_utr, p_id, other.what, other.id;
  end if;
end $$;

-- The payment with the money: of a bill on terms the one that paid it less tax, else the last one; itself where it is none, or is not paid.
create or replace function money_of(p_payment_id text) returns text language plpgsql stable as $$
begin
  return coalesce((select p.provider_payment_id from credit_bills b join payments p on p.cycle_id = b.cycle_id and p.use = 'DUE'
    left join bank_transfers t on t.payment_id = p.provider_payment_id where b.payment_id = p_payment_id
    order by coalesce(t.tds_paise, 0) > 0 desc, p.captured_at desc, p.provider_payment_id limit 1), p_payment_id);
end $$;

-- The day on which captured money came, whenever it was recorded, or the portal heard of it, or an operator answered about it: that of tax (TDS) deducted from
-- it. The provider says when it came; our own clock only when that was noted.
create or replace function money_came_on(p_payment_id text) returns date language plpgsql stable as $$
begin
  return (select coalesce(t.received_on, (least(p.created_at, p.captured_at) at time zone 'Asia/Kolkata')::date)
    from payments p left join bank_transfers t on t.payment_id = p.provider_payment_id where p.provider_payment_id = money_of(p_payment_id));
end $$;

-- The first day for which a certificate may name tax of a plan: when its money came; of a bill when it was sold, or its money came before. Tax is deducted when
-- an invoice is credited or paid, whichever is earlier (Income-tax Act 1961, s. 194J), so a later payment takes no quarter away.
create or replace function cycle_money_came_on(p_cycle_id text) returns date language plpgsql stable as $$
begin
  return (select min(coalesce(t.received_on, (least(p.created_at, p.captured_at) at time zone 'Asia/Kolkata')::date))
    from payments p join order_cycles oc on oc.order_id = p.order_id left join bank_transfers t on t.payment_id = p.provider_payment_id
    where oc.cycle_id = p_cycle_id and p.use in ('CYCLE', 'DUE'));
end $$;

-- The figures of a locked month never change by a transfer that is recorded later.
create or replace function received_transfers_are_booked() returns trigger language plpgsql as $$
begin
  new.booked_on := case when figures_are_locked(new.received_on) then (new.noted_at at time zone 'Asia/Kolkata')::date else new.received_on end;
  return new;
end $$;
create trigger received_transfers_are_booked before insert on bank_transfers for each row when (new.received_on is not null)
  execute function received_transfers_are_booked();

-- The first day on which money for an order can have come to the provider's own account. A customer may have transferred it before the plan was added, as from
-- an old order form, but not before it came; and a year that was typed wrong is further back than half a year (`daysBeforePlan`).
create or replace function first_day_of_money(p_order_id text) returns date language sql stable as $$
  select greatest(min(u.created_at at time zone 'Asia/Kolkata')::date, min(c.created_at at time zone 'Asia/Kolkata')::date - 180)
  from order_cycles oc join cycles c on c.id = oc.cycle_id join customers u on u.id = oc.customer_id where oc.order_id = p_order_id
$$;

-- At the commit: what an operator recorded is in the audit log and has paid, and its number is not that of other money.
create or replace function received_transfers_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'transfers.record' and a.target = new.payment_id and a.customer_id = new.customer_id
      and a.effect ->> 'utr' = new.utr) then
    raise exception 'the recording of transfer % is not in the audit log', new.utr;
  end if;
  if not exists (select from payments p where p.provider_payment_id = new.payment_id and p.use in ('CYCLE', 'DUE') and p.method = 'bank_transfer') then
    raise exception 'the recorded transfer % pays for nothing', new.utr;
  end if;
  if new.received_on < first_day_of_money(new.order_id) then
    raise exception 'the recorded transfer % came before it can have', new.utr;
  end if;
  perform number_is_of_nothing_else(new.utr, new.payment_id, new.customer_id);
  return null;
end $$;
create constraint trigger received_transfers_are_recorded after insert on bank_transfers deferrable initially deferred
  for each row when (new.received_on is not null) execute function received_transfers_are_recorded();

create trigger erased_get_nothing before insert on virtual_accounts for each row execute function erased_get_nothing();
create trigger never_deleted before delete on virtual_accounts for each row execute function never_change();
create trigger never_emptied before truncate on virtual_accounts execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on virtual_accounts for each row execute function note_ledger_change('customer');
alter table virtual_accounts enable always trigger noted_for_ledger;
-- Not for each look at an account.
create trigger sealed after insert or delete or update of id, customer_id, account_number, ifsc, bank_name, holder_name, created_at, tds_tan, tds_percent on virtual_accounts
  for each row execute function seal_record('id');
create trigger erased_get_nothing before insert on transfer_orders for each row execute function erased_get_nothing();
create trigger never_deleted before delete on transfer_orders for each row execute function never_change();
create trigger askings_stand before insert or update on transfer_orders for each row execute function askings_stand();
create trigger never_emptied before truncate on transfer_orders execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on transfer_orders for each row execute function note_ledger_change('customer');
alter table transfer_orders enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on transfer_orders for each row execute function seal_record('order_id');
create trigger never_changed before update or delete on bank_transfers for each row execute function never_change();
create trigger never_emptied before truncate on bank_transfers execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on bank_transfers for each row execute function note_ledger_change('customer');
alter table bank_transfers enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on bank_transfers for each row execute function seal_record('payment_id');
