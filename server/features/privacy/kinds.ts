import { requestLogDays } from '#shared/contract/request-log.ts';
import type { DataKindName, KeepSetting } from '#shared/database/fact-builders.ts';
import { envName } from '#shared/platform/read-config.ts';
import { defaultRetention } from '#server/retention/retention-settings.ts';

/** A kind of personal data in the record of processing. */
interface DataKind {
  what: string;
  why: string;
  kept: string;
}

/** CGST Act 2017 section 36: 72 months from the due date of the annual return. Companies Act 2013 section 128(5): eight financial years. */
const asBooks =
  'at least eight financial years (Companies Act s. 128(5); CGST Act s. 36: 72 months from the due date of the annual return); never deleted automatically';
const days = (kind: KeepSetting): string => `${defaultRetention[kind]} days (\`${envName(kind)}\`)`;
const notDeleted = 'not deleted automatically';

export const dataKinds: Readonly<Record<DataKindName, DataKind>> = {
  account: {
    what: 'name, e-mail address, picture and id from Google of each member, with the role; blocks, choices of mails, requests for erasure',
    why: 'to sign in, and to say whose plans, keys and payments they are, and who made them',
    kept: notDeleted,
  },
  sessions: {
    what: 'when a session began and was last used; when an operator began to see the portal as the customer',
    why: 'to stay signed in, and to end such a view in time',
    kept: '30 minutes without use, at most 12 hours',
  },
  business: {
    what: 'legal name, address, State, GSTIN, phone; claims about tax with letters; answers of the GST portal about SEZs',
    why: 'GST invoices (CGST Rules, rule 46), place of supply, tax rates',
    kept: asBooks,
  },
  purchases: {
    what: 'activations, plans, orders, payments, bank transfers, mandates, refunds, disputes, TDS claims with certificates; messages of Razorpay about them',
    why: 'to deliver what was bought, and to account for the money',
    kept: `${asBooks}; processed messages of Razorpay ${days('keepRazorpayMessagesDays')}`,
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
    kept: `keys: ${notDeleted}; addresses ${days('keepKeyAddressesDays')} after their last use`,
  },
  usage: {
    what: 'calls counted by day, key and plan; quotas',
    why: 'quotas, and proof of what an invoice is for',
    kept: 'counts of paid plans with their invoices; daily quotas 400 days',
  },
  requests: {
    what: 'each call: time, path, status, duration, outcome; never its body',
    why: 'to show customers their own calls, and to answer their questions; DPDP Rules 2025, rule 8(3), from 13 May 2027 on',
    kept: `${days('keepRequestLogDays')}; its pages show the last ${requestLogDays}; from 13 May 2027 on the rules want 365 or more`,
  },
  stored: {
    what: 'responses stored for the same Idempotency-Key, assigned invoice numbers, registrations of test keys',
    why: 'to repeat a response and no number',
    kept: 'responses 24 hours, registrations of test keys 48 hours, numbers as long as their series, those of test keys 30 days',
  },
  webhooks: {
    what: 'addresses of the customer’s programs, events sent to them and each attempt',
    why: 'to tell the customer’s programs of events',
    kept: `addresses: ${notDeleted}; events and attempts ${days('keepWebhookEventsDays')}`,
  },
  mails: {
    what: 'the mails that we sent, and the accountant to whom the customer has papers sent',
    why: 'to tell customers what concerns them, once',
    kept: `${days('keepMailsDays')}; the accountant’s address is not deleted, so that one who declined is not asked again`,
  },
  support: {
    what: 'threads with support, the files in them, and what operators noted about the customer',
    why: 'to answer questions, and to know what was agreed',
    kept: notDeleted,
  },
  audit: {
    what: 'what operators did in the account, and why',
    why: 'so that the customer and the provider can check it',
    kept: 'for good: its entries are chained',
  },
};
