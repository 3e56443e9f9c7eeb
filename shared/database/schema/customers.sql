-- Customers, what invoices need to know of them, and their end. Who signs in for a customer is a member (members.sql).
--
-- A block and an erasure are allowed only beside their entry in the audit log, in the same transaction
-- (operator.sql). An erasure leaves the row with an empty name: papers and money of past years refer to it. Whatever a program inserts for an erased customer
-- is refused by `erased_get_nothing`, which waits for an erasure under way.

-- A text as it is searched for: without the marks that people leave out or write in two ways ("Café", "Cafe"), in small letters.
create or replace function search_text(written text) returns text language sql immutable parallel safe
  return lower(regexp_replace(normalize(written, nfd), '[\u0300-\u036f]', '', 'g'));

create table customers (
  id text primary key check (id like 'CUS-%'),
  -- As Google shows the owner (members.sql).
  email text not null,
  name text not null,
  given_name text not null,
  family_name text not null,
  picture text not null,
  created_at timestamptz not null,
  -- SHA-256 of Google's `sub` of the person who founded it. A person founds one customer: whoever passes it on would have trials and free quota without end.
  -- It goes with the erasure, and with it the person may begin anew.
  founded_by bytea check (length(founded_by) = 32),
  -- Customers that an operator blocked (product §3.7): since when, and why. Their calls are refused, and they can buy nothing; all that they have stays.
  blocked_at timestamptz,
  blocked_reason text check (length(btrim(blocked_reason)) between 1 and 1000),
  -- Erasure of a customer (product §12.3): what names the person goes for good, what tax law requires stays. A request for it is a row of the customer.
  erased_at timestamptz,
  -- Colleagues with an account of this Google Workspace, that of the owner, may ask to become members.
  join_domain text,
  -- What hurts needs a passkey of the member who does it (decision 083). The log of the customer says when that was switched on and off.
  two_step boolean not null default false,
  -- Each search at the GST portal costs the provider money: the day of a customer's last one (IST), and how many that day had.
  sez_searched_on date,
  sez_searches integer not null default 0 check (sez_searches between 0 and 10),
  check ((blocked_at is null) = (blocked_reason is null))
);
-- Operators search for a part of what names a customer; of a part that many have, the newest.
create index customers_email_part on customers using gin (search_text(email) gin_trgm_ops);
create index customers_name_part on customers using gin (search_text(name) gin_trgm_ops);
create index customers_email_whole on customers (search_text(email));
create index customers_name_whole on customers (search_text(name));
create index customers_created on customers (created_at);
create unique index customers_founder on customers (founded_by) where founded_by is not null;
create index customers_erased on customers (erased_at) where erased_at is not null;
create index customers_join_domain on customers (join_domain) where join_domain is not null;

-- What an invoice and the checkout need to know (product §3.2). The State is asked from everyone: Rule 46(f), Circular 242/36/2024-GST.
create table profiles (
  customer_id text primary key references customers,
  legal_name text not null check (length(legal_name) between 1 and 100),
  phone text not null,
  gstin text check (length(gstin) = 15),
  address text not null,
  city text not null,
  pin text not null,
  state_code text not null check (state_code ~ '^[0-9]{2}$'),
  updated_at timestamptz not null,
  -- Whether a customer sits in a Special Economic Zone (which the GSTIN does not tell), and in which country.
  sez boolean not null default false check (not sez or gstin is not null),
  country text not null default 'IN' check (country ~ '^[A-Z]{2}$'),
  -- The buyer's purchase order, which invoices name: as long and written as the invoice portal takes it (INV-01, PORefr).
  purchase_order text check (purchase_order ~ '^[0-9A-Za-z/-]{1,16}$'),
  purchase_order_date date,
  check ((country <> 'IN') = (state_code = '96')),
  check (country = 'IN' or gstin is null),
  check (purchase_order_date is null or purchase_order is not null)
);

create index profiles_legal_name_part on profiles using gin (search_text(legal_name) gin_trgm_ops);
create index profiles_gstin_part on profiles using gin (search_text(gstin) gin_trgm_ops);
create index profiles_legal_name_whole on profiles (search_text(legal_name));
create index profiles_gstin_whole on profiles (search_text(gstin));
create index profiles_phone_part on profiles using gin (regexp_replace(phone, '[^0-9]', '', 'g') gin_trgm_ops);
create index profiles_claiming on profiles (customer_id) where sez or country <> 'IN';

create table sign_in_nonces (
  nonce_hash bytea primary key check (length(nonce_hash) = 32),
  expires_at timestamptz not null
);

-- A customer asks for erasure, and can take that back until it is carried out.
create table erasure_requests (
  id text primary key check (id like 'ERQ-%'),
  customer_id text not null references customers,
  asked_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('WITHDRAWN', 'ERASED')),
  check ((ended_at is null) = (outcome is null)),
  check (ended_at >= asked_at),
  exclude using btree (customer_id with =) where (ended_at is null)
);
create index erasure_requests_open on erasure_requests (asked_at) where ended_at is null;
create index erasure_requests_customer on erasure_requests (customer_id);

