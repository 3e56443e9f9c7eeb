-- Timed work that failed: a whole step (item ''), or the step for one item, such as a cycle or a customer. It is tried again at retry_at, later
-- after each failure, and the row goes once it succeeds or nothing of it is due any more.
create table failed_work (
  step text not null,
  item text not null,
  failures integer not null check (failures > 0),
  since timestamptz not null,
  failed_at timestamptz not null,
  retry_at timestamptz not null,
  error text not null,
  primary key (step, item)
);
