-- Whether each API could be used, as the gateway's own health said, for the page /status. Nothing of a customer or of calls is in it.

-- One row per API and day in IST, of the machine's clock: a clock that is moved on purpose moves no outage.
create table api_status_days (
  service_id text not null,
  day date not null,
  checks integer not null check (checks > 0),
  -- Checks that found it down.
  failed integer not null check (failed between 0 and checks),
  checked_at timestamptz not null,
  -- The last five checks, oldest first: u for up, d for down.
  recent text not null check (recent ~ '^[ud]{1,5}$'),
  primary key (service_id, day)
);
