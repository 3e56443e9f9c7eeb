-- What a seal covers of each table: `seal_of_<table>` all that decides anything, `fixed_of_<table>` what can't change any more, step by step.
--
-- Texts in the hashes depend on no setting of a session (`seal_text`). A column added to a sealed table is added here only where it is not null, so that the
-- seals of older rows stay true.

create or replace function seal_of_documents(r documents) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.kind::text, r.number, r.series, r.financial_year, r.sequence, seal_text(r.issued_at),
    seal_text(r.issued_on), r.customer_id, r.cycle_id, r.payment_id, r.refers_to, r.taxable_paise, r.cgst_paise, r.sgst_paise, r.utgst_paise,
    r.igst_paise, r.round_off_paise, r.total_paise, r.content, r.needs_irn)::text, 'UTF8'))
$$;

create or replace function seal_of_document_files(r document_files) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, encode(r.pdf_sha256, 'hex'), seal_text(r.made_at))::text, 'UTF8'))
$$;

create or replace function seal_of_e_invoices(r e_invoices) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, r.irn, r.ack_number, seal_text(r.ack_at), r.signed_qr, r.signed_invoice,
    seal_text(r.cancelled_at), r.cancel_reason)::text, 'UTF8'))
$$;

create or replace function seal_of_cycles(r cycles) returns bytea language sql stable as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.status::text, seal_text(r.from_date),
    seal_text(r.to_date), r.plan, r.tenure, r.price_paise, r.daily_quota, r.monthly_quota, r.rps, seal_text(r.created_at), seal_text(r.paid_at),
    seal_text(r.ended_at)) || case when r.replaces is null then '[]'::jsonb else jsonb_build_array(r.replaces) end
    || case when r.adds_to is null then '[]'::jsonb else jsonb_build_array('adds to', r.adds_to) end
    || case when r.granted_reason is null then '[]'::jsonb else jsonb_build_array('granted', r.granted_reason) end)::text, 'UTF8'))
$$;

create or replace function seal_of_payments(r payments) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.provider_payment_id, r.order_id, r.cycle_id, r.customer_id, r.amount_paise, r.currency, r.status,
    r.method, r.error_description, seal_text(r.created_at), seal_text(r.captured_at), r.use)::text, 'UTF8'))
$$;

create or replace function seal_of_amendments(r amendments) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, r.customer_id, seal_text(r.amended_at), seal_text(r.amended_on), r.content)::text,
    'UTF8'))
$$;

create or replace function seal_of_amendment_files(r amendment_files) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.document_id, encode(r.pdf_sha256, 'hex'), seal_text(r.made_at))::text, 'UTF8'))
$$;

create or replace function seal_of_tds_claims(r tds_claims) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.cycle_id, r.invoice_id, r.tan, r.section, r.quarter, r.amount_paise,
    r.certificate_name, r.certificate_type, encode(r.certificate_sha256, 'hex'), seal_text(r.declared_on), seal_text(r.declared_at), r.status,
    seal_text(r.decided_at), r.reason, r.refund_id)::text, 'UTF8'))
$$;

create or replace function seal_of_quota_raises(r quota_raises) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.cycle_id, r.customer_id, r.units, r.reason, seal_text(r.made_at))::text, 'UTF8'))
$$;

-- Seals of refunds without a loss stay as they are; a transfer never has one.
create or replace function seal_of_refunds(r refunds) returns bytea language sql stable as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, r.status, r.provider_refund_id,
    r.attempt, seal_text(r.created_at), seal_text(r.settled_at), r.origin, r.of_replaced, r.foreign_id, r.covers_paise, r.covered_paise)
    || case r.payout when 'TRANSFER' then jsonb_build_array(r.payout, r.utr, seal_text(r.transferred_on),
      seal_text(r.booked_on)) when 'WITHHELD' then jsonb_build_array(r.payout, seal_text(r.booked_on)) else '[]'::jsonb end
    || case r.loss_paise when 0 then '[]'::jsonb else jsonb_build_array(r.loss_paise) end
    || case r.withheld_paise when 0 then '[]'::jsonb else jsonb_build_array('withheld', r.withheld_paise) end
    || case r.offset_paise when 0 then '[]'::jsonb else jsonb_build_array('offset', r.offset_paise) end)::text, 'UTF8'))
