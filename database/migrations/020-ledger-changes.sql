-- The ledger's check of each minute reads the customers whose money, plans or papers changed, by these indexes.
create index activations_customer on activations (customer_id);
create index payments_customer on payments (customer_id);
create index payment_orders_customer on payment_orders (customer_id);
create index ledger_entries_customer on ledger_entries (customer_id);
create index ledger_entries_loose on ledger_entries (id) where position is null;

-- Argument of the trigger: how a row's customer is found.
create function note_ledger_change() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  for changed in select row from unnest(array[to_jsonb(old), to_jsonb(new)]) as row where row is not null loop
    insert into customer_changes (reader, customer_id)
      select 'ledger', c.id from (select case tg_argv[0]
        when 'customer' then changed ->> 'customer_id'
        when 'entry' then (select e.customer_id from ledger_entries e where e.id = changed ->> 'entry_id')
        when 'document' then (select d.customer_id from documents d where d.id = changed ->> 'document_id') end as id) c
      where c.id is not null
      on conflict do nothing;
  end loop;
  return null;
end $$;

-- Always: also in a session that has switched triggers off (session_replication_role), which a change by hand may do.
do $$
declare
  t text;
begin
  foreach t in array array['activations', 'cycles', 'payment_orders', 'payments', 'refunds', 'ledger_entries', 'documents'] loop
    execute format('create trigger noted_for_ledger after insert or update or delete on %I for each row execute function note_ledger_change(''customer'')', t);
    execute format('alter table %I enable always trigger noted_for_ledger', t);
  end loop;
  create trigger noted_for_ledger after insert or update or delete on ledger_lines
    for each row execute function note_ledger_change('entry');
  alter table ledger_lines enable always trigger noted_for_ledger;
  foreach t in array array['document_files', 'e_invoices', 'open_vouchers'] loop
    execute format('create trigger noted_for_ledger after insert or update or delete on %I for each row execute function note_ledger_change(''document'')', t);
    execute format('alter table %I enable always trigger noted_for_ledger', t);
  end loop;
end $$;

-- The row's time, position, hash and faults are those of the check of each minute.
alter table ledger_checks
  add column failure text,
  add column whole_checked_at timestamptz,
  add column whole_faults jsonb not null default '[]',
  add column whole_failure text;