-- The erasure takes the block with the account, and is in the audit log itself.
create or replace function blocks_are_recorded() returns trigger language plpgsql as $$
begin
  if new.erased_at is null and not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id
      and a.action = case when new.blocked_at is null then 'customers.unblock' else 'customers.block' end
      and (new.blocked_reason is null or a.reason = new.blocked_reason) and is_recorded_now(a)) then
    raise exception 'the block of customer % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger blocks_are_recorded after update on customers deferrable initially deferred
  for each row when ((new.blocked_at, new.blocked_reason) is distinct from (old.blocked_at, old.blocked_reason))
  execute function blocks_are_recorded();

create or replace function is_erased(p_customer text) returns boolean language sql stable as $$
  select exists (select from customers where id = p_customer and erased_at is not null)
$$;

create or replace function customers_stay_erased() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null and new is distinct from old then
    raise exception 'customer % is erased for good', old.id;
  end if;
  return new;
end $$;
create trigger customers_stay_erased before update on customers for each row execute function customers_stay_erased();

-- At the commit: the erasure is in the audit log, nothing names the person any more, and nothing is open to him.
create or replace function erasures_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id and a.action = 'customers.erase'
      and is_recorded_now(a)) then
    raise exception 'the erasure of customer % is not in the audit log', new.id;
  end if;
  if (new.email, new.name, new.given_name, new.family_name, new.picture, new.join_domain, new.founded_by, new.two_step)
      is distinct from (new.id || '@erased.invalid', 'Erased customer', '', '', '', null, null, false)
    or new.blocked_at is not null or new.blocked_reason is not null then
    raise exception 'the account of customer % is not erased', new.id;
  end if;
  if exists (select from members where customer_id = new.id and (removed_at is null or google_sub <> 'erased:' || id)) or exists (select from profiles where customer_id = new.id)
    or exists (select from webhooks where customer_id = new.id) or exists (select from accountants where customer_id = new.id)
    or exists (select from support_threads where customer_id = new.id)
    or exists (select from api_keys where customer_id = new.id and (revoked_at is null or prefix is not null))
    or exists (select from activations where customer_id = new.id and deleted_at is null)
    or exists (select from erasure_requests where customer_id = new.id and ended_at is null) then
    raise exception 'something of customer % is left', new.id;
  end if;
  return null;
end $$;
create constraint trigger erasures_are_recorded after update on customers deferrable initially deferred
  for each row when (new.erased_at is distinct from old.erased_at) execute function erasures_are_recorded();

create or replace function erasure_requests_end() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.asked_at) is distinct from (old.id, old.customer_id, old.asked_at) or old.ended_at is not null
    or (new.outcome = 'ERASED') is distinct from is_erased(new.customer_id) then
    raise exception 'request % ends once, as it was said', old.id;
  end if;
  return new;
end $$;
create trigger erasure_requests_end before update on erasure_requests for each row execute function erasure_requests_end();

-- An erased customer gets nothing more. The lock waits for an erasure under way.
create or replace function erased_get_nothing() returns trigger language plpgsql as $$
begin
  perform from customers where id = new.customer_id and erased_at is null for key share;
  if not found and is_erased(new.customer_id) then
    raise exception 'customer % is erased', new.customer_id using constraint = 'customers_erased';
  end if;
  return new;
end $$;
create trigger erased_get_nothing before insert on profiles for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on erasure_requests for each row execute function erased_get_nothing();

-- What an erasure deletes, and nothing else does.
create or replace function goes_with_customer() returns trigger language plpgsql as $$
begin
  if not is_erased(old.customer_id) then
    raise exception 'a row of % is deleted only with its customer', tg_table_name;
  end if;
  return old;
end $$;

-- Each sign-in writes the account again, mostly as it was.
create trigger noted_for_ledger after update on customers for each row
  when ((new.blocked_at, new.blocked_reason, new.erased_at, new.email, new.two_step) is distinct from
    (old.blocked_at, old.blocked_reason, old.erased_at, old.email, old.two_step)) execute function note_ledger_change('self');
alter table customers enable always trigger noted_for_ledger;
create trigger sealed after insert or delete on customers for each row execute function seal_record('id');
create trigger sealed_again after update on customers for each row
  when ((new.id, new.email, new.created_at, new.erased_at) is distinct from
    (old.id, old.email, old.created_at, old.erased_at)) execute function seal_record('id');
create trigger sealed after insert or update or delete on profiles for each row execute function seal_record('customer_id');
create trigger noted_for_ledger after insert or update or delete on profiles for each row execute function note_ledger_change('customer');
alter table profiles enable always trigger noted_for_ledger;
create trigger never_deleted before delete on erasure_requests for each row execute function never_change();