$$;

create or replace function seal_of_disputes(r disputes) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.provider_dispute_id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.phase, r.reason, r.status,
    seal_text(r.respond_by), seal_text(r.created_at), seal_text(r.ended_at), r.held_paise, r.deducted_paise, r.loss_paise,
    seal_text(r.submitted_at))::text, 'UTF8'))
$$;

create or replace function seal_of_tax_claims(r tax_claims) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.kind, r.about, seal_text(r.declared_on), seal_text(r.declared_at), r.letter_name,
    r.letter_type, encode(r.letter_sha256, 'hex'), seal_text(r.withdrawn_at))::text, 'UTF8'))
$$;

create or replace function seal_of_sez_checks(r sez_checks) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.gstin, seal_text(r.checked_at), r.outcome, r.type_text,
    encode(r.answer_sha256, 'hex'))::text, 'UTF8'))
$$;

create or replace function seal_of_letters_of_undertaking(r letters_of_undertaking) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.arn, seal_text(r.from_date), seal_text(r.last_date))::text, 'UTF8'))
$$;

create or replace function seal_of_remittance_proofs(r remittance_proofs) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.payment_id, r.kind, r.reference, seal_text(r.received_on), r.currency, r.amount,
    seal_text(r.recorded_at))::text, 'UTF8'))
$$;

create or replace function seal_of_settlements(r settlements) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.settlement_id, r.amount_paise, r.status, r.utr, seal_text(r.created_at))::text, 'UTF8'))
$$;

create or replace function seal_of_period_locks(r period_locks) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.month, r.action, r.reason, r.operator, seal_text(r.recorded_at), r.trial_balance)::text, 'UTF8'))
$$;

-- Its own hash covers all of it; the seal shows when the newest action is gone.
create or replace function seal_of_operator_actions(r operator_actions) returns bytea language sql stable as $$
  select r.hash
$$;

-- What can't change any more, for the tables whose rows take steps.
create or replace function fixed_of_cycles(r cycles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.plan, r.tenure, r.daily_quota, r.monthly_quota, r.rps,
      seal_text(r.created_at), r.replaces, r.adds_to, r.granted_reason))
    || case when r.status = 'PAYMENT_PENDING' then ''::bytea
      else seal_hash(jsonb_build_array(r.price_paise, seal_text(r.from_date), seal_text(r.to_date), seal_text(r.paid_at))) end
    || case when r.status in ('DEACTIVATED', 'REMOVED', 'REFUNDED') then seal_hash(jsonb_build_array(r.status::text, seal_text(r.ended_at))) else ''::bytea end
$$;

create or replace function fixed_of_payments(r payments) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.provider_payment_id, r.order_id, r.cycle_id, r.customer_id, seal_text(r.created_at)))
    || case when r.status = 'captured' and r.use <> 'HELD' then seal_hash(jsonb_build_array(r.status, r.use, seal_text(r.captured_at), r.amount_paise, r.currency, r.method,
      r.error_description, r.fee_paise, r.fee_tax_paise)) else ''::bytea end
$$;

create or replace function fixed_of_refunds(r refunds) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, seal_text(r.created_at), r.origin,
      r.of_replaced, r.foreign_id, r.covers_paise) || case r.withheld_paise when 0 then '[]'::jsonb else jsonb_build_array(r.withheld_paise) end
      || case r.offset_paise when 0 then '[]'::jsonb else jsonb_build_array('offset', r.offset_paise) end)
    || case when r.status = 'PROCESSED' then seal_hash(jsonb_build_array(r.status, seal_text(r.settled_at), r.covered_paise, r.loss_paise, r.attempt,
      r.payout, r.utr, seal_text(r.transferred_on), seal_text(r.booked_on))) else ''::bytea end
    || case when r.status = 'PROCESSED' and r.provider_refund_id is not null then seal_hash(jsonb_build_array(r.provider_refund_id)) else ''::bytea end
