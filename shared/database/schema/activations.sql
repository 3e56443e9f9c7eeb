-- A customer's use of a product, from its first plan until they delete it. Rows stay for good, as papers refer to their cycles.

create table activations (
  id text primary key check (id like 'ACT-%'),
  customer_id text not null references customers,
  service_id text not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  -- The calls per second that an operator set, whatever its plans say (product §7.12); null for those of the plans.
  calls_per_second integer check (calls_per_second between 1 and 100000),
  -- How often its pay links were ended: each link carries the number of its time (decision 077).
  pay_links_ended integer not null default 0 check (pay_links_ended >= 0),
  unique (id, customer_id)
);
-- One activation per customer and service (product §4.4).
create unique index activations_one_per_service on activations (customer_id, service_id) where deleted_at is null;
-- The ledger's check of each minute reads the customers whose money, plans or papers changed, by these indexes.
create index activations_customer on activations (customer_id);

create or replace function activations_stay() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.service_id, new.created_at) is distinct from (old.id, old.customer_id, old.service_id, old.created_at)
     or (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at)
     or new.pay_links_ended not in (old.pay_links_ended, old.pay_links_ended + 1) then
    raise exception 'activation % stays what it is', old.id;
  end if;
  return new;
end $$;
create trigger activations_stay before update on activations for each row execute function activations_stay();

create or replace function rates_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'rate.set' and a.target = new.id and a.customer_id = new.customer_id
      and a.effect -> 'callsPerSecond' = coalesce(to_jsonb(new.calls_per_second), 'null'::jsonb) and is_recorded_now(a)) then
    raise exception 'the limit of calls per second of activation % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger rates_are_recorded after update on activations deferrable initially deferred
  for each row when (new.calls_per_second is distinct from old.calls_per_second) execute function rates_are_recorded();
create constraint trigger first_rates_are_recorded after insert on activations deferrable initially deferred
  for each row when (new.calls_per_second is not null) execute function rates_are_recorded();

create trigger activations_never_deleted before delete on activations for each row execute function never_change();
create trigger noted_for_ledger after insert or update or delete on activations for each row execute function note_ledger_change('customer');
alter table activations enable always trigger noted_for_ledger;
create trigger erased_get_nothing before insert on activations for each row execute function erased_get_nothing();
create trigger sealed after insert or update or delete on activations for each row execute function seal_record('id');
