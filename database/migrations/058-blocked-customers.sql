-- Customers that an operator blocked (product §3.7): since when, and why. Their calls are refused, and they can buy nothing; all that they have stays.
alter table customers add column blocked_at timestamptz;
alter table customers add column blocked_reason text check (length(btrim(blocked_reason)) between 1 and 1000);
alter table customers add check ((blocked_at is null) = (blocked_reason is null));

-- At the commit: who is blocked or unblocked, and why, is in the audit log.
create function blocks_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id
      and a.action = case when new.blocked_at is null then 'customers.unblock' else 'customers.block' end
      and (new.blocked_reason is null or a.reason = new.blocked_reason)) then
    raise exception 'the block of customer % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger blocks_are_recorded after update on customers deferrable initially deferred
  for each row when ((new.blocked_at, new.blocked_reason) is distinct from (old.blocked_at, old.blocked_reason))
  execute function blocks_are_recorded();
