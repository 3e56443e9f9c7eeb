-- A seal could be renewed: with the guards of a table off and its seals on, a change sealed itself, and only the last seal was compared. Now a seal also
-- has hashes of what of its record can't change any more, one for each step that the record has taken (created, paid, ended); a later seal begins with
-- those of the one before (decision 028). And everything is sealed that decides money, returns, papers, or who receives them.
alter table record_seals add column fixed bytea;
alter table record_seals drop constraint record_seals_kind_check;

create function seal_hash(content jsonb) returns bytea language sql stable as $$
  select sha256(convert_to(content::text, 'UTF8'))
$$;

create or replace function hash_of_seal(before bytea, r record_seals) returns bytea language sql immutable as $$
  select sha256(before || convert_to(concat_ws('|', r.position, r.kind, r.record_id, r.customer_id, coalesce(encode(r.content, 'hex'), '-'),
    encode(r.fixed, 'hex')), 'UTF8'))
$$;

-- PostgreSQL takes no function that is declared immutable into a query whose body isn't: the check of all records takes half as long without.
alter function seal_of_documents(documents) stable;
alter function seal_of_document_files(document_files) stable;
alter function seal_of_e_invoices(e_invoices) stable;
alter function seal_of_cycles(cycles) stable;
alter function seal_of_payments(payments) stable;
alter function seal_of_amendments(amendments) stable;
alter function seal_of_amendment_files(amendment_files) stable;
alter function seal_of_tds_claims(tds_claims) stable;
alter function seal_of_quota_raises(quota_raises) stable;
alter function seal_of_refunds(refunds) stable;
alter function seal_of_disputes(disputes) stable;
alter function seal_of_tax_claims(tax_claims) stable;
alter function seal_of_sez_checks(sez_checks) stable;
alter function seal_of_letters_of_undertaking(letters_of_undertaking) stable;
alter function seal_of_remittance_proofs(remittance_proofs) stable;
alter function seal_of_settlements(settlements) stable;
alter function seal_of_period_locks(period_locks) stable;
alter function seal_of_operator_actions(operator_actions) stable;

-- What can't change any more, for the tables whose rows take steps.
create function fixed_of_cycles(r cycles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.plan, r.tenure, r.daily_quota, r.monthly_quota, r.rps,
      seal_text(r.created_at), r.replaces, r.adds_to, r.granted_reason))
    || case when r.status = 'PAYMENT_PENDING' then ''::bytea
      else seal_hash(jsonb_build_array(r.price_paise, seal_text(r.from_date), seal_text(r.to_date), seal_text(r.paid_at))) end
    || case when r.status in ('DEACTIVATED', 'REMOVED', 'REFUNDED') then seal_hash(jsonb_build_array(r.status::text, seal_text(r.ended_at))) else ''::bytea end
$$;
create function fixed_of_payments(r payments) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.provider_payment_id, r.order_id, r.cycle_id, r.customer_id, seal_text(r.created_at)))
    || case when r.status = 'captured' then seal_hash(jsonb_build_array(r.status, r.use, seal_text(r.captured_at), r.amount_paise, r.currency, r.method,
      r.error_description, r.fee_paise, r.fee_tax_paise)) else ''::bytea end
$$;
create function fixed_of_refunds(r refunds) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, seal_text(r.created_at), r.origin,
      r.foreign_id, r.covers_paise))
    || case when r.status = 'PROCESSED' then seal_hash(jsonb_build_array(r.status, seal_text(r.settled_at), r.covered_paise, r.loss_paise, r.attempt,
      r.payout, r.utr, seal_text(r.transferred_on))) else ''::bytea end
    || case when r.status = 'PROCESSED' and r.provider_refund_id is not null then seal_hash(jsonb_build_array(r.provider_refund_id)) else ''::bytea end
