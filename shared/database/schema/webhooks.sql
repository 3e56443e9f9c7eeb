-- Webhooks of customers and of the provider: each event as the bytes that are signed and sent, a delivery for each endpoint, and every try of it.

-- What customers, and the provider's own programs, are told over webhooks. A row without a customer is the provider's. (webhook_inbox is the other way round: what the payment provider tells us.)
create table webhooks (
  id text primary key check (id like 'WHK-%'),
  customer_id text references customers,
  url text not null check (length(url) between 1 and 500),
  events text[] not null check (cardinality(events) > 0),
  -- Needed to sign, so it cannot be kept as a hash only; it is shown once and never leaves again.
  secret bytea not null check (octet_length(secret) between 24 and 64),
  -- Signs as well until then, while its owner puts the new one in place.
  old_secret bytea,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('OWNER', 'FAILING', 'GONE')),
  -- Since when no delivery has succeeded.
  failing_since timestamptz,
  -- A second new secret within the overlap of the first doesn't end it: what signed before the old one signs until its own end too.
  older_secrets jsonb not null default '[]'
    constraint webhooks_older_secrets_check check (jsonb_typeof(older_secrets) = 'array' and jsonb_array_length(older_secrets) <= 8),
  -- The member who added it; null for the provider's, and for those made before there were members.
  made_by text references members,
  check ((old_secret is null) = (old_secret_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhooks_customer on webhooks (customer_id);
create index webhooks_failing on webhooks (failing_since) where failing_since is not null;

-- What happened, once for each occasion, as the bytes that are signed and sent.
create table webhook_events (
  id text primary key check (id like 'EVT-%'),
  customer_id text references customers,
  type text not null,
  body text not null,
  created_at timestamptz not null
);
create index webhook_events_created on webhook_events (created_at);
create index webhook_events_customer on webhook_events (customer_id);

-- An event on its way to a webhook, with what came of the newest try.
create table webhook_deliveries (
  id text primary key check (id like 'DLV-%'),
  webhook_id text not null references webhooks on delete cascade,
  event_id text not null references webhook_events on delete cascade,
  customer_id text references customers,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  created_at timestamptz not null,
  -- Tries since it was written or replayed.
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  tried_at timestamptz,
  duration_ms integer,
  response_status integer,
  response_start text,
  fault text,
  unique (webhook_id, event_id),
  check ((status = 'PENDING') = (next_try_at is not null))
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at desc);
create index webhook_deliveries_event on webhook_deliveries (event_id);

-- Nobody hears of another one's events: a delivery, its event and its webhook have one owner.
create or replace function delivery_has_one_owner() returns trigger language plpgsql as $$
begin
  perform from webhooks where id = new.webhook_id and customer_id is distinct from new.customer_id;
  if found then raise exception 'delivery % is not of the owner of its webhook', new.id; end if;
  perform from webhook_events where id = new.event_id and customer_id is distinct from new.customer_id;
  if found then raise exception 'delivery % is not of the owner of its event', new.id; end if;
  return new;
end $$;
create trigger delivery_has_one_owner before insert on webhook_deliveries
  for each row execute function delivery_has_one_owner();

-- Every try of a delivery, those before a replay too; they go with their delivery after 30 days. A delivery itself keeps the newest.
create table webhook_attempts (
  delivery_id text not null references webhook_deliveries on delete cascade,
  -- From 1, and not begun anew by a replay.
  attempt integer not null check (attempt > 0),
  at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  response_status integer,
  response_start text,
  fault text,
  primary key (delivery_id, attempt),
  -- There was an answer, or a reason why not.
  check ((response_status is null) = (fault is not null))
);

create trigger webhooks_noted_for_rounds after insert or update of disabled_at, events on webhooks
  for each row when (new.customer_id is not null) execute function note_customer_change('rounds');
create trigger erased_get_nothing before insert on webhooks for each row execute function erased_get_nothing();
