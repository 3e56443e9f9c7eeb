-- What an installation has once, and what triggers of many tables call. Money is integer paise. Days are those of India (IST). Ids carry a prefix
-- that says what they are.
--
-- The product has a clock of its own, which may stand apart from the machine's while stand-ins are in use. `reached_day` only moves forward, so that a
-- machine whose clock goes back gives no day's quota twice and dates no document before an earlier one.

create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- How far the product's clock stands from the machine's; moved only while the stand-ins are in use.
create table clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null,
  -- The latest day that the product has reached. A machine's clock may go back; billing days do not: no plan that is over comes back to
  -- life, no document is dated before one that went out, no day's quota is had twice.
  reached_day date
);
insert into clock (offset_ms) values (0);

-- What this installation is.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- What is restored is another installation, with an id of its own.
  id text not null default gen_random_uuid(),
  -- The same for all that were restored from one another: no two of them may give one number.
  origin text not null default gen_random_uuid(),
  -- A rehearsal of production, in which no money moves (docs/decisions/061-rehearsal.md).
  is_rehearsal boolean not null default false,
  -- Which data of PostgreSQL the numbers of documents are taken from (database_place()); none before the first.
  runs_on text,
  moved_at timestamptz,
  -- RESTORED: rows were loaded from a backup. WENT_BACK: a process has seen later changes than there are. Both hold up documents,
  -- customers' numbers and starts until `octroi restore --finish`. MOVED: it goes on elsewhere, with all that was committed or not, and documents go on in new series by themselves.
  setback text check (setback in ('RESTORED', 'WENT_BACK', 'MOVED')),
  -- What happened, and when: 'restored from the backup of …'.
  setback_reason text check (setback_reason <> ''),
  check ((setback is null) = (setback_reason is null))
);
insert into installation default values;

-- Secrets that this installation made for itself on its first start.
create table installation_secrets (
  name text primary key,
  secret bytea not null
);

-- The portals that run, and the last that ended, with the settings that documents depend on (of a secret only that it is set). While those of
-- running portals differ, health, an alert and the doctor say so, and commands issue no document. A row whose lease has run out is of a portal
-- that ended.
create table portals (
  id text primary key,
  -- Machine and process, for the operator.
  name text not null,
  given jsonb not null check (jsonb_typeof(given) = 'object'),
  started_at timestamptz not null,
  lease_until timestamptz not null
);

-- Which data this is: of a cluster, along a timeline, in a database. A promoted replica and a restore to a point in time have another timeline; rows that
-- were loaded elsewhere, another cluster or database.
create or replace function database_place() returns text language sql volatile as $$
  select concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()))
  from pg_control_system()
$$;

create or replace function never_change() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never changed or deleted', tg_table_name;
end $$;

create or replace function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception '% is never emptied', tg_table_name;
end $$;

create or replace function clock_stays_reached() returns trigger language plpgsql as $$
begin
  if new.offset_ms <> old.offset_ms then
    -- Moved on purpose, which only the stand-ins do: what was reached no longer counts.
    new.reached_day := null;
  elsif new.reached_day < old.reached_day then
    raise exception 'the day % has been reached', old.reached_day;
  end if;
  return new;
end $$;
create trigger clock_stays_reached before update on clock for each row execute function clock_stays_reached();

create or replace function keep_rehearsal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'what an installation is stays recorded';
  elsif new.is_rehearsal <> old.is_rehearsal and (old.is_rehearsal or exists (select from customers)) then
    raise exception 'an installation is a rehearsal from its first start, or never';
  end if;
  return new;
end $$;
create trigger keep_rehearsal before update or delete on installation for each row execute function keep_rehearsal();

-- A PDF may move; the document that it is of, its hash and its time stay. The constraints say that there is always one or the other.
create or replace function only_moves() returns trigger language plpgsql as $$
begin
  if (new.document_id, new.pdf_sha256, new.made_at) is distinct from (old.document_id, old.pdf_sha256, old.made_at) then
    raise exception 'a row of % is never changed: only its PDF may move', tg_table_name;
  end if;
  return new;
end $$;

create trigger sealed after insert or update or delete on installation_secrets for each row execute function seal_record('name');
