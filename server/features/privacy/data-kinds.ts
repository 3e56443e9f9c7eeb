import { requestLogDays } from '#contract/request-log.ts';
import type { Tables } from '#database/tables.ts';

/** A kind of personal data in the record of processing. */
interface DataKind {
  what: string;
  why: string;
  kept: string;
}

/** CGST Act 2017 section 36: 72 months from the due date of the annual return. Companies Act 2013 section 128(5): eight financial years. */
const asBooks =
  'at least eight financial years (Companies Act s. 128(5); CGST Act s. 36: 72 months from the due date of the annual return); never deleted automatically';
const notDeleted = 'not deleted automatically';

export const dataKinds = {
  account: {
    what: 'name, e-mail address, picture and id from Google; blocks, choices of mails',
    why: 'to sign in, and to say whose plans, keys and payments they are',
    kept: notDeleted,
  },
  sessions: {
    what: 'when a session began and was last used',
    why: 'to stay signed in',
    kept: '30 minutes without use, at most 12 hours',
  },
  business: {
    what: 'legal name, address, State, GSTIN, phone; claims about tax with letters; answers of the GST portal about SEZs',
    why: 'GST invoices (CGST Rules, rule 46), place of supply, tax rates',
    kept: asBooks,
  },
  purchases: {
    what: 'activations, plans, orders, payments, refunds, disputes, TDS claims with certificates; messages of Razorpay about them',
    why: 'to deliver what was bought, and to account for the money',
    kept: `${asBooks}; processed messages of Razorpay 90 days`,
  },
  documents: {
    what: 'invoices, vouchers, credit notes, amendments, their PDFs and registrations',
    why: 'CGST Act sections 31 to 34',
    kept: asBooks,
  },
  ledger: { what: 'entries of payments and refunds', why: 'books of account', kept: asBooks },
  keys: {
    what: 'names and limits of API keys; from which addresses they are used',
    why: 'to admit calls, and to warn of misuse',
    kept: `keys: ${notDeleted}; addresses 90 days after their last use`,
  },
  usage: {
    what: 'calls counted by day, key and plan; quotas',
    why: 'quotas, and proof of what an invoice is for',
    kept: 'counts of paid plans with their invoices; daily quotas 400 days',
  },
  requests: {
    what: 'each call: time, path, status, duration, outcome; never its body',
    why: 'to show customers their own calls, and to answer their questions',
    kept: `${requestLogDays} days`,
  },
  stored: {
    what: 'responses stored for the same Idempotency-Key, assigned invoice numbers, registrations of test keys',
    why: 'to repeat a response and no number',
    kept: 'responses 24 hours, registrations of test keys 48 hours, numbers as long as their series',
  },
  webhooks: {
    what: 'addresses of the customer’s programs, events sent to them and each attempt',
    why: 'to tell the customer’s programs of events',
    kept: `addresses: ${notDeleted}; events and attempts 30 days`,
  },
  mails: {
    what: 'the mails that we sent, and the accountant to whom the customer has papers sent',
    why: 'to tell customers what concerns them, once',
    kept: '400 days; the accountant’s address is not deleted, so that one who declined is not asked again',
  },
  support: {
    what: 'threads with support',
    why: 'to answer questions, and to know what was agreed',
    kept: notDeleted,
  },
  audit: {
    what: 'what operators did in the account, and why',
    why: 'so that the customer and the provider can check it',
    kept: 'for good: its entries are chained',
  },
} as const satisfies Record<string, DataKind>;

export type DataKindName = keyof typeof dataKinds;

type BaseTable = Exclude<keyof Tables, 'current_papers' | 'cycle_payments'>;

/** How the rows of a customer are found: by a column of theirs, or by that of the table they belong to. */
export interface PersonalTable {
  kind: DataKindName;
  /** The column with the customer's id, or with the id of a row in `of`. */
  by: string;
  of?: BaseTable;
  /** The referenced column of `of`; `id` if not given. */
  ofColumn?: string;
  /** Secrets, and bytes that are a file of their own. */
  leaveOut?: readonly string[];
  /** Bytes that are exported as files. */
  file?: { column: string; key: 'id' | 'document_id'; nameColumn: string; extension?: string; folder: string };
}

/** A table whose rows are about no customer, or only repeat others. */
interface OtherTable {
  none: string;
}

const own = (kind: DataKindName, more: Partial<PersonalTable> = {}): PersonalTable => ({
  kind,
  by: 'customer_id',
  ...more,
});
const within = (kind: DataKindName, of: BaseTable, by: string, more: Partial<PersonalTable> = {}): PersonalTable => ({
  kind,
  by,
  of,
  ...more,
});

const installation: OtherTable = { none: 'about the installation' };
const work: OtherTable = { none: 'ids of work to do, deleted when it is done' };
const chain: OtherTable = { none: 'hashes, and copies of records that stand in their own tables' };
const catalog: OtherTable = { none: 'what is for sale' };