$$;

create or replace function fixed_of_disputes(r disputes) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.provider_dispute_id, r.payment_id, r.cycle_id, r.customer_id, seal_text(r.created_at)))
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(r.amount_paise, r.phase, r.reason, r.status, seal_text(r.respond_by),
      seal_text(r.ended_at), r.held_paise, r.deducted_paise, r.loss_paise, seal_text(r.submitted_at))) else ''::bytea end
$$;

create or replace function fixed_of_tax_claims(r tax_claims) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.kind, r.about, seal_text(r.declared_on), seal_text(r.declared_at), r.letter_name,
      r.letter_type, encode(r.letter_sha256, 'hex')))
    || case when r.withdrawn_at is not null then seal_hash(jsonb_build_array(seal_text(r.withdrawn_at))) else ''::bytea end
$$;

create or replace function fixed_of_tds_claims(r tds_claims) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.cycle_id, r.invoice_id, r.tan, r.section, r.quarter, r.amount_paise, r.certificate_name,
      r.certificate_type, encode(r.certificate_sha256, 'hex'), seal_text(r.declared_on), seal_text(r.declared_at)))
    || case when r.status <> 'WAITING' then seal_hash(jsonb_build_array(r.status, seal_text(r.decided_at), r.reason, r.refund_id)) else ''::bytea end
$$;

-- A new start of the portal writes the dates of its settings.
create or replace function fixed_of_letters_of_undertaking(r letters_of_undertaking) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.arn))
$$;

-- A later proof of the same payment corrects the one before; the audit log has both.
create or replace function fixed_of_remittance_proofs(r remittance_proofs) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.payment_id))
$$;

create or replace function fixed_of_settlements(r settlements) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.settlement_id, r.amount_paise, seal_text(r.created_at)))
    || case when r.utr is not null then seal_hash(jsonb_build_array(r.utr)) else ''::bytea end
    || case when r.utr is not null and r.status <> 'created' then seal_hash('["sent"]') else ''::bytea end
    || case when r.utr is not null and r.status = 'failed' then seal_hash('["failed"]') else ''::bytea end
$$;

create or replace function fixed_of_e_invoices(r e_invoices) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.document_id, r.irn, r.ack_number, seal_text(r.ack_at), r.signed_qr, r.signed_invoice))
    || case when r.cancelled_at is not null then seal_hash(jsonb_build_array(seal_text(r.cancelled_at), r.cancel_reason)) else ''::bytea end
$$;

create or replace function fixed_of_period_locks(r period_locks) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.month, r.action, r.reason, r.operator, seal_text(r.recorded_at)))
    || case when r.trial_balance is not null then seal_hash(r.trial_balance) else ''::bytea end
$$;

-- The tables that had no seals.
create or replace function seal_of_activations(r activations) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.service_id, seal_text(r.created_at), seal_text(r.deleted_at)))
$$;

create or replace function fixed_of_activations(r activations) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.service_id, seal_text(r.created_at)))
    || case when r.deleted_at is not null then seal_hash(jsonb_build_array(seal_text(r.deleted_at))) else ''::bytea end
$$;

create or replace function seal_of_api_keys(r api_keys) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.name, encode(r.key_hash, 'hex'), r.hint, seal_text(r.created_at),
    seal_text(r.revoked_at), r.test, seal_text(r.expires_at), to_jsonb(r.allowed_ips), r.daily_cap, r.replaced_by, r.prefix))
$$;

create or replace function fixed_of_api_keys(r api_keys) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.name, encode(r.key_hash, 'hex'), r.hint, seal_text(r.created_at), r.test,
      r.prefix))
    || case when r.revoked_at is not null then seal_hash(jsonb_build_array(seal_text(r.revoked_at), seal_text(r.expires_at), to_jsonb(r.allowed_ips),
      r.daily_cap, r.replaced_by)) else ''::bytea end
