-- What an operator changed is in the audit log with its own entry, not an older one of the same words: the entry is written in the same
-- transaction. Its actor and position are then those of this change.
create function is_recorded_now(a operator_actions) returns boolean language sql stable as $$
  select exists (select from operator_actions o where o.position = a.position and o.xmin = pg_current_xact_id()::xid)
$$;

create or replace function blocks_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id
      and a.action = case when new.blocked_at is null then 'customers.unblock' else 'customers.block' end
      and (new.blocked_reason is null or a.reason = new.blocked_reason) and is_recorded_now(a)) then
    raise exception 'the block of customer % is not in the audit log', new.id;
  end if;
  return null;
end $$;

-- Several raises of one transaction need an entry each; entries of versions before this one don't name their raise.
create or replace function quota_raises_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'quota.set' and a.target = new.cycle_id and a.customer_id = new.customer_id
      and a.reason = new.reason and a.effect -> 'units' = to_jsonb(new.units)
      and coalesce(a.effect ->> 'raiseId', new.id::text) = new.id::text and is_recorded_now(a)) then
    raise exception 'the raised quota of cycle % is not in the audit log', new.cycle_id;
  end if;
  return null;
end $$;
