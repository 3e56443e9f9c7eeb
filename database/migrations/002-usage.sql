-- The truth of quotas. `taken` counts what was counted plus what gateways hold on lease; it is changed only by
-- `update … where taken + n <= quota`, so that no number of processes can ever admit one call too many.
create table quota_days (
  activation_id text not null references activations,
  day date not null,
  taken integer not null default 0 check (taken >= 0),
  primary key (activation_id, day)
);

create table quota_cycles (
  cycle_id text primary key references cycles,
  taken integer not null default 0 check (taken >= 0)
);

-- A gateway process. `seen_version` is the newest access change it has taken note of; a process whose lease has run out
-- trusts nothing it remembers, so that nobody needs to wait for it.
create table gateways (
  id text primary key,
  journal_id text not null unique,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  seen_version bigint not null default 0
);

-- What a gateway holds: granted from both quotas at once, not yet counted or given back.
create table leases (
  journal_id text not null,
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  day date not null,
  held integer not null check (held >= 0),
  primary key (journal_id, activation_id, cycle_id, day)
);
create index leases_activation on leases (activation_id);

-- How far a gateway's journal file has been counted. Changed in the transaction that counts, so nothing counts twice.
create table journals (
  id text primary key,
  position bigint not null
);

-- Calls that were answered: what every page, header and call reports.
create table usage_counts (
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  key_id text not null references api_keys,
  day date not null,
  -- First digit of the answer's status.
  status_class smallint not null check (status_class between 1 and 5),
  counted boolean not null,
  calls integer not null check (calls >= 0),
  primary key (activation_id, day, key_id, cycle_id, status_class, counted)
);
create index usage_counts_cycle on usage_counts (cycle_id);

-- Number of the newest change of access: a key made or revoked, a cycle paid, ended or removed, an activation deleted.
create sequence access_version;