$$;

create or replace function seal_of_profiles(r profiles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.customer_id, r.legal_name, r.phone, r.gstin, r.address, r.city, r.pin, r.state_code, seal_text(r.updated_at),
    r.sez, r.country, r.purchase_order, seal_text(r.purchase_order_date)))
$$;

create or replace function fixed_of_profiles(r profiles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.customer_id))
$$;

create or replace function seal_of_accountants(r accountants) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, seal_text(r.asked_at), seal_text(r.confirmed_at), r.next_month, seal_text(r.ended_at),
    r.ended_by))
$$;

create or replace function fixed_of_accountants(r accountants) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, seal_text(r.asked_at)))
    || case when r.confirmed_at is not null then seal_hash(jsonb_build_array(seal_text(r.confirmed_at))) else ''::bytea end
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(seal_text(r.ended_at), r.ended_by)) else ''::bytea end
$$;

create or replace function seal_of_customers(r customers) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.email, seal_text(r.created_at), seal_text(r.erased_at)))
$$;

-- The address may change, with the owner or at a sign-in of the owner.
create or replace function fixed_of_customers(r customers) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, seal_text(r.created_at)))
$$;

create or replace function seal_of_members(r members) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.google_sub, r.email, r.role, seal_text(r.joined_at), seal_text(r.removed_at))
    || case when r.daily_limit is null then '[]' else jsonb_build_array(r.daily_limit) end)
$$;

create or replace function seal_of_member_actions(r member_actions) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.position, r.customer_id, r.member_id, seal_text(r.acted_at), r.action, r.target))
$$;

create or replace function seal_of_member_invitations(r member_invitations) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, r.address, r.role, r.former_role, seal_text(r.asked_at), seal_text(r.invited_at), r.invited_by,
    seal_text(r.starts_at), seal_text(r.ends_at), seal_text(r.ended_at), r.outcome, r.member_id))
$$;

create or replace function fixed_of_member_invitations(r member_invitations) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, r.address, seal_text(r.asked_at)))
    || case when r.invited_at is not null then seal_hash(jsonb_build_array(r.role, r.former_role, seal_text(r.invited_at), r.invited_by, seal_text(r.starts_at),
      seal_text(r.ends_at))) else ''::bytea end
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(seal_text(r.ended_at), r.outcome, r.member_id)) else ''::bytea end
$$;

create or replace function fixed_of_members(r members) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.google_sub, seal_text(r.joined_at)))
    || case when r.removed_at is not null then seal_hash(jsonb_build_array(r.role, seal_text(r.removed_at))) else ''::bytea end
$$;

create or replace function seal_of_member_passkeys(r member_passkeys) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.member_id, r.credential_id, encode(r.public_key, 'hex'), r.name, seal_text(r.created_at)))
$$;

create or replace function seal_of_installation_secrets(r installation_secrets) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.name, encode(sha256(r.secret), 'hex')))
$$;

create or replace function seal_of_mails(r mails) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.recipient, r.document_id, seal_text(r.created_at), r.accountant_id, r.pack_month,
    r.member_id))
$$;

-- Of a mail that is gone its time, and its accountant or member by hash, say whether it may be.
create or replace function fixed_of_mails(r mails) returns bytea language sql stable as $$
  select int8send((extract(epoch from r.created_at) * 1000000)::bigint) || sha256(convert_to(coalesce(r.accountant_id, r.member_id, ''), 'UTF8')) || seal_of_mails(r)
$$;

create or replace function seal_of_mail_documents(r mail_documents) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.mail_id, r.place, r.document_id))
$$;

