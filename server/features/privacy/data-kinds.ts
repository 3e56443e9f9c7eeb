import type { DataKindName } from './kinds.ts';
import {
  type BaseTable,
  chained,
  goes,
  goesLater,
  keptAsBooks,
  keptAsNumbers,
  loses,
  type OtherTable,
  own,
  type PersonalTable,
  within,
} from './personal-table.ts';

const installation: OtherTable = { none: 'about the installation' };
const work: OtherTable = { none: 'ids of work to do, deleted when it is done' };
const chain: OtherTable = { none: 'hashes, and copies of records that stand in their own tables' };
const catalog: OtherTable = {
  none: 'what is for sale; a private plan names the addresses that the provider wrote, and each version stays',
};

/** PDFs of documents, in a folder of the export. */
const papersIn = (folder: string): PersonalTable =>
  within('documents', keptAsBooks, 'documents', 'document_id', {
    leaveOut: ['pdf', 'place'],
    file: { column: 'pdf', key: 'document_id', nameColumn: 'document_id', extension: '.pdf', folder, isPdf: true },
  });

/**
 * Every table, and what in it is about a customer. A new table doesn't compile without a rule here; export,
 * erasure and record follow from it. A table stands after those that it refers to: an erasure deletes from the last to the first.
 */
export const tableKinds: Readonly<Record<BaseTable, PersonalTable | OtherTable>> = {
  customers: {
    kind: 'account',
    by: 'id',
    erasure: loses(
      {
        google_sub: `'erased:' || id`,
        email: `id || '@erased.invalid'`,
        name: `'Erased customer'`,
        given_name: `''`,
        family_name: `''`,
        picture: `''`,
        mails_off: `'{}'`,
        blocked_at: 'null',
        blocked_reason: 'null',
      },
      'id',
    ),
  },
  erasure_requests: own('account', keptAsNumbers('outcome')),
  sessions: own('sessions', goes, { leaveOut: ['token_hash'] }),
  sign_in_nonces: { none: 'random numbers without a name, for ten minutes' },
  profiles: own('business', goes),
  tax_claims: own('business', keptAsBooks, {
    leaveOut: ['letter'],
    file: { column: 'letter', key: 'id', nameColumn: 'letter_name', folder: 'letters' },
  }),
  sez_checks: own('business', keptAsBooks),
  letters_of_undertaking: { none: 'the provider’s own' },

  activations: own('purchases', keptAsNumbers('id', 'customer_id', 'service_id')),
  cycles: own('purchases', keptAsBooks),
  quota_raises: own('purchases', keptAsBooks),
  payment_orders: own('purchases', keptAsBooks),
  order_cycles: own('purchases', keptAsBooks),
  payments: own('purchases', keptAsBooks),
  refunds: own('purchases', keptAsBooks),
  disputes: own('purchases', keptAsBooks),
  tds_claims: own('purchases', keptAsBooks, {
    leaveOut: ['certificate'],
    file: { column: 'certificate', key: 'id', nameColumn: 'certificate_name', folder: 'tds' },
  }),
  remittance_proofs: within('purchases', keptAsBooks, 'payments', 'payment_id', { ofColumn: 'provider_payment_id' }),
  settlement_items: within('purchases', keptAsBooks, 'payments', 'payment_id', { ofColumn: 'provider_payment_id' }),
  unsettled_payments: within('purchases', keptAsBooks, 'payment_orders', 'order_id', { ofColumn: 'provider_order_id' }),
  // Names, addresses and cards as Razorpay tells them; what the books need of it stands in the tables above.
  webhook_inbox: within(
    'purchases',
    { does: 'delete', only: 'processed_at is not null' },
    'payment_orders',
    "body #>> '{payload,payment,entity,order_id}'",
    {
      ofColumn: 'provider_order_id',
    },
  ),
  settlements: { none: 'sums of all customers' },
  settlement_reading: installation,
  doctor_runs: installation,
  provider_looks: installation,
  period_locks: { none: 'the provider’s books' },

  documents: own('documents', keptAsBooks),
  document_files: papersIn('documents'),
  amendments: within('documents', keptAsBooks, 'documents', 'document_id'),
  amendment_files: papersIn('documents/amended'),
  e_invoices: within('documents', keptAsBooks, 'documents', 'document_id'),
  e_invoice_waits: within('documents', keptAsBooks, 'documents', 'document_id'),
  closed_series: { none: 'numbers of series' },
  document_series: { none: 'numbers of series' },
  document_series_forms: { none: 'numbers of series' },

  ledger_entries: own('ledger', keptAsBooks),
  ledger_lines: within('ledger', keptAsBooks, 'ledger_entries', 'entry_id'),
  ledger_head: chain,
  ledger_checks: chain,
  record_seals: chain,
  seal_head: chain,

  api_keys: own(
    'keys',
    loses(
      {
        name: `'x'`,
        key_hash: `sha256(gen_random_uuid()::text::bytea)`,
        hint: `'----'`,
        prefix: 'null',
        allowed_ips: `'{}'`,
      },
      'id',
      'activation_id',
      'customer_id',
      'replaced_by',
    ),
    { leaveOut: ['key_hash'] },
  ),
  key_clients: within('keys', goesLater, 'api_keys', 'key_id'),

  usage_counts: within('usage', keptAsNumbers('activation_id', 'cycle_id', 'key_id'), 'activations', 'activation_id'),
  quota_cycles: within('usage', keptAsNumbers('cycle_id'), 'cycles', 'cycle_id'),
  quota_days: within('usage', keptAsNumbers('activation_id'), 'activations', 'activation_id'),
  free_quota_days: own('usage', keptAsNumbers('customer_id', 'service_id')),
  free_quota_windows: own('usage', keptAsNumbers('customer_id', 'service_id')),
  test_calls: own('usage', keptAsNumbers('customer_id', 'service_id')),
  leases: within(
    'usage',
    keptAsNumbers('journal_id', 'activation_id', 'cycle_id', 'key_id'),
    'activations',
    'activation_id',
  ),
  counted_responses: within(
    'usage',
    keptAsNumbers('activation_id', 'response_id', 'key_hash', 'counted_by'),
    'activations',
    'activation_id',
    { leaveOut: ['key_hash'] },
  ),
  // Its records are packed; they are exported as CSV, call by call.
  request_log: within('requests', goesLater, 'activations', 'activation_id', {
    leaveOut: ['records', 'dictionary'],
  }),

  webhooks: own('webhooks', goes, { leaveOut: ['secret', 'old_secret', 'older_secrets'] }),
  webhook_events: own('webhooks', goes),
  webhook_deliveries: own('webhooks', goes),
  webhook_attempts: within('webhooks', goes, 'webhook_deliveries', 'delivery_id'),

  support_threads: own('support', goes, { leaveOut: ['customer_token', 'provider_token'] }),
  support_messages: own('support', goes, { leaveOut: ['mail_hash'] }),

  accountants: own('mails', goes),
  event_keys: own('mails', goes),
  // Where a reply by mail goes is as good as a password.
  mails: own('mails', goes, { leaveOut: ['reply_to'] }),
  mail_documents: within('mails', goes, 'mails', 'mail_id'),

  operator_actions: own('audit', chained),
  operator_head: chain,

  catalog_versions: catalog,
  catalog_version_files: catalog,
  catalog_files: catalog,
  customer_changes: work,
  access_changes: work,
  open_vouchers: work,
  quota_crossings: work,
  failed_work: work,
  gateways: installation,
  journals: installation,
  daily_rounds: installation,
  installation: installation,
  clock: installation,
  installation_secrets: installation,
  portal_settings: installation,
};

/** Tables of the products, in their own schema, all of which an erasure empties; `caller` is an activation or the customer, with `/test` for test keys. */
export const productTables = {
  answers: { kind: 'stored', leaveOut: ['request_hash'] },
  series: { kind: 'stored', leaveOut: [] },
  numbers: { kind: 'stored', leaveOut: [] },
  sandbox_registrations: { kind: 'stored', leaveOut: [] },
} as const satisfies Record<string, { kind: DataKindName; leaveOut: readonly string[] }>;
