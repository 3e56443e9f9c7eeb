-- A hash of every state of every record that decides money, returns, papers or their receivers (decision 028).
--
-- The trigger `sealed` of a table calls `seal_record`, which inserts a row: `content` is the hash of the record as it now is (`seal_of_…`), `fixed` has a hash
-- of what can't change any more, one for each step that the record has taken (`fixed_of_…`, both in sealed-records.sql). In a table that never changes a second
-- seal is a fault; elsewhere a later `fixed` begins with the one before.
--
-- A round gives new seals their place in a chain (`chain_seals`), since a chain that grew at each commit would make payments wait for each other. Its head is
-- written to the log, to backups and to the portal's memory, so that a chain rewritten from its beginning is noticed too.

create table record_seals (
  id bigint generated always as identity primary key,
  kind text not null,
  record_id text not null,
  customer_id text references customers,
  -- SHA-256 of the record's content; null when it was deleted.
  content bytea check (length(content) = 32),
  sealed_at timestamptz not null default clock_timestamp(),
  position bigint unique check (position > 0),
  hash bytea check (length(hash) = 32),
  -- Hashes of what of its record can't change any more, one for each step that the record has taken (created, paid, ended).
  fixed bytea,
  check ((position is null) = (hash is null))
);
create index record_seals_record on record_seals (kind, record_id, id desc);
create index record_seals_customer on record_seals (customer_id);
create index record_seals_loose on record_seals (id) where position is null;

create table seal_head (
  only_row boolean primary key default true check (only_row),
  position bigint not null,
  hash bytea not null check (length(hash) = 32)
);
insert into seal_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Texts of values that no setting of a session changes.
create or replace function seal_text(instant timestamptz) returns text language sql immutable as $$
  select (extract(epoch from instant) * 1000000)::bigint::text
$$;

create or replace function seal_text(day date) returns text language sql immutable as $$
  select (day - date '2000-01-01')::text
$$;

-- What names a record: the values of these columns.
create or replace function name_of_record(p_columns text, r jsonb) returns text language sql immutable as $$
  select string_agg(r ->> name, '/' order by place) from unnest(string_to_array(p_columns, ',')) with ordinality n (name, place)
$$;

-- A seal names the customer of its record, of its document or of its mail.
create or replace function customer_of_record(p_table text, r jsonb) returns text language sql stable as $$
  select coalesce(r ->> 'customer_id', (select d.customer_id from documents d where d.id = r ->> 'document_id'),
    (select m.customer_id from mails m where m.id = r ->> 'mail_id'), case p_table when 'customers' then r ->> 'id' end)
$$;

-- First argument: the columns that name the record.
create or replace function seal_record() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  row jsonb := to_jsonb(coalesce(new, old));
  record_id text := name_of_record(tg_argv[0], row);
  customer text := customer_of_record(tg_table_name, row);
  content bytea;
  fixed bytea;
begin
  if tg_op <> 'DELETE' then
    execute format('select seal_of_%I($1)', tg_table_name) using new into content;
    if to_regproc(format('fixed_of_%s', tg_table_name)) is not null then
      execute format('select fixed_of_%I($1)', tg_table_name) using new into fixed;
    end if;
  end if;
  insert into record_seals (kind, record_id, customer_id, content, fixed) values (tg_table_name, record_id, customer, content, fixed);
  return null;
end $$;

-- Seals records that were loaded with triggers off: those of every table with the trigger `sealed`.
create or replace function seal_unsealed() returns void language sql as $$
  select seal_unsealed_of(c.relname) from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where t.tgname = 'sealed' and not t.tgisinternal and c.relnamespace = 'public'::regnamespace
$$;

create or replace function hash_of_seal(before bytea, r record_seals) returns bytea language sql immutable as $$
  select sha256(before || convert_to(concat_ws('|', r.position, r.kind, r.record_id, r.customer_id, coalesce(encode(r.content, 'hex'), '-'),
    encode(r.fixed, 'hex')), 'UTF8'))
$$;

-- Gives up to so many seals their places in the chain; returns how many. Done by a round and not by each commit, so that none waits for another.
create or replace function chain_seals(most integer) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head seal_head;
  s record_seals;
  chained integer := 0;
begin
  select * into head from seal_head for update;
  for s in select * from record_seals where position is null order by id limit most loop
    s.position := head.position + 1;
    s.hash := hash_of_seal(head.hash, s);
    update record_seals set position = s.position, hash = s.hash where id = s.id;
    head.position := s.position;
    head.hash := s.hash;
    chained := chained + 1;
  end loop;
  update seal_head set position = head.position, hash = head.hash;
  return chained;
end $$;

create or replace function seals_stand() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.position is null and new.position is not null
     and (to_jsonb(new) - '{position,hash}'::text[]) = (to_jsonb(old) - '{position,hash}'::text[]) then
    return new;
  end if;
  raise exception 'seals are only added to';
end $$;
create trigger seals_stand before update or delete on record_seals for each row execute function seals_stand();

-- Seals the records of one table that have no seal. What names a record is the argument of its trigger.
create or replace function seal_unsealed_of(p_table text) returns void language plpgsql as $$
declare
  columns text := (select convert_from(btrim(tgargs, '\x00'), 'UTF8') from pg_trigger where tgrelid = p_table::regclass and tgname = 'sealed');
begin
  execute format('insert into record_seals (kind, record_id, customer_id, content, fixed)
    select %1$L, name_of_record(%2$L, to_jsonb(r)), customer_of_record(%1$L, to_jsonb(r)), seal_of_%1$I(r), %3$s from %1$I r
    where not exists (select from record_seals s where s.kind = %1$L and s.record_id = name_of_record(%2$L, to_jsonb(r)))%4$s', p_table, columns,
    case when to_regproc(format('fixed_of_%s', p_table)) is null then 'null' else format('fixed_of_%I(r)', p_table) end,
    case p_table when 'mails' then ' and (r.document_id is not null or r.pack_month is not null)' else '' end);
end $$;

create or replace function seal_hash(content jsonb) returns bytea language sql stable as $$
  select sha256(convert_to(content::text, 'UTF8'))
$$;

create trigger never_emptied before truncate on record_seals execute function refuse_truncate();
create trigger never_deleted before delete on seal_head for each row execute function never_change();
create trigger never_emptied before truncate on seal_head execute function refuse_truncate();
