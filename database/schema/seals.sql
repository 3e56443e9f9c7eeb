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

-- First argument: the columns that name the record. A seal names the customer of its record, of its document or of its mail.
create or replace function seal_record() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  row jsonb := to_jsonb(coalesce(new, old));
  record_id text := (select string_agg(row ->> name, '/' order by place) from unnest(string_to_array(tg_argv[0], ',')) with ordinality n (name, place));
  customer text := coalesce(row ->> 'customer_id', (select d.customer_id from documents d where d.id = row ->> 'document_id'),
    (select m.customer_id from mails m where m.id = row ->> 'mail_id'), case tg_table_name when 'customers' then row ->> 'id' end);
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

-- Seals records that were loaded with triggers off.
create or replace function seal_unsealed() returns void language sql as $$
  select seal_unsealed_of(t.name, t.id, coalesce(t.customer, 'r.customer_id')) from (values
    ('customers', 'r.id', 'r.id'), ('installation_secrets', 'r.name', 'null'), ('documents', 'r.id', null), ('document_files', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'),
    ('e_invoices', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('cycles', 'r.id', null),
    ('payments', 'r.provider_payment_id', null), ('amendments', 'r.document_id', null),
    ('amendment_files', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('tds_claims', 'r.id', null),
    ('quota_raises', 'r.id::text', null), ('refunds', 'r.id', null), ('disputes', 'r.provider_dispute_id', null), ('tax_claims', 'r.id', null),
    ('sez_checks', 'r.id::text', null), ('letters_of_undertaking', 'r.arn', 'null'), ('remittance_proofs', 'r.payment_id', 'null'),
    ('settlements', 'r.settlement_id', 'null'), ('period_locks', 'r.id::text', 'null'), ('operator_actions', 'r.position::text', null),
    ('activations', 'r.id', null), ('api_keys', 'r.id', null), ('profiles', 'r.customer_id', null), ('accountants', 'r.id', null), ('mails', 'r.id', null),
    ('mail_documents', $a$r.mail_id || '/' || r.place$a$, '(select m.customer_id from mails m where m.id = r.mail_id)'), ('payment_orders', 'r.id', null),
    ('order_cycles', $a$r.order_id || '/' || r.cycle_id$a$, null),
    ('e_invoice_waits', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'),
    ('settlement_items', 'r.id::text', 'null'), ('closed_series', $a$r.series || '/' || r.financial_year$a$, 'null'),
    ('document_series_forms', 'r.name', 'null'), ('catalog_versions', 'r.version::text', 'null'),
    ('catalog_version_files', $a$r.version || '/' || r.path$a$, 'null')) t (name, id, customer)
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

-- Seals the records of one table that have no seal. `p_id` and `p_customer` are SQL.
create or replace function seal_unsealed_of(p_table text, p_id text, p_customer text) returns void language plpgsql as $$
begin
  execute format('insert into record_seals (kind, record_id, customer_id, content, fixed) select %1$L, %2$s, %3$s, seal_of_%1$I(r), %4$s from %1$I r
    where not exists (select from record_seals s where s.kind = %1$L and s.record_id = %2$s)%5$s', p_table, p_id, p_customer,
    case when to_regproc(format('fixed_of_%s', p_table)) is null then 'null' else format('fixed_of_%I(r)', p_table) end,
    case p_table when 'mails' then ' and (r.document_id is not null or r.pack_month is not null)' else '' end);
end $$;

create or replace function seal_hash(content jsonb) returns bytea language sql stable as $$
  select sha256(convert_to(content::text, 'UTF8'))
$$;

create trigger never_emptied before truncate on record_seals execute function refuse_truncate();
create trigger never_deleted before delete on seal_head for each row execute function never_change();
create trigger never_emptied before truncate on seal_head execute function refuse_truncate();
