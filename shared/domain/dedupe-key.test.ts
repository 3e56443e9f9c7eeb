import { expect, test } from 'vitest';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';

const dates = { fromDate: '2026-11-01', toDate: '2026-12-01' };
const document = { id: 'DOC-1', kind: 'INVOICE', number: 'OCT/26-27/000001', issuedOn: '2026-11-01' } as const;
const refund = { refundId: 'RFD-1', cycleId: 'CYC-1', paymentId: 'pay_1', amountPaise: 100 };
const tds = {
  claimId: 'TDS-1',
  cycleId: 'CYC-1',
  invoice: 'OCT/26-27/000001',
  quarter: '2026-27 Q3',
  amountPaise: 100,
};
const quota = {
  cycleId: 'CYC-1',
  activationId: 'ACT-1',
  percent: 80,
  used: 80,
  limit: 100,
  renewsOn: '2026-11-02',
} as const;

test.each<[string, PortalEvent]>([
  [
    'paid:pay_1',
    { type: 'payment.received', cycleId: 'CYC-1', paymentId: 'pay_1', amountPaise: 100, dates, document, periods: [] },
  ],
  ['accountant-asked:ACN-1', { type: 'accountant.asked', accountantId: 'ACN-1', email: 'ca@x.example', path: '/' }],
  ['accountant-stopped:ACN-1', { type: 'accountant.stopped', accountantId: 'ACN-1', email: 'ca@x.example' }],
  [
    'month-packed:CUS-1:2026-11',
    {
      type: 'month.packed',
      customerId: 'CUS-1',
      accountantId: 'ACN-1',
      email: 'ca@x.example',
      month: '2026-11',
      documents: 2,
      isAttached: true,
      download: '/',
      path: '/',
    },
  ],
  ['failed:pay_1', { type: 'payment.failed', cycleId: 'CYC-1', paymentId: 'pay_1', amountPaise: 100, reason: null }],
  ['activated:CYC-1', { type: 'cycle.activated', cycleId: 'CYC-1' }],
  ['started:CYC-1', { type: 'cycle.invoiced', cycleId: 'CYC-1', dates, invoice: document }],
  ['ends:CYC-1:7', { type: 'cycle.ending', cycleId: 'CYC-1', notice: 7, daysLeft: 6, toDate: dates.toDate }],
  ['ended:CYC-1', { type: 'cycle.ended', cycleId: 'CYC-1', reason: 'expired' }],
  ['ended:CYC-1', { type: 'cycle.cancelled', cycleId: 'CYC-1', refundPaise: 100 }],
  ['quota:daily:ACT-1:2026-11-01:80', { type: 'quota.reached', ...quota, day: '2026-11-01', packUnits: 0 }],
  ['quota:monthly:CYC-1:80', { type: 'quota.reached', ...quota, day: null, packUnits: 0 }],
  ['quota:monthly:CYC-1:80:500', { type: 'quota.reached', ...quota, day: null, packUnits: 500 }],
  [
    'invoice:DOC-1',
    { type: 'invoice.issued', cycleId: 'CYC-1', documentId: 'DOC-1', number: 'X', date: '2026-11-01', totalPaise: 1 },
  ],
  ['amended:DOC-1', { type: 'invoice.amended', invoice: document }],
  [
    'corrected:DOC-1',
    { type: 'invoice.corrected', replaced: document, creditNote: document, invoice: document, refundPaise: 0 },
  ],
  ['cancelled:DOC-1', { type: 'invoice.cancelled', cancelled: document, invoice: document, refundPaise: 0 }],
  ['refused:DOC-1', { type: 'document.refused', document, reason: 'no such GSTIN', ofBuyer: true }],
  ['finished:DOC-1', { type: 'document.finished', documentId: 'DOC-1' }],
  ['refund-started:RFD-1', { type: 'refund.started', ...refund, reason: 'why', document: null, payout: 'PROVIDER' }],
  ['refund-turned:RFD-1:1', { type: 'refund.turned', ...refund, attempt: 1 }],
  ['refund-transfer:RFD-1:2', { type: 'refund.transfer_due', ...refund, attempt: 2, reason: 'why' }],
  ['tds:TDS-1', { type: 'tds.declared', ...tds, tan: 'MUMA12345B' }],
  ['tds-accepted:TDS-1', { type: 'tds.accepted', ...tds, paymentId: 'pay_1', payout: 'PROVIDER' }],
  ['tds-refused:TDS-1', { type: 'tds.refused', ...tds, reason: 'why' }],
  ['refund-done:RFD-1', { type: 'refund.completed', ...refund, utr: null }],
  [
    'webhook-disabled:WHK-1:1970-01-01T00:00:00.000Z',
    { type: 'webhook.disabled', webhookId: 'WHK-1', url: 'https://a.example', reason: 'GONE', at: new Date(0) },
  ],
  [
    'support:SUP-1',
    {
      type: 'support.asked',
      threadId: 'SUP-1',
      messageId: 'SUP-1',
      files: 0,
      leftOut: 0,
      isFirst: true,
      subject: 's',
      message: 'm',
      activationId: null,
    },
  ],
])('keys in the database keep their form: %s', (key, event) => {
  expect(dedupeKeyOf(event)).toBe(key);
});
