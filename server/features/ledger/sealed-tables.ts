/** A table whose records leave a seal (decision 028). */
export interface SealedTable {
  table: string;
  /** The columns that name a record. */
  id: readonly string[];
  /** Names a record in fault texts. */
  noun: string;
  /** Its records take steps, each with a seal; otherwise a second seal is a fault. */
  moves?: true;
  /** The rows of the table that are sealed. */
  only?: string;
  /** When a record of seal `s` may be gone. */
  mayGo?: string;
  /** When the record of seal `s` may lose what else never changes. */
  mayLose?: string;
}

const isErased = 'exists (select from public.customers c where c.id = s.customer_id and c.erased_at is not null)';

/** The time in the last seal of a record, and the age from which it may go; the product's day may be ahead of the machine's. */
const goneAfter = (days: number): string => `('x' || encode(substr(s.fixed, 1, 8), 'hex'))::bit(64)::bigint
  < extract(epoch from (select greatest(now() + offset_ms * interval '1 millisecond', reached_day::timestamp at time zone 'Asia/Kolkata') from clock)
    - interval '${days} days') * 1000000`;

/** A mail to an accountant goes unsent when the accountant does. */
const ofEndedAccountant = `exists (select from public.accountants a where a.customer_id = s.customer_id and a.ended_at is not null
  and sha256(convert_to(a.id, 'UTF8')) = substr(s.fixed, 9, 32))`;

/** Mails to a member go with the name and address that the member took along. */
const ofForgottenMember = `exists (select from public.members m where m.customer_id = s.customer_id and m.google_sub = 'erased:' || m.id
  and sha256(convert_to(m.id, 'UTF8')) = substr(s.fixed, 9, 32))`;

/** A member’s passkey goes by itself, or with all of a member whom the entry of its adding names: by the owner, the provider, or the member’s end. */
const isForgottenByMember = `${isErased} or exists (select from public.member_actions a where a.action = 'removeMemberPasskey' and a.target = s.record_id)
  or exists (select from public.member_actions a join public.members m on m.id = a.member_id
    where a.action = 'addMemberPasskey' and a.target = s.record_id and (m.removed_at is not null
      or exists (select from public.member_actions gone where gone.position > a.position and (gone.action = 'removePasskeysOf' and gone.target = m.id
        or gone.action = 'acceptInvitation' and gone.member_id = m.id))))`;

/** The sealed tables about customers. */
export const sealedOfCustomers: readonly SealedTable[] = [
  { table: 'customers', id: ['id'], noun: 'the account of', moves: true, mayLose: isErased },
  {
    table: 'members',
    id: ['id'],
    noun: 'member',
    moves: true,
    // Who leaves may take the own name along.
    mayLose: `exists (select from public.members m where m.id = s.record_id and m.google_sub = 'erased:' || m.id)`,
  },
  {
    table: 'member_invitations',
    id: ['id'],
    noun: 'invitation',
    moves: true,
    mayGo: isErased,
    mayLose: `exists (select from public.member_invitations i where i.id = s.record_id and i.email = i.id || '@erased.invalid')`,
  },
  { table: 'member_passkeys', id: ['id'], noun: 'passkey', mayGo: isForgottenByMember },
  { table: 'member_actions', id: ['position'], noun: 'entry of the log of members', mayGo: isErased },
  { table: 'documents', id: ['id'], noun: 'document' },
  { table: 'document_files', id: ['document_id'], noun: 'the PDF of document' },
  { table: 'amendments', id: ['document_id'], noun: 'the amendment of document' },
  { table: 'amendment_files', id: ['document_id'], noun: 'the amended PDF of document' },
  { table: 'e_invoices', id: ['document_id'], noun: 'the registration of document', moves: true },
  {
    table: 'e_invoice_waits',
    id: ['document_id'],
    noun: 'the wait for registration of document',
    moves: true,
    mayGo: 'exists (select from e_invoices e where e.document_id = s.record_id)',
  },
  { table: 'activations', id: ['id'], noun: 'activation', moves: true },
  { table: 'cycles', id: ['id'], noun: 'cycle', moves: true },
  { table: 'payment_orders', id: ['id'], noun: 'order', moves: true },
  { table: 'order_cycles', id: ['order_id', 'cycle_id'], noun: 'what is ordered by', moves: true },
  { table: 'payments', id: ['provider_payment_id'], noun: 'payment', moves: true },
  { table: 'mandates', id: ['id'], noun: 'mandate', moves: true },
  { table: 'mandate_debits', id: ['order_id'], noun: 'debit of order', moves: true },
  { table: 'credit_terms', id: ['customer_id'], noun: 'the credit terms of', moves: true },
  { table: 'credit_bills', id: ['cycle_id'], noun: 'the bill of', moves: true },
  { table: 'recharges', id: ['cycle_id', 'quota_units'], noun: 'recharge of', moves: true },
  { table: 'virtual_accounts', id: ['id'], noun: 'the account number', moves: true },
  { table: 'transfer_orders', id: ['order_id'], noun: 'the account number of order', moves: true },
  { table: 'bank_transfers', id: ['payment_id'], noun: 'bank transfer' },
  { table: 'tds_claims', id: ['id'], noun: 'TDS claim', moves: true },
  { table: 'quota_raises', id: ['id'], noun: 'quota raise' },
  { table: 'refunds', id: ['id'], noun: 'refund', moves: true },
  { table: 'disputes', id: ['provider_dispute_id'], noun: 'dispute', moves: true },
  { table: 'tax_claims', id: ['id'], noun: 'declaration', moves: true },
  { table: 'sez_checks', id: ['id'], noun: 'SEZ check' },
  { table: 'api_keys', id: ['id'], noun: 'API key', moves: true, mayLose: isErased },
  { table: 'profiles', id: ['customer_id'], noun: 'the business details of', moves: true, mayGo: isErased },
  { table: 'accountants', id: ['id'], noun: 'accountant', moves: true, mayGo: isErased },
  {
    table: 'mails',
    id: ['id'],
    noun: 'mail',
    moves: true,
    only: '(t.document_id is not null or t.pack_month is not null)',
    mayGo: `${isErased} or ${goneAfter(400)} or ${ofEndedAccountant} or ${ofForgottenMember}`,
  },
  {
    table: 'mail_documents',
    id: ['mail_id', 'place'],
    noun: 'the attachment of mail',
    mayGo: `not exists (select from public.mails m where m.id = split_part(s.record_id, '/', 1))`,
  },
];

