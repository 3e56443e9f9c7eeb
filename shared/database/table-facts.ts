import { bookFacts } from './book-facts.ts';
import {
  type Age,
  type BaseTable,
  chain,
  chained,
  goes,
  goesLater,
  head,
  installation,
  keptAsNumbers,
  loses,
  ofActivation,
  ofWork,
  olderThan,
  oneRow,
  own,
  perItem,
  type TableFact,
  within,
} from './fact-builders.ts';
import { customerFacts } from './customer-facts.ts';
import { operatorFacts } from './operator-facts.ts';
import { supportFacts } from './support-facts.ts';

const readerDeletes: Age = { keep: 'the reader deletes each row when it is done' };
const perVersion: Age = { keep: 'what was for sale on a day; one version per change' };
const withEvent: Age = { keep: 'deleted with their event' };

/** Its rows may lead to customers. */
const work = 'ids of work to do, deleted when it is done';
const catalog = 'what is for sale; a private plan names the addresses that the provider wrote, and each version stays';

const ofGateway = 'is counted by gateways, which may report late';
const ofWebhook = 'is made only for a webhook, which an erased customer has none of';

const stays400Days = (column: string) => olderThan(column, 400, 'day');

/**
 * Every table: how long it keeps its rows, what in it is about a customer, and what may change. Types, rights, retention, export, erasure and
 * docs/privacy.md follow from it; a table without a row doesn't compile. A table stands after those that it refers to: an erasure deletes from
 * the last to the first.
 */
