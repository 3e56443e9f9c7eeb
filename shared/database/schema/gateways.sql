-- The gateways that run, by their journals.

-- A gateway process, known by its journal. `seen_version` is the newest access change it has taken note of; a process whose lease
-- has run out trusts nothing it remembers, so that nobody needs to wait for it.
create table gateways (
  journal_id text primary key,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  seen_version bigint not null default 0,
  -- How often this gateway kept its lease and did not confirm a change of access in time.
  unconfirmed_changes bigint not null default 0,
  -- Null until it serves one: nobody waits for it.
  catalog_version integer,
  prepared_version integer,
  -- Why it cannot serve the version that it was last asked to prepare.
  catalog_fault text,
  -- Why it refuses the calls of some products of the version that it serves; null when it serves all.
  products_fault text
);

-- How far a gateway's journal has been counted. Changed in the transaction that counts, so that nothing counts twice.
create table journals (
  id text primary key,
  position bigint not null
);