$$;
create function fixed_of_disputes(r disputes) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.provider_dispute_id, r.payment_id, r.cycle_id, r.customer_id, seal_text(r.created_at)))
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(r.amount_paise, r.phase, r.reason, r.status, seal_text(r.respond_by),
      seal_text(r.ended_at), r.held_paise, r.deducted_paise, r.loss_paise, seal_text(r.submitted_at))) else ''::bytea end
$$;
create function fixed_of_tax_claims(r tax_claims) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.kind, r.about, seal_text(r.declared_on), seal_text(r.declared_at), r.letter_name,
      r.letter_type, encode(r.letter_sha256, 'hex')))
    || case when r.withdrawn_at is not null then seal_hash(jsonb_build_array(seal_text(r.withdrawn_at))) else ''::bytea end
$$;
create function fixed_of_tds_claims(r tds_claims) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.cycle_id, r.invoice_id, r.tan, r.section, r.quarter, r.amount_paise, r.certificate_name,
      r.certificate_type, encode(r.certificate_sha256, 'hex'), seal_text(r.declared_on), seal_text(r.declared_at)))
    || case when r.status <> 'WAITING' then seal_hash(jsonb_build_array(r.status, seal_text(r.decided_at), r.reason, r.refund_id)) else ''::bytea end
$$;
-- A new start of the portal writes the dates of its settings.
create function fixed_of_letters_of_undertaking(r letters_of_undertaking) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.arn))
$$;
-- A later proof of the same payment corrects the one before; the audit log has both.
create function fixed_of_remittance_proofs(r remittance_proofs) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.payment_id))
$$;
create function fixed_of_settlements(r settlements) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.settlement_id, r.amount_paise, seal_text(r.created_at)))
$$;
create function fixed_of_e_invoices(r e_invoices) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.document_id, r.irn, r.ack_number, seal_text(r.ack_at), r.signed_qr, r.signed_invoice))
    || case when r.cancelled_at is not null then seal_hash(jsonb_build_array(seal_text(r.cancelled_at), r.cancel_reason)) else ''::bytea end
$$;
create function fixed_of_period_locks(r period_locks) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.month, r.action, r.reason, r.operator, seal_text(r.recorded_at)))
    || case when r.trial_balance is not null then seal_hash(r.trial_balance) else ''::bytea end
$$;

-- The tables that had no seals.
create function seal_of_activations(r activations) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.service_id, seal_text(r.created_at), seal_text(r.deleted_at)))
$$;
create function fixed_of_activations(r activations) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.service_id, seal_text(r.created_at)))
    || case when r.deleted_at is not null then seal_hash(jsonb_build_array(seal_text(r.deleted_at))) else ''::bytea end
$$;
create function seal_of_api_keys(r api_keys) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.name, encode(r.key_hash, 'hex'), r.hint, seal_text(r.created_at),
    seal_text(r.revoked_at), r.test, seal_text(r.expires_at), to_jsonb(r.allowed_ips), r.daily_cap, r.replaced_by, r.prefix))
$$;
create function fixed_of_api_keys(r api_keys) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.name, encode(r.key_hash, 'hex'), r.hint, seal_text(r.created_at), r.test,
      r.prefix))
    || case when r.revoked_at is not null then seal_hash(jsonb_build_array(seal_text(r.revoked_at), seal_text(r.expires_at), to_jsonb(r.allowed_ips),
      r.daily_cap, r.replaced_by)) else ''::bytea end
$$;
create function seal_of_profiles(r profiles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.customer_id, r.legal_name, r.phone, r.gstin, r.address, r.city, r.pin, r.state_code, seal_text(r.updated_at),
    r.sez, r.country, r.purchase_order, seal_text(r.purchase_order_date)))
$$;
create function fixed_of_profiles(r profiles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.customer_id))
$$;
create function seal_of_accountants(r accountants) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, seal_text(r.asked_at), seal_text(r.confirmed_at), r.next_month, seal_text(r.ended_at),
    r.ended_by))