export const tableFacts: Readonly<Record<BaseTable, TableFact>> = {
  ...customerFacts,
  ...bookFacts,

  api_keys: {
    age: { keep: 'usage and the request log also refer to revoked keys' },
    customer: own(
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
        'made_by',
      ),
    ),
    changes: 'revoked_at expires_at allowed_ips daily_cap replaced_by for_trying',
    secret: 'key_hash',
    afterRestore: { lookAt: 'API keys', only: 'revoked_at is null' },
    takesErased: ofActivation,
  },
  key_clients: {
    age: olderThan('last_at', 'keepKeyAddressesDays'),
    customer: within('keys', goesLater, 'api_keys', 'key_id'),
    changes: 'address client last_at announced',
  },

  usage_counts: {
    age: { keep: 'usage of a paid cycle backs up its invoice' },
    customer: within('usage', keptAsNumbers('activation_id', 'cycle_id', 'key_id'), 'activations', 'activation_id'),
    changes: 'calls units last_at',
  },
  // Those of cycles have no end.
  quota_counters: {
    age: stays400Days('to_date'),
    customer: own('usage', keptAsNumbers('scope_id', 'customer_id', 'service_id')),
    changes: 'quota taken',
    writtenBy: 'sql',
    takesErased: ofGateway,
  },
  test_calls: {
    age: { keep: 'one row per customer and product' },
    customer: own('usage', keptAsNumbers('customer_id', 'service_id')),
    changes: 'day calls',
    writtenBy: 'sql',
    takesErased: ofGateway,
  },
  leases: {
    age: { keep: 'gateways delete leases that they return; those of a dead gateway wait for its journal' },
    customer: within(
      'usage',
      keptAsNumbers('journal_id', 'activation_id', 'cycle_id', 'key_id'),
      'activations',
      'activation_id',
    ),
    changes: 'held',
  },
  // Twice as long as products store responses for replay (decision 025).
  counted_responses: {
    age: olderThan('counted_at', 2),
    customer: within(
      'usage',
      keptAsNumbers('activation_id', 'response_id', 'key_hash', 'counted_by'),
      'activations',
      'activation_id',
    ),
    changes: 'awaits_first given_again',
    secret: 'key_hash',
    afterRestore: { stays: 'lets nobody in' },
    writtenBy: 'sql',
  },
  // Its records are packed; they are exported as CSV, call by call.
  request_log: {
    age: { dropDays: 'keepRequestLogDays' },
    customer: within('requests', goesLater, 'activations', 'activation_id', { leaveOut: ['records', 'dictionary'] }),
    changes: 'records dictionary counted statuses',
    writtenBy: 'sql',
  },

  webhooks: {
    age: perItem,
    customer: own('webhooks', goes),
    changes: 'url events secret old_secret old_secret_until older_secrets disabled_at disabled_reason failing_since',
    json: { older_secrets: '{ hex: string; until: string }[]' },
    secret: 'secret old_secret older_secrets',
    afterRestore: { lookAt: 'webhooks', only: 'disabled_at is null' },
  },
  webhook_events: {
    age: olderThan('created_at', 'keepWebhookEventsDays'),
    customer: own('webhooks', goes),
    takesErased: ofWebhook,
  },
  webhook_deliveries: {
    age: withEvent,
    customer: own('webhooks', goes),
    changes: 'status tries next_try_at tried_at duration_ms response_status response_start fault',
    takesErased: ofWebhook,
  },
  webhook_attempts: { age: withEvent, customer: within('webhooks', goes, 'webhook_deliveries', 'delivery_id') },

  ...supportFacts,

  accountants: {
    age: { keep: 'an accountant who declined is not asked again' },
    customer: own('mails', goes),
    changes: 'confirmed_at next_month ended_at ended_by',
    afterRestore: { lookAt: 'accountants', only: 'confirmed_at is not null and ended_at is null' },
  },
  // Longer than any window in which the same event could be reported again.
  event_keys: {
    age: olderThan('happened_at', 'keepMailsDays', 'product'),
    customer: own('mails', goes),
    takesErased: 'keeps the provider from being told twice',
  },
  // Where a reply by mail goes is as good as a password.
  mails: {
    age: { keep: 'deleted with the key of its event' },
    customer: own('mails', goes, { leaveOut: ['reply_to'] }),
    changes: 'body_text body_html sent_at fault withheld',
    secret: 'body_text body_html stop_path reply_to',
    afterRestore: { stays: 'its links stop mails, and those to a sign-in let nobody in' },
    takesErased: 'tells the provider, and the customer once that the account is erased',
  },
  mail_documents: { age: { keep: 'deleted with their mail' }, customer: within('mails', goes, 'mails', 'mail_id') },

  operator_actions: {
    age: { keep: 'the audit log' },
    customer: own('audit', chained),
    json: { effect: 'object' },
    setByTrigger: 'position acted_at hash',
    takesErased: 'is the audit log: the erasure itself is an entry',
  },
  operator_head: head,

  ...operatorFacts,

  catalog_versions: {
    age: perVersion,
    customer: catalog,
    changes: 'active_from',
    afterRestore: {
      lookAt: 'catalogue on sale, with the prices of then',
      names: `'version ' || version || ' since ' || to_char(active_from at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI')`,
      only: 'version = (select version from catalog_versions where active_from is not null order by active_from desc, version desc limit 1)',
    },
  },
  catalog_version_files: { age: perVersion, customer: catalog },
  catalog_files: { age: perVersion, customer: catalog },
  customer_changes: { age: readerDeletes, customer: work, takesErased: ofWork },
  access_changes: { age: { keep: 'the newest 10,000; a new change deletes older ones' }, customer: work },
  unprinted_documents: { age: readerDeletes, customer: work, writtenBy: 'sql' },
  open_vouchers: { age: readerDeletes, customer: work, writtenBy: 'sql' },
  quota_crossings: { age: readerDeletes, customer: work },
  failed_work: { age: readerDeletes, customer: work, changes: 'failures failed_at retry_at error' },
  gateways: {
    age: oneRow,
    customer: installation,
    changes:
      'started_at lease_until seen_version unconfirmed_changes catalog_version prepared_version catalog_fault products_fault',
  },
  journals: {
    age: { keep: 'one row per gateway; a journal that turns up again must not be counted twice' },
    customer: installation,
    changes: 'position',
  },
  api_status_days: { age: olderThan('day', 90), customer: installation, changes: 'checks failed checked_at recent' },
  daily_rounds: { age: oneRow, customer: installation, changes: 'day' },
  installation: {
    age: oneRow,
    customer: installation,
    changes: 'id runs_on moved_at setback setback_reason',
  },
  clock: { age: oneRow, customer: installation, changes: 'offset_ms reached_day' },
  installation_secrets: {
    age: oneRow,
    customer: installation,
    secret: 'secret',
    afterRestore: { stays: 'what they sign never ends, or expires within minutes' },
  },
  // The next portal that enters deletes those that ended; the last one stays.
  portals: {
    age: olderThan('lease_until', 30, 'machine'),
    customer: installation,
    changes: 'lease_until',
    json: { given: 'Record<string, string | true>' },
  },
};

/** Tables whose rows lead to customers, or copy rows that do, though nothing in them is about one. */
export const leadsToCustomers = ({ customer }: TableFact): boolean => customer === work || customer === chain;

export const factsOf: ReadonlyMap<string, TableFact> = new Map(Object.entries(tableFacts));

/** Every table with rows about customers; each stands after those that it refers to. */
export const personalTables = [...factsOf].flatMap(([table, fact]) => {
  const { customer } = fact;
  return typeof customer === 'string' ? [] : [{ table, fact, rule: customer }];
});
