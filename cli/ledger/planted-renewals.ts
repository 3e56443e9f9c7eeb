/** A change by the owner of the tables, who leaves on or off whatever triggers he likes. */
export interface Renewal {
  what: string;
  /** The tables whose triggers he switches off and on again. */
  of: readonly string[];
  change: readonly string[];
  /** What command and health say of it. */
  says: RegExp;
  /** Made with the seals on it is what the portal itself does, and passes. */
  onlyUnsealed?: true;
  /** Nothing of a customer: found by the check of each night. */
  atNight?: true;
}

const invoice = `id = (select id from documents where kind = 'INVOICE' order by sequence limit 1)`;
const cycle = `id = (select id from cycles where status = 'PAID' order by id limit 1)`;
const content = (what: string, path: string, value: string): Renewal => ({
  what,
  of: ['documents'],
  change: [`update documents set content = jsonb_set(content, '{${path}}', '${value}') where ${invoice}`],
  says: /document \S+ has been changed/,
});

/** What an audit changed, and nobody noticed. */
export const auditedRenewals: readonly Renewal[] = [
  content('the buyer of an invoice has another GSTIN', 'recipient,gstin', '"29ZZZCA0001A1Z0"'),
  content('an invoice is for another service', 'item,sac', '"998313"'),
  content('an invoice has another place of supply', 'placeOfSupply', '"33"'),
  {
    what: 'a PDF was replaced, with its hash',
    of: ['document_files'],
    change: [`update document_files set pdf = 'other', pdf_sha256 = sha256('other')`],
    says: /the PDF of document \S+ has been changed/,
  },
  {
    what: 'a quota is a thousand times as large, in the plan too',
    of: ['cycles'],
    change: [
      `update cycles set monthly_quota = monthly_quota * 1000, plan = plan || jsonb_build_object('monthlyQuota', monthly_quota * 1000) where ${cycle}`,
    ],
    says: /cycle \S+ has been changed/,
  },
  {
    what: 'a document no longer waits for its registration',
    of: ['e_invoice_waits'],
    change: [
      `delete from e_invoice_waits where document_id = (select id from documents where kind = 'INVOICE' order by sequence limit 1)`,
    ],
    says: /the wait for registration of document \S+ is missing/,
  },
  {
    what: 'papers go to another accountant',
    of: ['accountants'],
    change: [`update accountants set email = 'other@example.com'`],
    says: /accountant \S+ has been changed/,
  },
  {
    what: 'a file of the catalogue is another one',
    of: ['catalog_version_files'],
    change: [
      `update catalog_version_files set path = 'other.yaml' where path = (select min(path) from catalog_version_files)`,
    ],
    says: /catalogue file \S+ (is missing|has other bytes)|catalogue version 1 has other files/,
    atNight: true,
  },
  {
    what: 'a mail has another document',
    of: ['mail_documents'],
    change: [`update mail_documents set document_id = (select max(id) from documents)`],
    says: /the attachment of mail \S+ has been changed/,
  },
  {
    what: 'the figures of a locked month are other ones',
    of: ['period_locks'],
    change: [`update period_locks set trial_balance = trial_balance || '{"other": 1}'`],
    says: /record of a lock \d+ has been changed/,
    atNight: true,
  },
  {
    what: 'a revoked key is alive again',
    of: ['api_keys'],
    change: ['update api_keys set revoked_at = null'],
    says: /API key \S+ has been changed/,
  },
  {
    what: 'a customer was blocked without a word in the audit log',
    of: ['customers'],
    change: [`update customers set blocked_at = now(), blocked_reason = 'None'`],
    says: /customer \S+ is blocked, which is not what the audit log says/,
  },
  {
    what: 'a declaration is deleted',
    of: ['tax_claims'],
    change: ['delete from tax_claims'],
    says: /declaration \S+ is missing/,
  },
  {
    what: 'a letter of undertaking is deleted',
    of: ['letters_of_undertaking'],
    change: ['delete from letters_of_undertaking'],
    says: /letter of undertaking \S+ is missing/,
    atNight: true,
  },
  {
    what: 'an SEZ check is deleted',
    of: ['sez_checks'],
    change: ['delete from sez_checks'],
    says: /SEZ check \d+ is missing/,
  },
  {
    what: 'an amendment is deleted',
    of: ['amendments'],
    change: [
      `delete from amendments where document_id = (select id from documents where kind = 'INVOICE' order by sequence limit 1)`,
    ],
    says: /the amendment of document \S+ is missing/,
  },
];

