-- Money is integer paise. Billing days are IST calendar days. Ids carry a prefix that says what they are.
create extension if not exists btree_gist;

create table customers (
  id text primary key check (id like 'CUS-%'),
  -- The identity is Google's `sub`, never the e-mail address.
  google_sub text not null unique,
  email text not null,
  name text not null,
  given_name text not null,
  family_name text not null,
  picture text not null,
  created_at timestamptz not null
);

-- What an invoice and the checkout need to know (D14). The State is asked from everyone: Rule 46(f), Circular 242/36/2024-GST.
create table profiles (
  customer_id text primary key references customers,
  legal_name text not null check (length(legal_name) between 1 and 100),
  phone text not null,
  gstin text check (length(gstin) = 15),
  address text not null,
  city text not null,
  pin text not null,
  state_code text not null check (state_code ~ '^[0-9]{2}$'),
  updated_at timestamptz not null
);

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  customer_id text not null references customers,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_customer on sessions (customer_id);

create table sign_in_nonces (
  nonce_hash bytea primary key check (length(nonce_hash) = 32),
  expires_at timestamptz not null
);

create table activations (
  id text primary key check (id like 'ACT-%'),
  customer_id text not null references customers,
  service_id text not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  unique (id, customer_id)
);
-- One activation per customer and service (D4).
create unique index activations_one_per_service on activations (customer_id, service_id) where deleted_at is null;

-- Stored states only move forward. PENDING, DUE and EXPIRED are functions of payments, dates and now.
create type cycle_status as enum
  ('PAYMENT_PENDING', 'PAID', 'NO_PAYMENT_REQUIRED', 'DEACTIVATED', 'REMOVED', 'REFUNDED');

create table cycles (
  id text primary key check (id like 'CYC-%'),
  activation_id text not null,
  customer_id text not null,
  service_id text not null,
  status cycle_status not null,
  from_date date not null,
  to_date date not null check (to_date > from_date),
  -- The terms as they were bought; a later catalogue never changes them.
  plan jsonb not null,
  tenure text not null,
  -- What the customer pays, GST included, as agreed when the cycle was asked for.
  price_paise bigint not null check (price_paise >= 0),
  daily_quota integer not null check (daily_quota >= 0),
  monthly_quota integer not null check (monthly_quota >= 0),
  rps integer not null check (rps > 0),
  created_at timestamptz not null,
  paid_at timestamptz,
  ended_at timestamptz,
  foreign key (activation_id, customer_id) references activations (id, customer_id),
  unique (id, activation_id, customer_id),
  check (status <> 'NO_PAYMENT_REQUIRED' or price_paise = 0),
  check (status <> 'PAID' or (price_paise > 0 and paid_at is not null)),
  -- At any instant at most one cycle of an activation gives access.
  constraint cycles_never_overlap exclude using gist
    (activation_id with =, daterange(from_date, to_date) with &&) where (status in ('PAID', 'NO_PAYMENT_REQUIRED'))
);
create index cycles_activation on cycles (activation_id, from_date);
create index cycles_customer on cycles (customer_id);
-- A trial once per customer and product; one that was removed before it was paid was not had.
create unique index cycles_one_trial on cycles (customer_id, service_id) where tenure = 'TRIAL' and status <> 'REMOVED';

create function cycles_move_forward() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.activation_id <> old.activation_id or new.customer_id <> old.customer_id
     or new.plan <> old.plan or new.price_paise <> old.price_paise or new.daily_quota <> old.daily_quota
     or new.monthly_quota <> old.monthly_quota or new.rps <> old.rps or new.created_at <> old.created_at then
    raise exception 'what was sold in cycle % never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'PAYMENT_PENDING' and new.status in ('PAID', 'REMOVED', 'REFUNDED'))
    or (old.status = 'PAID' and new.status in ('DEACTIVATED', 'REFUNDED'))
    or (old.status = 'NO_PAYMENT_REQUIRED' and new.status = 'DEACTIVATED')
  ) then
    raise exception 'cycle % cannot go from % to %', old.id, old.status, new.status;
  end if;
  -- A cycle paid late starts on the first free day (D10); otherwise its days stand.
  if (new.from_date, new.to_date) <> (old.from_date, old.to_date)
     and not (old.status = 'PAYMENT_PENDING' and new.status = 'PAID' and new.to_date - new.from_date = old.to_date - old.from_date) then
    raise exception 'the days of cycle % stand', old.id;
  end if;
  return new;
