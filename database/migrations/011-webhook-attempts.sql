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

-- Of tries that were before this table, the newest is known.
insert into webhook_attempts (delivery_id, attempt, at, duration_ms, response_status, response_start, fault)
select id, greatest(tries, 1), tried_at, coalesce(duration_ms, 0), response_status, response_start, fault
from webhook_deliveries
where tried_at is not null and (response_status is null) = (fault is not null);
