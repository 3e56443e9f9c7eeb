-- Payment by bank transfer (decision 075): a customer's account number at Razorpay, the orders for which it was asked for, and each credit to it.
--
-- A credit is noted once, with the order that it is for (shared/domain/bank-transfer.ts). Its payment in `payments` follows from that and is settled like any
-- other: it pays for every cycle of the order, or all of it goes back. Nothing is kept of the payer but the bank's number of the transfer.

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
  unique (id, customer_id)
);
create index virtual_accounts_next_check on virtual_accounts (next_check_at);

create table transfer_orders (
  order_id text primary key,
  virtual_account_id text not null,
  activation_id text not null,
  customer_id text not null,
  asked_at timestamptz not null,
  foreign key (order_id, activation_id, customer_id) references payment_orders (id, activation_id, customer_id),
  foreign key (virtual_account_id, customer_id) references virtual_accounts (id, customer_id),
  unique (order_id, virtual_account_id, customer_id)
);
create index transfer_orders_customer on transfer_orders (customer_id);

create table bank_transfers (
  -- The provider's payment: a credit is used once.
  payment_id text primary key,
  order_id text not null,
  virtual_account_id text not null,
  customer_id text not null,
  amount_paise bigint not null check (amount_paise > 0),
  -- The number that the payer's bank gave the transfer.
  utr text not null check (length(utr) between 1 and 60),
  noted_at timestamptz not null,
  foreign key (order_id, virtual_account_id, customer_id) references transfer_orders (order_id, virtual_account_id, customer_id)
);
create index bank_transfers_order on bank_transfers (order_id);
create index bank_transfers_customer on bank_transfers (customer_id);
create index bank_transfers_utr on bank_transfers (utr);

-- A payment by bank transfer is the noted credit, for its order and over its amount.
create or replace function bank_transfers_are_noted() returns trigger language plpgsql as $$
begin
  if not exists (select from bank_transfers where payment_id = new.provider_payment_id and order_id = new.order_id and amount_paise = new.amount_paise) then
    raise exception 'payment % is no noted bank transfer for order %', new.provider_payment_id, new.order_id;
  end if;
  return null;
end $$;
create trigger bank_transfers_are_noted after insert or update of order_id, amount_paise, method on payments
  for each row when (new.method = 'bank_transfer') execute function bank_transfers_are_noted();

create trigger erased_get_nothing before insert on virtual_accounts for each row execute function erased_get_nothing();
create trigger never_deleted before delete on virtual_accounts for each row execute function never_change();
create trigger never_emptied before truncate on virtual_accounts execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on virtual_accounts for each row execute function note_ledger_change('customer');
alter table virtual_accounts enable always trigger noted_for_ledger;
-- Not for each look at an account.
create trigger sealed after insert or delete or update of id, customer_id, account_number, ifsc, bank_name, holder_name, created_at on virtual_accounts
  for each row execute function seal_record('id');
create trigger erased_get_nothing before insert on transfer_orders for each row execute function erased_get_nothing();
create trigger never_changed before update or delete on transfer_orders for each row execute function never_change();
create trigger never_emptied before truncate on transfer_orders execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on transfer_orders for each row execute function note_ledger_change('customer');
alter table transfer_orders enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on transfer_orders for each row execute function seal_record('order_id');
create trigger never_changed before update or delete on bank_transfers for each row execute function never_change();
create trigger never_emptied before truncate on bank_transfers execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on bank_transfers for each row execute function note_ledger_change('customer');
alter table bank_transfers enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on bank_transfers for each row execute function seal_record('payment_id');
