-- What the portal does by the clock: which daily work was done, what failed and is tried again, and what the doctor found last.

-- The day for which a round has looked at every customer. Until the day turns, it looks at changed ones only.
create table daily_rounds (
  name text primary key,
  day date not null
);

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

-- What a doctor that a timer starts has found, for the metrics and their alerts: one row for each place where one runs.
create table doctor_runs (
  place text primary key,
  examined_at timestamp with time zone not null,
  -- The checks that complain, each with its worst level: warning or fault.
  complaints jsonb not null
);