/** Others, in tables that never change, that take steps, and that had no seals. */
export const furtherRenewals: readonly Renewal[] = [
  {
    what: 'a plan lasts longer',
    of: ['cycles'],
    change: [`update cycles set to_date = to_date + 5 where ${cycle}`],
    says: /cycle \S+ has been changed/,
  },
  {
    what: 'a plan that has ended is running again',
    of: ['cycles'],
    change: [`update cycles set status = 'PAID', ended_at = null where status = 'REFUNDED'`],
    says: /cycle \S+ has been changed/,
  },
  {
    what: 'a payment came in another month',
    of: ['payments'],
    change: [`update payments set captured_at = captured_at - interval '40 days'`],
    says: /payment \S+ has been changed/,
  },
  {
    what: 'a payment cost another fee',
    of: ['payments'],
    change: [`update payments set fee_paise = 1, fee_tax_paise = 0`],
    says: /payment \S+ has been changed/,
  },
  {
    what: 'a refund has another reason',
    of: ['refunds'],
    change: [`update refunds set reason = 'None'`],
    says: /refund \S+ has been changed/,
  },
  {
    what: 'a refund was paid in another month',
    of: ['refunds'],
    change: [`update refunds set settled_at = settled_at - interval '40 days' where status = 'PROCESSED'`],
    says: /refund \S+ has been changed/,
  },
  {
    what: 'an order names another purchase order',
    of: ['payment_orders'],
    change: [`update payment_orders set purchase_order = 'PO-9' where status = 'PAID'`],
    says: /order \S+ has been changed/,
  },
  {
    what: 'a settlement item cost another fee',
    of: ['settlement_items'],
    change: ['update settlement_items set fee_paise = fee_paise + 1, tax_paise = tax_paise + 1'],
    says: /settlement item \d+ has been changed/,
    atNight: true,
  },
  {
    what: 'a settlement is over another amount',
    of: ['settlements'],
    change: ['update settlements set amount_paise = amount_paise + 1'],
    says: /settlement \S+ has been changed/,
    atNight: true,
  },
  {
    what: 'a closed series is open again',
    of: ['closed_series'],
    change: ['delete from closed_series'],
    says: /closed series .+ is missing/,
    atNight: true,
  },
  {
    what: 'a series follows another one',
    of: ['document_series_forms'],
    change: [`update document_series_forms set place = 99 where name = (select max(name) from document_series_forms)`],
    says: /form of a series .+ has been changed/,
    atNight: true,
  },
  {
    what: 'a catalogue was applied on another day',
    of: ['catalog_versions'],
    change: [`update catalog_versions set active_from = active_from + interval '1 day'`],
    says: /catalogue version 1 has been changed/,
    atNight: true,
  },
  {
    what: 'a deleted activation is there again',
    of: ['activations'],
    change: ['update activations set deleted_at = null where deleted_at is not null'],
    says: /activation \S+ has been changed/,
  },
  {
    what: 'a mail with an invoice goes to somebody else',
    of: ['mails'],
    change: [`update mails set recipient = 'other@example.com' where document_id is not null`],
    says: /mail \S+ has been changed/,
  },
  {
    what: 'a customer has another GSTIN from the next invoice on',
    of: ['profiles'],
    change: [`update profiles set gstin = '29ZZZCA0001A1Z0' where country = 'IN'`],
    says: /the business details of \S+ has been changed/,
    onlyUnsealed: true,
  },
  {
    what: 'an action of an operator has another reason',
    of: ['operator_actions'],
    change: [`update operator_actions set reason = 'None'`],
    says: /action \d+ of an operator has been changed/,
    atNight: true,
  },
  {
    what: 'the proof of a payment from abroad is made up',
    of: ['remittance_proofs'],
    change: [
      `insert into remittance_proofs select provider_payment_id, 'FIRC', 'X', '2026-11-01', 'USD', '10', now() from payments limit 1`,
    ],
    says: /the remittance proof of payment \S+ is not the one of the audit log/,
    atNight: true,
  },
];
