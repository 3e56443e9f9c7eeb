import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, invoiceOf, note, voucher } from '#tests/audit/sums/papers.ts';
import type { Buyer } from '#tests/audit/sums/scenario.ts';
import { abroad, businessElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import { registrations } from '#tests/audit/steps/e-invoice-steps.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { buy, days, refundAtRazorpay, settled } from '#tests/audit/steps/steps.ts';

const group = 'A service that bears no tax: nil-rated or exempt';
const from = '2026-12-10';
const catalog = [['gstRatePercent: 18', 'gstRatePercent: 0']] as const;
const eInvoicing = { E_INVOICE_USER: 'supplier', E_INVOICE_PASSWORD: 'supplier-password' };
const untaxed = ({ profile, supply }: Buyer): Buyer => ({ profile, supply: { ...supply, ratePercent: 0 } });
const consumer = untaxed(consumerHere);
const business = untaxed(businessElsewhere);
const bill = invoice(from, 1499, business.supply);
const advance = voucher(from, 1499, consumer.supply);

export const exempt: readonly Scenario[] = [
  {
    name: 'exempt-business',
    group,
    title: 'a business gets a bill of supply, which is not registered, and a credit note to it',
    from,
    buyer: business,
    settings: eInvoicing,
    catalog,
    steps: [buy('growth'), refundAtRazorpay(499), settled, registrations(0)],
    expected: { captured: 1499, refunded: 499, papers: [bill, note(bill, from, 499)], cycles: ['PAID'] },
  },
  {
    name: 'exempt-advance',
    group,
    title: 'an advance bears no tax, and its bill of supply follows in the next month',
    from,
    buyer: consumer,
    catalog,
    steps: [buy('growth', { inDays: 25 }), days(26)],
    expected: { captured: 1499, papers: [advance, invoiceOf(advance, daysAfter(from, 25))], cycles: ['PAID'] },
  },
  {
    name: 'exempt-export',
    group,
    title: 'abroad it is zero-rated, without payment of tax and without a letter of undertaking',
    from,
    buyer: untaxed(abroad),
    catalog,
    steps: [buy('growth')],
    expected: { captured: 1499, papers: [invoice(from, 1499, untaxed(abroad).supply)], cycles: ['PAID'] },
  },
];
