-- The audit log: what operators did, to whom, and why, in a chain of hashes (decision 047). Triggers of other tables refuse an operator's change without
-- its entry in the same transaction.

-- What operators did, for good. The rows form a chain: each hash covers its row and the hash before it.
create table operator_actions (
  position bigint primary key check (position > 0),
  acted_at timestamptz not null,
  -- Who: a person or a program, by name.
  actor text not null check (length(actor) between 1 and 300),
  -- What: `keys.revoke`.
  action text not null check (action ~ '^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$' and length(action) <= 60),
  -- What it was done to: the id of a key, a payment, a customer; the version of a catalogue.
  target text not null check (length(target) between 1 and 200),
  -- Whom it concerns; that customer sees it.
  customer_id text references customers,
  reason text not null check (length(btrim(reason)) between 1 and 1000),
  effect jsonb not null check (jsonb_typeof(effect) = 'object'),
  hash bytea not null check (length(hash) = 32)
);
-- Who took a file last.
create index operator_actions_exports on operator_actions (target, position) where action = 'files.export';
create index operator_actions_actor on operator_actions (actor, position);
create index operator_actions_customer on operator_actions (customer_id, position) where customer_id is not null;

create table operator_head (
  only_row boolean primary key default true check (only_row),
  position bigint not null,
  hash bytea not null check (length(hash) = 32)
);
insert into operator_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

create or replace function hash_of_operator_action(before bytea, r operator_actions) returns bytea language sql immutable as $$
  select sha256(before || convert_to(jsonb_build_array(r.position, seal_text(r.acted_at), r.actor, r.action, r.target, r.customer_id, r.reason,
    r.effect)::text, 'UTF8'))
$$;

-- Position, time and hash are the database's own: whoever inserts can't choose them.
create or replace function chain_operator_action() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head operator_head;
begin
  select * into head from operator_head for update;
  new.position := head.position + 1;
  new.acted_at := clock_timestamp();
  new.hash := hash_of_operator_action(head.hash, new);
  update operator_head set position = new.position, hash = new.hash;
  return new;
end $$;
create trigger chain_operator_action before insert on operator_actions
  for each row execute function chain_operator_action();

-- What an operator changed is in the audit log with its own entry, not an older one of the same words: the entry is written in the same
-- transaction. Its actor and position are then those of this change.
create or replace function is_recorded_now(a operator_actions) returns boolean language sql stable as $$
  select exists (select from operator_actions o where o.position = a.position and o.xmin = pg_current_xact_id()::xid)
$$;

create trigger never_change before update or delete on operator_actions for each row execute function never_change();
create trigger never_emptied before truncate on operator_actions execute function refuse_truncate();
create trigger sealed after insert or update or delete on operator_actions for each row execute function seal_record('position');
create trigger never_deleted before delete on operator_head for each row execute function never_change();
create trigger never_emptied before truncate on operator_head execute function refuse_truncate();