end $$;
create trigger cycles_move_forward before update on cycles for each row execute function cycles_move_forward();

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
  check (status <> 'OPEN' or provider_order_id is not null),
  unique (id, cycle_id, customer_id),
  foreign key (cycle_id, activation_id, customer_id) references cycles (id, activation_id, customer_id)
);
-- One live order per cycle; an order that was paid stays the cycle's only one.
create unique index payment_orders_one_live on payment_orders (cycle_id) where status in ('CREATING', 'OPEN', 'PAID');
create index payment_orders_activation on payment_orders (activation_id, created_at);
create index payment_orders_next_check on payment_orders (next_check_at) where next_check_at is not null;

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
  -- A captured rupee ends as exactly one paid cycle or exactly one refund.
  use text check (use in ('CYCLE', 'REFUND')),
  check ((status = 'captured') = (use is not null)),
  check ((status = 'captured') = (captured_at is not null)),
  unique (provider_payment_id, cycle_id, customer_id),
  foreign key (order_id, cycle_id, customer_id) references payment_orders (id, cycle_id, customer_id)
);
create index payments_order on payments (order_id);
create index payments_cycle on payments (cycle_id);
create unique index payments_one_per_cycle on payments (cycle_id) where use = 'CYCLE';

create table refunds (
  id text primary key check (id like 'RFD-%'),
  -- A payment is given back once.
  payment_id text not null unique,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null check (amount_paise > 0),
  reason text not null,
  status text not null check (status in ('STARTED', 'PENDING', 'PROCESSED', 'FAILED')),
  provider_refund_id text unique,
  -- A bank may send a refund back; the next attempt is a new one for the provider, under a new idempotency key.
  attempt integer not null default 1 check (attempt > 0),
  -- How often the provider was asked, and when (of the machine's clock) it is asked next; null: no more.
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz default clock_timestamp(),
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'PROCESSED') = (settled_at is not null)),
  foreign key (payment_id, cycle_id, customer_id) references payments (provider_payment_id, cycle_id, customer_id)
);
create index refunds_next_try on refunds (next_try_at) where next_try_at is not null;

create table webhook_inbox (
  -- The provider's event id is not signed, and a body may be printed anew: a delivery is known by the SHA-256 of what it says,
  -- which is the event, the ids and the states of what it is about.
  meaning bytea primary key check (length(meaning) = 32),
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

create function never_change() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never changed or deleted', tg_table_name;
end $$;

create table api_keys (
  id text primary key check (id like 'KEY-%'),
  activation_id text not null,
  customer_id text not null,
  name text not null check (name ~ '^[a-z0-9]{1,5}$'),
  key_hash bytea not null unique check (length(key_hash) = 32),
  hint text not null check (length(hint) = 4),
  created_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (activation_id, customer_id) references activations (id, customer_id)
);
create unique index api_keys_one_name on api_keys (activation_id, name) where revoked_at is null;

create function api_keys_stay_revoked() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'key % is revoked for good', old.id;
  end if;
  return new;
end $$;
create trigger api_keys_stay_revoked before update on api_keys for each row execute function api_keys_stay_revoked();

-- Secrets that this installation made for itself on its first start.
create table installation_secrets (
  name text primary key,
  secret bytea not null
);

-- How far the product's clock stands from the machine's; moved only while the stand-ins are in use.
create table clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null
);
insert into clock (offset_ms) values (0);
