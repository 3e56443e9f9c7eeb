-- Every state of a document, its paper, its registration, a plan as sold and a payment leaves a hash of its content, in the transaction that
-- writes it. The hashes form a chain of their own, so that a change behind the back of these triggers is noticed.
create table record_seals (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('documents', 'document_files', 'e_invoices', 'cycles', 'payments')),
  record_id text not null,
  customer_id text not null references customers,
  -- SHA-256 of the record's content; null when it was deleted.
  content bytea check (length(content) = 32),
  sealed_at timestamptz not null default clock_timestamp(),
  position bigint unique check (position > 0),
  hash bytea check (length(hash) = 32),
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
create function seal_text(instant timestamptz) returns text language sql immutable as $$
  select (extract(epoch from instant) * 1000000)::bigint::text
$$;
create function seal_text(day date) returns text language sql immutable as $$
  select (day - date '2000-01-01')::text
$$;

create function seal_of_documents(r documents) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.kind::text, r.number, r.series, r.financial_year, r.sequence, seal_text(r.issued_at),
    seal_text(r.issued_on), r.customer_id, r.cycle_id, r.payment_id, r.refers_to, r.taxable_paise, r.cgst_paise, r.sgst_paise, r.utgst_paise,
    r.igst_paise, r.round_off_paise, r.total_paise, r.content, r.needs_irn)::text, 'UTF8'))
$$;
create function seal_of_document_files(r document_files) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, encode(r.pdf_sha256, 'hex'), seal_text(r.made_at))::text, 'UTF8'))
$$;
create function seal_of_e_invoices(r e_invoices) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, r.irn, r.ack_number, seal_text(r.ack_at), r.signed_qr, r.signed_invoice,
    seal_text(r.cancelled_at), r.cancel_reason)::text, 'UTF8'))
$$;
create function seal_of_cycles(r cycles) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.status::text, seal_text(r.from_date),
    seal_text(r.to_date), r.plan, r.tenure, r.price_paise, r.daily_quota, r.monthly_quota, r.rps, seal_text(r.created_at), seal_text(r.paid_at),
    seal_text(r.ended_at))::text, 'UTF8'))
$$;
create function seal_of_payments(r payments) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.provider_payment_id, r.order_id, r.cycle_id, r.customer_id, r.amount_paise, r.currency, r.status,
    r.method, r.error_description, seal_text(r.created_at), seal_text(r.captured_at), r.use)::text, 'UTF8'))
$$;

-- Seals what a statement has written. First argument: the column that names the record.
create function seal_record() returns trigger language plpgsql as $$
declare
  record_id text := to_jsonb(coalesce(new, old)) ->> tg_argv[0];
  customer text := to_jsonb(coalesce(new, old)) ->> 'customer_id';
  content bytea;
begin
  if tg_op <> 'DELETE' then execute format('select seal_of_%I($1)', tg_table_name) using new into content; end if;
  if customer is null then select customer_id into customer from documents where id = record_id; end if;
  insert into record_seals (kind, record_id, customer_id, content) values (tg_table_name, record_id, customer, content);
  return null;
end $$;
create trigger sealed after insert or update or delete on documents for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on document_files for each row execute function seal_record('document_id');
create trigger sealed after insert or update or delete on e_invoices for each row execute function seal_record('document_id');
create trigger sealed after insert or update or delete on cycles for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on payments for each row execute function seal_record('provider_payment_id');

-- Seals every record that has no seal: those from before this table, and those that were loaded with triggers off on purpose.
create function seal_unsealed() returns void language sql as $$
  insert into record_seals (kind, record_id, customer_id, content)
  select 'documents', r.id, r.customer_id, seal_of_documents(r) from documents r
    where not exists (select from record_seals s where s.kind = 'documents' and s.record_id = r.id)
  union all
  select 'document_files', r.document_id, d.customer_id, seal_of_document_files(r) from document_files r join documents d on d.id = r.document_id
    where not exists (select from record_seals s where s.kind = 'document_files' and s.record_id = r.document_id)
  union all
  select 'e_invoices', r.document_id, d.customer_id, seal_of_e_invoices(r) from e_invoices r join documents d on d.id = r.document_id
    where not exists (select from record_seals s where s.kind = 'e_invoices' and s.record_id = r.document_id)
  union all
  select 'cycles', r.id, r.customer_id, seal_of_cycles(r) from cycles r
    where not exists (select from record_seals s where s.kind = 'cycles' and s.record_id = r.id)
  union all
  select 'payments', r.provider_payment_id, r.customer_id, seal_of_payments(r) from payments r
    where not exists (select from record_seals s where s.kind = 'payments' and s.record_id = r.provider_payment_id)
$$;
select seal_unsealed();

create function hash_of_seal(before bytea, r record_seals) returns bytea language sql immutable as $$
  select sha256(before || convert_to(concat_ws('|', r.position, r.kind, r.record_id, r.customer_id, coalesce(encode(r.content, 'hex'), '-')), 'UTF8'))
$$;

-- Gives up to so many seals their places in the chain; returns how many. Done by a round and not by each commit, so that none waits for another.
create function chain_seals(most integer) returns integer language plpgsql as $$
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

create function seals_stand() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.position is null and new.position is not null
     and (to_jsonb(new) - '{position,hash}'::text[]) = (to_jsonb(old) - '{position,hash}'::text[]) then
    return new;
  end if;
  raise exception 'seals are only added to';
end $$;
create trigger seals_stand before update or delete on record_seals for each row execute function seals_stand();
create trigger never_emptied before truncate on record_seals execute function refuse_truncate();
create trigger never_deleted before delete on seal_head for each row execute function never_change();
create trigger never_emptied before truncate on seal_head execute function refuse_truncate();