create or replace function seal_of_payment_orders(r payment_orders) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.cycle_id, r.activation_id, r.customer_id, r.provider_order_id, r.amount_paise, r.currency, r.status,
    seal_text(r.created_at), r.purchase_order, seal_text(r.purchase_order_date), seal_text(r.customer_asked_at))
    || case when r.of_bill then '[true]'::jsonb else '[]'::jsonb end)
$$;

create or replace function fixed_of_payment_orders(r payment_orders) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.cycle_id, r.activation_id, r.customer_id, r.amount_paise, r.currency, seal_text(r.created_at))
      || case when r.of_bill then '[true]'::jsonb else '[]'::jsonb end)
    || case when r.provider_order_id is not null then seal_hash(jsonb_build_array(r.provider_order_id)) else ''::bytea end
    || case when r.status = 'PAID' then seal_hash(jsonb_build_array(r.status, r.purchase_order, seal_text(r.purchase_order_date))) else ''::bytea end
$$;

create or replace function seal_of_mandates(r mandates) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.order_id, r.plan_id, r.plan_name, r.ceiling_paise, r.pin_each_time,
    seal_text(r.expires_on), r.state, r.provider_customer_id, r.token_id, seal_text(r.asked_at), seal_text(r.confirmed_at), seal_text(r.ended_at), r.ended_by,
    seal_text(r.announced_for), r.announced_paise, seal_text(r.announced_on), seal_text(r.skipped_for), seal_text(r.token_over_at))
    || case when r.recharge_pack_id is null then '[]'::jsonb
      else jsonb_build_array(r.recharge_pack_id, r.recharge_monthly_paise, seal_text(r.recharge_agreed_at)) end
    || case when r.method = 'upi' then '[]'::jsonb else jsonb_build_array(r.method) end)
$$;

create or replace function fixed_of_mandates(r mandates) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.order_id, r.plan_id, r.plan_name, r.ceiling_paise, r.pin_each_time,
      seal_text(r.expires_on), seal_text(r.asked_at)) || case when r.method = 'upi' then '[]'::jsonb else jsonb_build_array(r.method) end)
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(r.state, seal_text(r.ended_at), r.ended_by)) else ''::bytea end
$$;

create or replace function seal_of_mandate_debits(r mandate_debits) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.mandate_id, r.cycle_id, r.activation_id, r.customer_id, r.attempt, r.amount_paise, r.state, r.payment_id,
    r.reason, seal_text(r.asked_at), seal_text(r.ended_at)) || case when r.first_day is null then '["PACK"]'::jsonb else '[]'::jsonb end)
$$;

create or replace function fixed_of_mandate_debits(r mandate_debits) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.mandate_id, r.cycle_id, r.activation_id, r.customer_id, r.attempt, r.amount_paise, seal_text(r.asked_at)))
    || case when r.state in ('PAID', 'DROPPED') then seal_hash(jsonb_build_array(r.state, r.payment_id, seal_text(r.ended_at))) else ''::bytea end
$$;

create or replace function seal_of_credit_terms(r credit_terms) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.customer_id, r.limit_paise, r.days, r.stop_after_days, seal_text(r.changed_at)))
$$;

-- Terms may change.
create or replace function fixed_of_credit_terms(r credit_terms) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.customer_id))
$$;

create or replace function seal_of_credit_bills(r credit_bills) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.cycle_id, r.customer_id, r.payment_id, seal_text(r.billed_on), seal_text(r.due_on), seal_text(r.stops_on), r.due_paise)
    || case when r.written_off_paise = 0 then '[]'::jsonb else jsonb_build_array(r.written_off_paise) end)
$$;

-- What is due follows the ledger.
create or replace function fixed_of_credit_bills(r credit_bills) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.cycle_id, r.customer_id, r.payment_id, seal_text(r.billed_on), seal_text(r.due_on), seal_text(r.stops_on)))
$$;

create or replace function seal_of_recharges(r recharges) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.cycle_id, r.quota_units, r.activation_id, r.customer_id, r.mandate_id, r.pack_id, r.units, r.amount_paise, r.state, r.reason,
    seal_text(r.told_at), seal_text(r.ends_at), r.order_id))