$$;
create function fixed_of_accountants(r accountants) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, seal_text(r.asked_at)))
    || case when r.confirmed_at is not null then seal_hash(jsonb_build_array(seal_text(r.confirmed_at))) else ''::bytea end
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(seal_text(r.ended_at), r.ended_by)) else ''::bytea end
$$;
create function seal_of_mails(r mails) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.recipient, r.document_id, seal_text(r.created_at), r.accountant_id, r.pack_month))
$$;
create function seal_of_mail_documents(r mail_documents) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.mail_id, r.place, r.document_id))
$$;
create function seal_of_payment_orders(r payment_orders) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.cycle_id, r.activation_id, r.customer_id, r.provider_order_id, r.amount_paise, r.currency, r.status,
    seal_text(r.created_at), r.purchase_order, seal_text(r.purchase_order_date)))
$$;
create function fixed_of_payment_orders(r payment_orders) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.cycle_id, r.activation_id, r.customer_id, r.amount_paise, r.currency, seal_text(r.created_at)))
    || case when r.provider_order_id is not null then seal_hash(jsonb_build_array(r.provider_order_id)) else ''::bytea end
    || case when r.status = 'PAID' then seal_hash(jsonb_build_array(r.status, r.purchase_order, seal_text(r.purchase_order_date))) else ''::bytea end
$$;
create function seal_of_order_cycles(r order_cycles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.cycle_id, r.activation_id, r.customer_id, r.place, r.amount_paise, r.live))
$$;
create function fixed_of_order_cycles(r order_cycles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.cycle_id, r.activation_id, r.customer_id, r.place, r.amount_paise))
$$;
create function seal_of_e_invoice_waits(r e_invoice_waits) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.document_id, seal_text(r.since), seal_text(r.refused_at), r.refused_code, r.refused_reason, seal_text(r.closed_at)))
$$;
create function fixed_of_e_invoice_waits(r e_invoice_waits) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.document_id, seal_text(r.since)))
    || case when r.closed_at is not null then seal_hash(jsonb_build_array(seal_text(r.refused_at), r.refused_code, r.refused_reason, seal_text(r.closed_at)))
      else ''::bytea end
$$;
create function seal_of_settlement_items(r settlement_items) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.entity_id, r.settlement_id, r.type, r.debit_paise, r.credit_paise, r.amount_paise, r.fee_paise, r.tax_paise,
    r.currency, r.on_hold, seal_text(r.settled_at), r.payment_id, r.order_id, r.dispute_id, r.description, seal_text(r.created_at), seal_text(r.booked_at),
    seal_text(r.returned_at)))
$$;
create function fixed_of_settlement_items(r settlement_items) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.entity_id, r.type, r.currency, seal_text(r.created_at)))
    || case when r.settlement_id is not null then seal_hash(jsonb_build_array(r.settlement_id, r.debit_paise, r.credit_paise, r.amount_paise, r.fee_paise,
      r.tax_paise, r.on_hold, seal_text(r.settled_at), r.payment_id, r.order_id, r.dispute_id, r.description)) else ''::bytea end
    || case when r.booked_at is not null then seal_hash(jsonb_build_array(seal_text(r.booked_at))) else ''::bytea end
    || case when r.returned_at is not null then seal_hash(jsonb_build_array(seal_text(r.returned_at))) else ''::bytea end
$$;
create function seal_of_closed_series(r closed_series) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.series, r.financial_year, seal_text(r.closed_at), r.reason))
$$;
create function seal_of_document_series_forms(r document_series_forms) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.name, r.kind::text, r.place, r.letters, r.digits, r.last))
$$;
create function seal_of_catalog_versions(r catalog_versions) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.version, encode(r.sha256, 'hex'), seal_text(r.created_at), r.author, r.reason, seal_text(r.active_from)))
$$;
create function fixed_of_catalog_versions(r catalog_versions) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.version, encode(r.sha256, 'hex'), seal_text(r.created_at), r.author, r.reason))
    || case when r.active_from is not null then seal_hash(jsonb_build_array(seal_text(r.active_from))) else ''::bytea end
