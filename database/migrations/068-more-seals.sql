-- What decides the tax of a sale, how money came and went, which months are locked and what operators did is sealed like documents (decision 028).
-- Seals of what is the provider's own are about no customer.
alter table record_seals alter column customer_id drop not null;
alter table record_seals drop constraint record_seals_kind_check;
alter table record_seals add constraint record_seals_kind_check check (kind in ('documents', 'document_files', 'e_invoices', 'cycles', 'payments',
  'amendments', 'amendment_files', 'tds_claims', 'quota_raises', 'refunds', 'disputes', 'tax_claims', 'sez_checks', 'letters_of_undertaking',
  'remittance_proofs', 'settlements', 'period_locks', 'operator_actions'));

-- A seal names its record by one column.
alter table sez_checks add column id bigint generated always as identity;

create function seal_of_refunds(r refunds) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, r.status, r.provider_refund_id,
    r.attempt, seal_text(r.created_at), seal_text(r.settled_at), r.origin, r.foreign_id, r.covers_paise, r.covered_paise)::text, 'UTF8'))
$$;
create function seal_of_disputes(r disputes) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.provider_dispute_id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.phase, r.reason, r.status,
    seal_text(r.respond_by), seal_text(r.created_at), seal_text(r.ended_at), r.held_paise, r.deducted_paise, r.loss_paise,
    seal_text(r.submitted_at))::text, 'UTF8'))
$$;
create function seal_of_tax_claims(r tax_claims) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.kind, r.about, seal_text(r.declared_on), seal_text(r.declared_at), r.letter_name,
    r.letter_type, encode(r.letter_sha256, 'hex'), seal_text(r.withdrawn_at))::text, 'UTF8'))
$$;
create function seal_of_sez_checks(r sez_checks) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.gstin, seal_text(r.checked_at), r.outcome, r.type_text,
    encode(r.answer_sha256, 'hex'))::text, 'UTF8'))
$$;
create function seal_of_letters_of_undertaking(r letters_of_undertaking) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.arn, seal_text(r.from_date), seal_text(r.last_date))::text, 'UTF8'))
$$;
create function seal_of_remittance_proofs(r remittance_proofs) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.payment_id, r.kind, r.reference, seal_text(r.received_on), r.currency, r.amount,
    seal_text(r.recorded_at))::text, 'UTF8'))
$$;
create function seal_of_settlements(r settlements) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.settlement_id, r.amount_paise, r.status, r.utr, seal_text(r.created_at))::text, 'UTF8'))
$$;
create function seal_of_period_locks(r period_locks) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.month, r.action, r.reason, r.operator, seal_text(r.recorded_at), r.trial_balance)::text, 'UTF8'))
$$;
-- Its own hash covers all of it; the seal shows when the newest action is gone.
create function seal_of_operator_actions(r operator_actions) returns bytea language sql immutable as $$
  select r.hash
$$;

-- Not for each try of a refund, look at a dispute or reading of a settlement.
create trigger sealed after insert or delete or update of status, provider_refund_id, attempt, settled_at, covered_paise, amount_paise, reason, origin,
  foreign_id, covers_paise, created_at, payment_id, cycle_id, customer_id, id on refunds for each row execute function seal_record('id');
create trigger sealed after insert or delete on disputes for each row execute function seal_record('provider_dispute_id');
create trigger sealed_again after update on disputes for each row
  when ((to_jsonb(new) - 'next_check_at') is distinct from (to_jsonb(old) - 'next_check_at')) execute function seal_record('provider_dispute_id');
create trigger sealed after insert or update or delete on tax_claims for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on sez_checks for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on letters_of_undertaking for each row execute function seal_record('arn');
create trigger sealed after insert or update or delete on remittance_proofs for each row execute function seal_record('payment_id');
create trigger sealed after insert or delete on settlements for each row execute function seal_record('settlement_id');
create trigger sealed_again after update on settlements for each row
  when ((to_jsonb(new) - 'read_at') is distinct from (to_jsonb(old) - 'read_at')) execute function seal_record('settlement_id');
create trigger sealed after insert or update or delete on period_locks for each row execute function seal_record('id');
create trigger sealed after insert or update or delete on operator_actions for each row execute function seal_record('position');

-- For the check of each minute.
create trigger noted_for_ledger after insert or update or delete on tax_claims for each row execute function note_ledger_change('customer');
alter table tax_claims enable always trigger noted_for_ledger;
create trigger noted_for_ledger after insert or update or delete on sez_checks for each row execute function note_ledger_change('customer');
alter table sez_checks enable always trigger noted_for_ledger;

-- Seals the records of one table that have no seal.
create function seal_unsealed_of(p_table text, p_id text, p_customer text) returns void language plpgsql as $$
begin
  execute format('insert into record_seals (kind, record_id, customer_id, content) select %L, r.%I::text, %s, seal_of_%I(r) from %I r
    where not exists (select from record_seals s where s.kind = %L and s.record_id = r.%I::text)', p_table, p_id, p_customer, p_table, p_table, p_table, p_id);
end $$;

-- Seals records that were loaded with triggers off.
create or replace function seal_unsealed() returns void language sql as $$
  select seal_unsealed_of(t.name, t.id, coalesce(t.customer, 'r.customer_id')) from (values
    ('documents', 'id', null), ('document_files', 'document_id', '(select d.customer_id from documents d where d.id = r.document_id)'),
    ('e_invoices', 'document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('cycles', 'id', null),
    ('payments', 'provider_payment_id', null), ('amendments', 'document_id', null),
    ('amendment_files', 'document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('tds_claims', 'id', null),
    ('quota_raises', 'id', null), ('refunds', 'id', null), ('disputes', 'provider_dispute_id', null), ('tax_claims', 'id', null),
    ('sez_checks', 'id', null), ('letters_of_undertaking', 'arn', 'null'), ('remittance_proofs', 'payment_id', 'null'),
    ('settlements', 'settlement_id', 'null'), ('period_locks', 'id', 'null'), ('operator_actions', 'position', null)) t (name, id, customer)
$$;

-- Of the other tables no record is sealed here: one without a seal was added by an intruder.
select seal_unsealed_of(t.name, t.id, t.customer) from (values
  ('refunds', 'id', 'r.customer_id'), ('disputes', 'provider_dispute_id', 'r.customer_id'), ('tax_claims', 'id', 'r.customer_id'),
  ('sez_checks', 'id', 'r.customer_id'), ('letters_of_undertaking', 'arn', 'null'), ('remittance_proofs', 'payment_id', 'null'),
  ('settlements', 'settlement_id', 'null'), ('period_locks', 'id', 'null'), ('operator_actions', 'position', 'r.customer_id')) t (name, id, customer);