$$;

create or replace function fixed_of_recharges(r recharges) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.cycle_id, r.quota_units, r.activation_id, r.customer_id))
    || case when r.state in ('SKIPPED', 'ASKED') then seal_hash(jsonb_build_array(r.state, r.mandate_id, r.pack_id, r.units, r.amount_paise, seal_text(r.told_at), r.order_id))
      else ''::bytea end
$$;

create or replace function seal_of_virtual_accounts(r virtual_accounts) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.account_number, r.ifsc, r.bank_name, r.holder_name, seal_text(r.created_at))
    || case when r.tds_tan is null then '[]'::jsonb else jsonb_build_array(r.tds_tan, r.tds_percent) end)
$$;

-- The declaration of tax (TDS) may change.
create or replace function fixed_of_virtual_accounts(r virtual_accounts) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.account_number, r.ifsc, r.bank_name, r.holder_name, seal_text(r.created_at)))
$$;

create or replace function seal_of_transfer_orders(r transfer_orders) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.virtual_account_id, r.activation_id, r.customer_id, seal_text(r.asked_at), seal_text(r.customer_asked_at)))
$$;

-- A holder of a pay link may ask before the customer does.
create or replace function fixed_of_transfer_orders(r transfer_orders) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.virtual_account_id, r.activation_id, r.customer_id, seal_text(r.asked_at)))
    || case when r.customer_asked_at is not null then seal_hash(jsonb_build_array(seal_text(r.customer_asked_at))) else ''::bytea end
$$;

create or replace function seal_of_bank_transfers(r bank_transfers) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.payment_id, r.order_id, r.virtual_account_id, r.customer_id, r.amount_paise, r.utr, seal_text(r.noted_at))
    || case when r.tds_percent is null then '[]'::jsonb else jsonb_build_array(r.tds_percent, r.tds_paise, r.tds_tan) end
    || case when r.received_on is null then '[]'::jsonb else jsonb_build_array(seal_text(r.received_on), seal_text(r.booked_on)) end)
$$;

create or replace function seal_of_order_cycles(r order_cycles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.cycle_id, r.activation_id, r.customer_id, r.place, r.amount_paise, r.live)
    || case when r.of_bill then '[true]'::jsonb else '[]'::jsonb end)
$$;

create or replace function fixed_of_order_cycles(r order_cycles) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.order_id, r.cycle_id, r.activation_id, r.customer_id, r.place, r.amount_paise)
    || case when r.of_bill then '[true]'::jsonb else '[]'::jsonb end)
$$;

create or replace function seal_of_e_invoice_waits(r e_invoice_waits) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.document_id, seal_text(r.since), seal_text(r.refused_at), r.refused_code, r.refused_reason, seal_text(r.closed_at)))
$$;

create or replace function fixed_of_e_invoice_waits(r e_invoice_waits) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.document_id, seal_text(r.since)))
    || case when r.closed_at is not null then seal_hash(jsonb_build_array(seal_text(r.refused_at), r.refused_code, r.refused_reason, seal_text(r.closed_at)))
      else ''::bytea end
$$;

create or replace function seal_of_settlement_items(r settlement_items) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.entity_id, r.settlement_id, r.type, r.debit_paise, r.credit_paise, r.amount_paise, r.fee_paise, r.tax_paise,
    r.currency, r.on_hold, seal_text(r.settled_at), r.payment_id, r.order_id, r.dispute_id, r.description, seal_text(r.created_at), seal_text(r.booked_at),
    seal_text(r.returned_at)))
$$;

create or replace function fixed_of_settlement_items(r settlement_items) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.entity_id, r.type, r.currency, seal_text(r.created_at)))
    || case when r.settlement_id is not null then seal_hash(jsonb_build_array(r.settlement_id, r.debit_paise, r.credit_paise, r.amount_paise, r.fee_paise,
      r.tax_paise, r.on_hold, seal_text(r.settled_at), r.payment_id, r.order_id, r.dispute_id, r.description)) else ''::bytea end
    || case when r.booked_at is not null then seal_hash(jsonb_build_array(seal_text(r.booked_at))) else ''::bytea end
    || case when r.returned_at is not null then seal_hash(jsonb_build_array(seal_text(r.returned_at))) else ''::bytea end