/** Every table, and what in it is about a customer. A new table doesn't compile without a rule here; export and record follow from it. */
export const tableKinds: Readonly<Record<BaseTable, PersonalTable | OtherTable>> = {
  customers: { kind: 'account', by: 'id' },
  sessions: own('sessions', { leaveOut: ['token_hash'] }),
  sign_in_nonces: { none: 'random numbers without a name, for ten minutes' },
  profiles: own('business'),
  tax_claims: own('business', {
    leaveOut: ['letter'],
    file: { column: 'letter', key: 'id', nameColumn: 'letter_name', folder: 'letters' },
  }),
  sez_checks: own('business'),
  letters_of_undertaking: { none: 'the provider’s own' },

  activations: own('purchases'),
  cycles: own('purchases'),
  quota_raises: own('purchases'),
  payment_orders: own('purchases'),
  order_cycles: own('purchases'),
  payments: own('purchases'),
  refunds: own('purchases'),
  disputes: own('purchases'),
  tds_claims: own('purchases', {
    leaveOut: ['certificate'],
    file: { column: 'certificate', key: 'id', nameColumn: 'certificate_name', folder: 'tds' },
  }),
  remittance_proofs: within('purchases', 'payments', 'payment_id', { ofColumn: 'provider_payment_id' }),
  settlement_items: within('purchases', 'payments', 'payment_id', { ofColumn: 'provider_payment_id' }),
  unsettled_payments: within('purchases', 'payment_orders', 'order_id', { ofColumn: 'provider_order_id' }),
  webhook_inbox: within('purchases', 'payment_orders', "body #>> '{payload,payment,entity,order_id}'", {
    ofColumn: 'provider_order_id',
  }),
  settlements: { none: 'sums of all customers' },
  settlement_reading: installation,
  provider_looks: installation,
  period_locks: { none: 'the provider’s books' },

  documents: own('documents'),
  document_files: within('documents', 'documents', 'document_id', {
    leaveOut: ['pdf'],
    file: { column: 'pdf', key: 'document_id', nameColumn: 'document_id', extension: '.pdf', folder: 'documents' },
  }),
  amendments: within('documents', 'documents', 'document_id'),
  amendment_files: within('documents', 'documents', 'document_id', {
    leaveOut: ['pdf'],
    file: {
      column: 'pdf',
      key: 'document_id',
      nameColumn: 'document_id',
      extension: '.pdf',
      folder: 'documents/amended',
    },
  }),
  e_invoices: within('documents', 'documents', 'document_id'),
  e_invoice_waits: within('documents', 'documents', 'document_id'),
  closed_series: { none: 'numbers of series' },
  document_series: { none: 'numbers of series' },
  document_series_forms: { none: 'numbers of series' },

  ledger_entries: own('ledger'),
  ledger_lines: within('ledger', 'ledger_entries', 'entry_id'),
  ledger_head: chain,
  ledger_checks: chain,
  record_seals: chain,
  seal_head: chain,

  api_keys: own('keys', { leaveOut: ['key_hash'] }),
  key_clients: within('keys', 'api_keys', 'key_id'),

  usage_counts: within('usage', 'activations', 'activation_id'),
  quota_cycles: within('usage', 'cycles', 'cycle_id'),
  quota_days: within('usage', 'activations', 'activation_id'),
  free_quota_days: own('usage'),
  free_quota_windows: own('usage'),
  test_calls: own('usage'),
  leases: within('usage', 'activations', 'activation_id'),
  counted_responses: within('usage', 'activations', 'activation_id', { leaveOut: ['key_hash'] }),
  // Its records are packed; they are exported as CSV, call by call.
  request_batches: within('requests', 'activations', 'activation_id', { leaveOut: ['records', 'dictionary'] }),

  webhooks: own('webhooks', { leaveOut: ['secret', 'old_secret'] }),
  webhook_events: own('webhooks'),
  webhook_deliveries: own('webhooks'),
  webhook_attempts: within('webhooks', 'webhook_deliveries', 'delivery_id'),

  accountants: own('mails'),
  // Where a reply by mail goes is as good as a password.
  mails: own('mails', { leaveOut: ['reply_to'] }),
  mail_documents: within('mails', 'mails', 'mail_id'),
  event_keys: own('mails'),

  support_threads: own('support', { leaveOut: ['customer_token', 'provider_token'] }),
  support_messages: own('support', { leaveOut: ['mail_hash'] }),

  operator_actions: own('audit'),
  operator_head: chain,

  catalog_versions: catalog,
  catalog_version_files: catalog,
  catalog_files: catalog,
  customer_changes: work,
  access_changes: work,
  open_vouchers: work,
  quota_crossings: work,
  gateways: installation,
  journals: installation,
  daily_rounds: installation,
  clock: installation,
  installation_secrets: installation,
};

/** Tables of the products, in their own schema; `caller` is an activation, or `<activation>/test` for test keys. */
export const productTables = {
  answers: { kind: 'stored', leaveOut: ['request_hash'] },
  series: { kind: 'stored', leaveOut: [] },
  numbers: { kind: 'stored', leaveOut: [] },
  sandbox_registrations: { kind: 'stored', leaveOut: [] },
} as const satisfies Record<string, { kind: DataKindName; leaveOut: readonly string[] }>;

export const isPersonal = (table: PersonalTable | OtherTable): table is PersonalTable => 'kind' in table;
