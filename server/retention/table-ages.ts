import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '#database/tables.ts';
import { addDays, type Day, startOfDay } from '#domain/day.ts';
import { idleMs } from '#server/auth/sessions.ts';
import { defaultRetention, type Retention } from './retention-settings.ts';

/** The reference times for row ages: the machine's time, and the product's billing day. */
export interface AgeNow {
  machine: Date;
  today: Day;
  /** The operator's choice; the defaults if absent. */
  keep?: Retention;
}

/** A table keeps its rows, for the reason given, or deletes those that match a condition or are of old days. */
export type AgeRule =
  | { keep: string }
  | { deleteWhen: (now: AgeNow) => RawBuilder<SqlBool> }
  /** A table partitioned by day: the days before this one are dropped. */
  | { dropBefore: (now: AgeNow) => Day };

/** Companies Act 2013 section 128(5) and CGST Act section 36: at least eight financial years. Never deleted automatically. */
const books: AgeRule = { keep: 'books of account: the law requires eight financial years' };
const account: AgeRule = { keep: 'one row per customer or per item that a customer created' };
const oneRow: AgeRule = { keep: 'a fixed number of rows' };
const workList: AgeRule = { keep: 'the reader deletes each row when it is done' };
const catalogVersions: AgeRule = { keep: 'what was for sale on a day; one version per change' };

const dayMs = 86_400_000;
const machineDays = ({ machine }: AgeNow, days: number) => new Date(machine.getTime() - days * dayMs);
const kept = ({ keep = defaultRetention }: AgeNow, kind: keyof Retention): number => keep[kind];
const productDays = ({ today }: AgeNow, days: number) => new Date(startOfDay(addDays(today, -days)));

/** How long each table keeps its rows. A new table doesn't compile without a rule here. */
export const tableAges: Readonly<Record<Exclude<keyof Tables, 'current_papers' | 'cycle_payments'>, AgeRule>> = {
  customers: account,
  profiles: account,
  activations: account,
  api_keys: { keep: 'usage and the request log also refer to revoked keys' },
  webhooks: account,
  accountants: { keep: 'an accountant who declined is not asked again' },
  support_threads: { keep: 'messages from customers are business records' },
  support_messages: { keep: 'messages from customers are business records' },

  cycles: books,
  payment_orders: books,
  order_cycles: books,
  payments: books,
  refunds: books,
  letters_of_undertaking: books,
  remittance_proofs: books,
  tax_claims: books,
  tds_claims: books,
  quota_raises: books,
  sez_checks: books,
  documents: books,
  closed_series: books,
  document_series: books,
  document_series_forms: oneRow,
  document_files: books,
  amendments: books,
  amendment_files: books,
  e_invoices: books,
  ledger_entries: books,
  ledger_lines: books,
  ledger_head: oneRow,
  ledger_checks: oneRow,
  period_locks: books,
  record_seals: books,
  settlements: books,
  settlement_items: books,
  settlement_reading: oneRow,
  seal_head: oneRow,
  catalog_versions: catalogVersions,
  catalog_version_files: catalogVersions,
  catalog_files: catalogVersions,
  operator_actions: { keep: 'the audit log' },
  operator_head: oneRow,
  // A machine that is gone has no alerts any more.
  doctor_runs: { deleteWhen: (now) => sql`examined_at < ${machineDays(now, 7)}` },
  erasure_requests: { keep: 'when a customer asked, and what was done: no personal data' },

  key_clients: { deleteWhen: (now) => sql`last_at < ${machineDays(now, kept(now, 'keepKeyAddressesDays'))}` },
  usage_counts: { keep: 'usage of a paid cycle backs up its invoice' },
  quota_cycles: { keep: 'one row per cycle' },
  quota_days: { deleteWhen: ({ today }) => sql`day < ${addDays(today, -400)}` },
  free_quota_days: { deleteWhen: ({ today }) => sql`day < ${addDays(today, -400)}` },
  free_quota_windows: { deleteWhen: ({ today }) => sql`to_date < ${addDays(today, -400)}` },
  leases: { keep: 'gateways delete leases that they return; those of a dead gateway wait for its journal' },
  gateways: oneRow,
  journals: { keep: 'one row per gateway; a journal that turns up again must not be counted twice' },
  // Twice as long as products store responses for replay (decision 025).
  counted_responses: { deleteWhen: (now) => sql`counted_at < ${machineDays(now, 2)}` },
  request_log: { dropBefore: (now) => addDays(now.today, -kept(now, 'keepRequestLogDays')) },

  sessions: {
    deleteWhen: ({ machine }) => sql`expires_at < ${machine} or last_used_at < ${new Date(machine.getTime() - idleMs)}`,
  },
  test_calls: { keep: 'one row per customer and product' },
  sign_in_nonces: { deleteWhen: ({ machine }) => sql`expires_at < ${machine}` },
  // Deliveries that could not be processed are kept for people to look at.
  webhook_inbox: {
    deleteWhen: (now) => sql`processed_at < ${machineDays(now, kept(now, 'keepRazorpayMessagesDays'))}`,
  },
  // Longer than any window in which the same event could be reported again.
  event_keys: { deleteWhen: (now) => sql`happened_at < ${productDays(now, kept(now, 'keepMailsDays'))}` },
  mail_documents: { keep: 'deleted with their mail' },
  mails: { keep: 'deleted with the key of its event' },
  webhook_events: { deleteWhen: (now) => sql`created_at < ${machineDays(now, kept(now, 'keepWebhookEventsDays'))}` },
  webhook_deliveries: { keep: 'deleted with their event' },
  webhook_attempts: { keep: 'deleted with their event' },

  customer_changes: workList,
  access_changes: { keep: 'the newest 10,000; a new change deletes older ones' },
  unsettled_payments: { keep: 'one row per payment that is not settled; settling deletes it' },
  disputes: { keep: 'kept as long as the payment it belongs to' },
  provider_looks: { keep: 'one row per list of the provider' },
  open_vouchers: workList,
  e_invoice_waits: {
    keep: 'one row per document that is not registered; registering deletes it, unless it never will be',
  },
  quota_crossings: workList,
  failed_work: workList,
  daily_rounds: oneRow,
  installation: oneRow,
  clock: oneRow,
  installation_secrets: oneRow,
  portal_settings: oneRow,
};
