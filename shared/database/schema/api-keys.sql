-- Keys, where they are used from, and how every gateway hears of a change.
--
-- A key is stored as the SHA-256 of itself; a revoked one is revoked for good. A change of access is announced in its transaction, and numbered
-- (`announce_access_change`): a gateway that has not confirmed a number can't renew its lease, so that the portal knows when a change holds
-- everywhere (decision 007).

-- The network of an address, as a customer's machine keeps it while its address changes: /24, and /48 for IPv6.
create or replace function network_of(address inet) returns inet language sql immutable strict parallel safe as $$
  select network(set_masklen(address, case family(address) when 4 then 24 else 48 end))::inet
$$;

create table api_keys (
  id text primary key check (id like 'KEY-%'),
  activation_id text not null,
  customer_id text not null,
  name text not null check (name ~ '^[a-z0-9]{1,5}$'),
  key_hash bytea not null unique check (length(key_hash) = 32),
  hint text not null check (length(hint) = 4),
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- Keys that fit real use: for tests, with an end, with the addresses that may use them, with a cap a day, with a successor.
  -- A test key reaches the sandbox and no quota.
  test boolean not null default false,
  expires_at timestamptz check (expires_at > created_at),
  -- Empty: from anywhere.
  allowed_ips inet[] not null default '{}' check (cardinality(allowed_ips) <= 50),
  daily_cap integer check (daily_cap > 0),
  replaced_by text,
  -- The beginning of a key, by which an operator finds one that leaked; null for keys from before this column. The rest is secret still: 30 characters.
  prefix text check (prefix ~ '^gstk_(live|test)_[0-9A-Za-z]{6}$'),
  -- Made by the reference to try calls, and not changed since: the next one takes its place. The name alone would not tell it from the customer's own.
  for_trying boolean not null default false,
  -- The member who made or rotated it.
  made_by text references members,
  foreign key (activation_id, customer_id) references activations (id, customer_id),
  unique (id, activation_id),
  foreign key (replaced_by, activation_id) references api_keys (id, activation_id) deferrable initially deferred,
  check (not test or daily_cap is null),
  check (not for_trying or (test and expires_at is not null and replaced_by is null)),
  -- A key with a successor ends.
  check (replaced_by is null or expires_at is not null or revoked_at is not null)
);
create unique index api_keys_one_name on api_keys (activation_id, name) where revoked_at is null and replaced_by is null;
create unique index api_keys_one_for_trying on api_keys (activation_id) where for_trying and revoked_at is null;
create index api_keys_prefix on api_keys (prefix text_pattern_ops) where prefix is not null;
-- What one customer creates is read in bounded parts: the keys that ended last, the keys made in a day, the messages written in a day, and
-- the replies to a customer.
create index api_keys_made_by on api_keys (made_by) where made_by is not null;
create index api_keys_ended on api_keys (activation_id, revoked_at);
create index api_keys_made on api_keys (customer_id, created_at);

-- From where each key is used: the latest address and client of each network. Written by gateways, read by the key's owner. Without foreign
-- keys, like the request log.
create table key_clients (
  key_id text not null,
  network inet not null,
  address inet not null,
  client text not null check (length(client) <= 80),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Whether the portal has looked at it, and told the owner where needed.
  announced boolean not null default false,
  primary key (key_id, network),
  check (first_at <= last_at),
  check (network = network_of(address))
);
create index key_clients_latest on key_clients (key_id, last_at desc);
create index key_clients_new on key_clients (first_at) where not announced;

-- Changes of access, numbered in the order of their commits. A gateway that has not heard of one in time can't renew its lease
-- (gateway/membership.ts), so that a change takes effect everywhere by a known moment even where notifications do not arrive.
create table access_changes (
  version bigint primary key generated always as identity,
  changed_at timestamptz not null
);

-- Calls that a customer made with test keys of a product on one IST day: the newest day only. The gateways take each one here before they
-- make it, so no number of keys, activations, gateways or restarts gets more of them than the catalogue allows.
create table test_calls (
  customer_id text not null references customers (id),
  service_id text not null,
  day date not null,
  calls integer not null check (calls > 0),
  primary key (customer_id, service_id)
);

create or replace function api_keys_stay_revoked() returns trigger language plpgsql as $$
declare
  erased text[] := '{name,key_hash,hint,prefix,allowed_ips}';
begin
  -- A key of an erased customer loses what could name him; it counts no call any more.
  if old.revoked_at is not null and is_erased(old.customer_id) and to_jsonb(new) - erased = to_jsonb(old) - erased then
    return new;
  end if;
  if old.revoked_at is not null and new is distinct from old then
    raise exception 'key % is revoked for good', old.id;
  end if;
  if (new.id, new.activation_id, new.customer_id, new.name, new.key_hash, new.hint, new.created_at, new.test, new.prefix)
     is distinct from (old.id, old.activation_id, old.customer_id, old.name, old.key_hash, old.hint, old.created_at, old.test, old.prefix) then
    raise exception 'key % stays what it is', old.id;
  end if;
  if new.for_trying and not old.for_trying then
    raise exception 'key % was not made for trying', old.id;
  end if;
  if old.replaced_by is not null and (new.replaced_by is distinct from old.replaced_by
     or (new.expires_at is null and new.revoked_at is null) or new.expires_at > old.expires_at) then
    raise exception 'key % was replaced and ends as it was said', old.id;
  end if;
  return new;
end $$;
create trigger api_keys_stay_revoked before update on api_keys for each row execute function api_keys_stay_revoked();

create or replace function test_calls_only_grow() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.day, new.calls) > (old.day, old.calls) and (new.customer_id, new.service_id) = (old.customer_id, old.service_id) then
      return new;
    end if;
  end if;
  raise exception 'test calls only grow';
end $$;
create trigger test_calls_only_grow before update or delete on test_calls
  for each row execute function test_calls_only_grow();

-- Takes one test call; false when all of the day are taken. A gateway whose clock is a day behind takes from the day already begun.
create or replace function take_test_call(p_customer text, p_service text, p_day date, p_cap integer) returns boolean language sql as $$
  with taken as (
    insert into test_calls as t (customer_id, service_id, day, calls) values (p_customer, p_service, p_day, 1)
    on conflict (customer_id, service_id) do update
      set day = greatest(t.day, excluded.day), calls = case when excluded.day > t.day then 1 else t.calls + 1 end
      where excluded.day > t.day or t.calls < p_cap
    returning 1
  )
  select exists (select from taken)
$$;

create or replace function announce_access_change(p_activations text[], p_catalog integer default null) returns void language plpgsql as $$
declare
  v_activation text;
  v_version bigint;
begin
  perform pg_advisory_xact_lock(hashtext('access_changes'));
  insert into access_changes (changed_at) values (clock_timestamp())
    returning version into v_version;
  -- Gateways look back over seconds; thousands of changes are more than enough.
  delete from access_changes where version <= v_version - 10000;
  foreach v_activation in array p_activations loop
    perform pg_notify('access', 'activation ' || v_activation);
  end loop;
  if p_catalog is not null then
    perform pg_notify('catalog', 'use ' || p_catalog);
  end if;
  perform pg_notify('access', 'barrier ' || v_version);
end $$;

create trigger sealed after insert or update or delete on api_keys for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on api_keys for each row execute function note_ledger_change('customer');
alter table api_keys enable always trigger noted_for_ledger;