const acted = (condition: string): string => `exists (select from operator_actions a where ${condition})`;

/** A passkey goes by itself, or with its operator, whom the entry of its adding names. */
const isForgotten = `exists (select from operator_actions a where a.action = 'passkeys.remove' and a.target = s.record_id)
  or exists (select from operator_actions a join operators o on o.email = a.actor join operator_actions gone on gone.target = o.id
    where a.action = 'passkeys.add' and a.target = s.record_id and gone.action = 'operators.remove' and gone.position > a.position)`;

/** Those of the provider’s own, which the check of each minute does not read. */
export const sealedOfProvider: readonly SealedTable[] = [
  { table: 'letters_of_undertaking', id: ['arn'], noun: 'letter of undertaking', moves: true },
  { table: 'remittance_proofs', id: ['payment_id'], noun: 'the remittance proof of payment', moves: true },
  { table: 'settlements', id: ['settlement_id'], noun: 'settlement', moves: true },
  { table: 'settlement_items', id: ['id'], noun: 'settlement item', moves: true },
  { table: 'period_locks', id: ['id'], noun: 'record of a lock', moves: true },
  { table: 'closed_series', id: ['series', 'financial_year'], noun: 'closed series' },
  { table: 'document_series_forms', id: ['name'], noun: 'form of a series' },
  { table: 'catalog_versions', id: ['version'], noun: 'catalogue version', moves: true },
  { table: 'catalog_version_files', id: ['version', 'path'], noun: 'catalogue file' },
  { table: 'installation_secrets', id: ['name'], noun: 'secret' },
  { table: 'operator_actions', id: ['position'], noun: 'action of an operator' },
  {
    table: 'operators',
    id: ['id'],
    noun: 'operator',
    moves: true,
    mayLose: acted(`a.action = 'operators.remove' and a.target = s.record_id`),
  },
  {
    table: 'operator_domains',
    id: ['domain'],
    noun: 'domain of operators',
    moves: true,
    mayGo: acted(`a.action = 'operator-domains.remove' and a.target = s.record_id
      and a.position = (select max(l.position) from operator_actions l where l.target = s.record_id)`),
  },
  { table: 'operator_passkeys', id: ['id'], noun: 'passkey', mayGo: isForgotten },
  { table: 'operator_tokens', id: ['id'], noun: 'token', moves: true },
  { table: 'operator_requests', id: ['request_id'], noun: 'request of an operator', moves: true, mayGo: goneAfter(7) },
  { table: 'approvals', id: ['id'], noun: 'approval', moves: true, mayGo: isErased },
];