$$;
create function seal_of_catalog_version_files(r catalog_version_files) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.version, r.path, encode(r.sha256, 'hex')))
$$;

-- First argument: the columns that name the record. A seal names the customer of its record, of its document or of its mail.
create or replace function seal_record() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  row jsonb := to_jsonb(coalesce(new, old));
  record_id text := (select string_agg(row ->> name, '/' order by place) from unnest(string_to_array(tg_argv[0], ',')) with ordinality n (name, place));
  customer text := coalesce(row ->> 'customer_id', (select d.customer_id from documents d where d.id = row ->> 'document_id'),
    (select m.customer_id from mails m where m.id = row ->> 'mail_id'));
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

create trigger sealed after insert or update or delete on activations for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on api_keys for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on profiles for each row execute function seal_record('customer_id');
create trigger sealed after insert or update or delete on accountants for each row execute function seal_record('id');
-- Of mails only those with papers.
create trigger sealed after insert or update of id, customer_id, recipient, document_id, created_at, accountant_id, pack_month on mails for each row
  when (new.document_id is not null or new.pack_month is not null) execute function seal_record('id');
create trigger sealed after insert or update or delete on mail_documents for each row execute function seal_record('mail_id,place');
-- Not for each look at an order.
create trigger sealed after insert or delete or update of id, cycle_id, activation_id, customer_id, provider_order_id, amount_paise, currency, status,
  created_at, purchase_order, purchase_order_date on payment_orders for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on order_cycles for each row execute function seal_record('order_id,cycle_id');
create trigger sealed after insert or delete or update of document_id, since, refused_at, refused_code, refused_reason, closed_at on e_invoice_waits
  for each row execute function seal_record('document_id');
create trigger sealed after insert or update or delete on settlement_items for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on closed_series for each row execute function seal_record('series,financial_year');
create trigger sealed after insert or update or delete on document_series_forms for each row execute function seal_record('name');
create trigger sealed after insert or update or delete on catalog_versions for each row execute function seal_record('version');
create trigger sealed after insert or update or delete on catalog_version_files for each row execute function seal_record('version,path');

-- For the check of each minute.
create or replace function note_ledger_change() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  for changed in select row from unnest(array[to_jsonb(old), to_jsonb(new)]) as row where row is not null loop
    insert into customer_changes (reader, customer_id)
      select 'ledger', c.id from (select case tg_argv[0]
        when 'customer' then changed ->> 'customer_id'
        when 'self' then changed ->> 'id'
        when 'entry' then (select e.customer_id from ledger_entries e where e.id = changed ->> 'entry_id')
        when 'payment' then (select p.customer_id from payments p where p.provider_payment_id = changed ->> 'payment_id')
        when 'mail' then (select m.customer_id from mails m where m.id = changed ->> 'mail_id')
        when 'document' then (select d.customer_id from documents d where d.id = changed ->> 'document_id') end as id) c
      where c.id is not null
      on conflict do nothing;
  end loop;
  return null;
end $$;
create trigger noted_for_ledger after update of blocked_at, blocked_reason, erased_at on customers for each row execute function note_ledger_change('self');
alter table customers enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update or delete on api_keys for each row execute function note_ledger_change('customer');
alter table api_keys enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update or delete on profiles for each row execute function note_ledger_change('customer');
alter table profiles enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update or delete on accountants for each row execute function note_ledger_change('customer');
alter table accountants enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update of recipient, document_id, accountant_id, pack_month on mails for each row
  when (new.document_id is not null or new.pack_month is not null) execute function note_ledger_change('customer');
alter table mails enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update or delete on mail_documents for each row execute function note_ledger_change('mail');
alter table mail_documents enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update or delete on e_invoice_waits for each row execute function note_ledger_change('document');
alter table e_invoice_waits enable always trigger noted_for_ledger;

