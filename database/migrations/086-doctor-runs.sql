-- What a doctor that a timer starts has found, for the metrics and their alerts: one row for each place where one runs.
create table doctor_runs (
  place text primary key,
  examined_at timestamp with time zone not null,
  -- The checks that complain, each with its worst level: warning or fault.
  complaints jsonb not null
);
