-- Erasure of a customer (product §12.3): what names the person goes for good, what tax law requires stays. A request for it is a row of the customer.
alter table customers add column erased_at timestamptz;
create index customers_erased on customers (erased_at) where erased_at is not null;
-- All that there is of one customer is found by index.
create index mails_customer on mails (customer_id);
create index event_keys_customer on event_keys (customer_id);
create index webhook_events_customer on webhook_events (customer_id);

create function is_erased(p_customer text) returns boolean language sql stable as $$
  select exists (select from customers where id = p_customer and erased_at is not null)
$$;

create function customers_stay_erased() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null and new is distinct from old then
    raise exception 'customer % is erased for good', old.id;
  end if;
  if new.google_sub <> old.google_sub and new.erased_at is null then
    raise exception 'the identity of customer % never changes', old.id;
  end if;
  return new;
end $$;
create trigger customers_stay_erased before update on customers for each row execute function customers_stay_erased();

-- At the commit: the erasure is in the audit log, nothing names the person any more, and nothing is open to him.
create function erasures_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id and a.action = 'customers.erase'
      and is_recorded_now(a)) then
    raise exception 'the erasure of customer % is not in the audit log', new.id;
  end if;
  if (new.google_sub, new.email, new.name, new.given_name, new.family_name, new.picture, new.mails_off)
      is distinct from ('erased:' || new.id, new.id || '@erased.invalid', 'Erased customer', '', '', '', '{}'::text[])
    or new.blocked_at is not null or new.blocked_reason is not null then
    raise exception 'the account of customer % is not erased', new.id;
  end if;
  if exists (select from sessions where customer_id = new.id) or exists (select from profiles where customer_id = new.id)
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
create function erasure_requests_end() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.asked_at) is distinct from (old.id, old.customer_id, old.asked_at) or old.ended_at is not null
    or (new.outcome = 'ERASED') is distinct from is_erased(new.customer_id) then
    raise exception 'request % ends once, as it was said', old.id;
  end if;
  return new;
end $$;
create trigger erasure_requests_end before update on erasure_requests for each row execute function erasure_requests_end();
create trigger never_deleted before delete on erasure_requests for each row execute function never_change();

-- An erased customer gets nothing more. The lock waits for an erasure under way.
create function erased_get_nothing() returns trigger language plpgsql as $$
begin
  perform from customers where id = new.customer_id and erased_at is null for key share;
  if not found and is_erased(new.customer_id) then
    raise exception 'customer % is erased', new.customer_id using constraint = 'customers_erased';
  end if;
  return new;
end $$;
create trigger erased_get_nothing before insert on sessions for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on profiles for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on activations for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on webhooks for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on accountants for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on support_threads for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on support_messages for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on tax_claims for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on erasure_requests for each row execute function erased_get_nothing();

-- What an erasure deletes, and nothing else does.
create function goes_with_customer() returns trigger language plpgsql as $$
begin
  if not is_erased(old.customer_id) then
    raise exception 'a row of % is deleted only with its customer', tg_table_name;
  end if;
  return old;
end $$;
drop trigger support_messages_never_change on support_messages;
create trigger support_messages_never_change before update on support_messages for each row execute function never_change();
create trigger goes_with_customer before delete on support_messages for each row execute function goes_with_customer();
drop trigger support_threads_never_deleted on support_threads;
create trigger goes_with_customer before delete on support_threads for each row execute function goes_with_customer();

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
  if old.replaced_by is not null and (new.replaced_by is distinct from old.replaced_by
     or (new.expires_at is null and new.revoked_at is null) or new.expires_at > old.expires_at) then
    raise exception 'key % was replaced and ends as it was said', old.id;
  end if;
  return new;
end $$;