-- Seals the records of one table that have no seal. `p_id` and `p_customer` are SQL.
create or replace function seal_unsealed_of(p_table text, p_id text, p_customer text) returns void language plpgsql as $$
begin
  execute format('insert into record_seals (kind, record_id, customer_id, content, fixed) select %1$L, %2$s, %3$s, seal_of_%1$I(r), %4$s from %1$I r
    where not exists (select from record_seals s where s.kind = %1$L and s.record_id = %2$s)%5$s', p_table, p_id, p_customer,
    case when to_regproc(format('fixed_of_%s', p_table)) is null then 'null' else format('fixed_of_%I(r)', p_table) end,
    case p_table when 'mails' then ' and (r.document_id is not null or r.pack_month is not null)' else '' end);
end $$;

create or replace function seal_unsealed() returns void language sql as $$
  select seal_unsealed_of(t.name, t.id, coalesce(t.customer, 'r.customer_id')) from (values
    ('documents', 'r.id', null), ('document_files', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'),
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

-- From here on their history counts. One that differs from its last seal gets no new one: an intruder changed it.
insert into record_seals (kind, record_id, customer_id, content, fixed)
  select s.kind, s.record_id, s.customer_id, s.content, r.fixed from (
    select 'cycles' as kind, id, seal_of_cycles(t) as content, fixed_of_cycles(t) as fixed from cycles t
    union all select 'payments', provider_payment_id, seal_of_payments(t), fixed_of_payments(t) from payments t
    union all select 'refunds', id, seal_of_refunds(t), fixed_of_refunds(t) from refunds t
    union all select 'disputes', provider_dispute_id, seal_of_disputes(t), fixed_of_disputes(t) from disputes t
    union all select 'tax_claims', id, seal_of_tax_claims(t), fixed_of_tax_claims(t) from tax_claims t
    union all select 'tds_claims', id, seal_of_tds_claims(t), fixed_of_tds_claims(t) from tds_claims t
    union all select 'letters_of_undertaking', arn, seal_of_letters_of_undertaking(t), fixed_of_letters_of_undertaking(t) from letters_of_undertaking t
    union all select 'remittance_proofs', payment_id, seal_of_remittance_proofs(t), fixed_of_remittance_proofs(t) from remittance_proofs t
    union all select 'settlements', settlement_id, seal_of_settlements(t), fixed_of_settlements(t) from settlements t
    union all select 'e_invoices', document_id, seal_of_e_invoices(t), fixed_of_e_invoices(t) from e_invoices t
    union all select 'period_locks', id::text, seal_of_period_locks(t), fixed_of_period_locks(t) from period_locks t) r
  join lateral (select * from record_seals l where l.kind = r.kind and l.record_id = r.id order by l.id desc limit 1) s on s.content = r.content;

-- Of tables that were sealed before no record is sealed here: one without a seal was added by an intruder.
select seal_unsealed_of(t.name, t.id, t.customer) from (values
  ('activations', 'r.id', 'r.customer_id'), ('api_keys', 'r.id', 'r.customer_id'), ('profiles', 'r.customer_id', 'r.customer_id'),
  ('accountants', 'r.id', 'r.customer_id'), ('mails', 'r.id', 'r.customer_id'),
  ('mail_documents', $a$r.mail_id || '/' || r.place$a$, '(select m.customer_id from mails m where m.id = r.mail_id)'),
  ('payment_orders', 'r.id', 'r.customer_id'), ('order_cycles', $a$r.order_id || '/' || r.cycle_id$a$, 'r.customer_id'),
  ('e_invoice_waits', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('settlement_items', 'r.id::text', 'null'),
  ('closed_series', $a$r.series || '/' || r.financial_year$a$, 'null'), ('document_series_forms', 'r.name', 'null'),
  ('catalog_versions', 'r.version::text', 'null'), ('catalog_version_files', $a$r.version || '/' || r.path$a$, 'null')) t (name, id, customer);