$$;

create or replace function seal_of_closed_series(r closed_series) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.series, r.financial_year, seal_text(r.closed_at), r.reason))
$$;

create or replace function seal_of_document_series_forms(r document_series_forms) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.name, r.kind::text, r.place, r.letters, r.digits, r.last))
$$;

create or replace function seal_of_catalog_versions(r catalog_versions) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.version, encode(r.sha256, 'hex'), seal_text(r.created_at), r.author, r.reason, seal_text(r.active_from)))
$$;

create or replace function fixed_of_catalog_versions(r catalog_versions) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.version, encode(r.sha256, 'hex'), seal_text(r.created_at), r.author, r.reason))
    || case when r.active_from is not null then seal_hash(jsonb_build_array(seal_text(r.active_from))) else ''::bytea end
$$;

create or replace function seal_of_catalog_version_files(r catalog_version_files) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.version, r.path, encode(r.sha256, 'hex')))
$$;

create or replace function seal_of_operators(r operators) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.email, r.google_sub, r.role, seal_text(r.added_at), seal_text(r.removed_at)))
$$;

-- Whoever was removed and is added again signs in again, perhaps with another identity.
create or replace function fixed_of_operators(r operators) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.email, seal_text(r.added_at)))
    || case when r.google_sub is not null then seal_hash(jsonb_build_array(r.google_sub)) else ''::bytea end
$$;

create or replace function seal_of_operator_domains(r operator_domains) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.domain, r.role, seal_text(r.added_at)))
$$;

create or replace function fixed_of_operator_domains(r operator_domains) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.domain))
$$;

create or replace function seal_of_operator_passkeys(r operator_passkeys) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.operator_id, r.credential_id, encode(r.public_key, 'hex'), r.name, seal_text(r.created_at)))
$$;

create or replace function seal_of_operator_tokens(r operator_tokens) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.operator_id, r.name, encode(r.token_hash, 'hex'), r.hint, to_jsonb(r.scopes), seal_text(r.created_at),
    seal_text(r.expires_at), seal_text(r.revoked_at)))
$$;

create or replace function fixed_of_operator_tokens(r operator_tokens) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.operator_id, r.name, encode(r.token_hash, 'hex'), r.hint, to_jsonb(r.scopes), seal_text(r.created_at),
      seal_text(r.expires_at)))
    || case when r.revoked_at is not null then seal_hash(jsonb_build_array(seal_text(r.revoked_at))) else ''::bytea end
$$;

create or replace function seal_of_operator_requests(r operator_requests) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.request_id, r.operator_id, r.position, r.amount_paise, seal_text(r.made_at)))
$$;

-- Of a request that is gone its time says whether it may be.
create or replace function fixed_of_operator_requests(r operator_requests) returns bytea language sql stable as $$
  select int8send((extract(epoch from r.made_at) * 1000000)::bigint) || seal_of_operator_requests(r)
$$;

create or replace function seal_of_approvals(r approvals) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.call, r.input, r.customer_id, r.amount_paise, r.reason, r.requested_by, r.token_id, seal_text(r.requested_at),
    r.state, r.approved_by, r.declined_by, seal_text(r.decided_at)))
$$;

create or replace function fixed_of_approvals(r approvals) returns bytea language sql stable as $$
  select seal_hash(jsonb_build_array(r.id, r.call, r.input, r.customer_id, r.amount_paise, r.reason, r.requested_by, r.token_id, seal_text(r.requested_at)))
    || case when r.state <> 'WAITING' then seal_hash(jsonb_build_array(r.state, r.approved_by, r.declined_by, seal_text(r.decided_at))) else ''::bytea end
$$;
