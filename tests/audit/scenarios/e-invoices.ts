import { cancelled, cancelledLater, invoice, note } from '#tests/audit/sums/papers.ts';
import type { Buyer } from '#tests/audit/sums/scenario.ts';
import { abroad, businessElsewhere, consumerElsewhere } from '#tests/audit/steps/buyers.ts';
import { cancelEInvoice, registrationIs, registrations, retryEInvoice } from '#tests/audit/steps/e-invoice-steps.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  become,
  buy,
  gstnIs,
  minutes,
  orderOnly,
  payAway,
  refundAtRazorpay,
  refused,
  reopen,
  returnToPortal,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'E-invoices';
const from = '2026-12-10';
const settings = { E_INVOICE_USER: 'supplier', E_INVOICE_PASSWORD: 'supplier-password' };
const base = { group, from, buyer: businessElsewhere, settings };
const one = invoice(from, 1499, businessElsewhere.supply);
const sold = { captured: 1499, papers: [one], cycles: ['PAID'] };
/** The GST portal has suspended this registration. */
const suspended: Buyer = {
  profile: { gstin: '33ZZZCA0001A1ZB', stateCode: '33', city: 'Chennai', pin: '600001' },
  supply: { ...businessElsewhere.supply, place: '33' },
};
const renamed: Buyer = { ...businessElsewhere, profile: { ...businessElsewhere.profile, legalName: 'Kaveri LLP' } };

/** The buyer's GSTIN is active when the checkout opens, and another one is suspended when the payment arrives. */
const suspendedInBetween = [
  orderOnly('growth'),
  become(suspended),
  payAway(),
  returnToPortal(),
  registrationIs('refused'),
];

export const eInvoices: readonly Scenario[] = [
  {
    ...base,
    name: 'e-invoice-accepted',
    title: 'an invoice to a business is registered',
    steps: [buy('growth'), registrations(1)],
    expected: sold,
  },
  {
    ...base,
    name: 'e-invoice-export',
    title: 'an export is registered',
    buyer: abroad,
    steps: [buy('growth'), registrations(1)],
    expected: { ...sold, papers: [invoice(from, 1499, abroad.supply)] },
  },
  {
    ...base,
    name: 'e-invoice-consumer',
    title: 'a sale to a consumer is not registered',
    buyer: consumerElsewhere,
    steps: [buy('growth'), settled, registrations(0)],
    expected: { ...sold, papers: [invoice(from, 1499, consumerElsewhere.supply)] },
  },
  {
    ...base,
    name: 'e-invoice-refused',
    title: 'the buyer is suspended between order and payment: the refused invoice counts, and waits for the operator',
    steps: suspendedInBetween,
    expected: { ...sold, papers: [invoice(from, 1499, suspended.supply)] },
  },
  {
    ...base,
    name: 'e-invoice-suspended-before',
    title: 'a suspended buyer cannot open the checkout, and corrects the GSTIN',
    buyer: suspended,
    steps: [
      refused('gstin_not_active', orderOnly('growth')),
      become(businessElsewhere),
      reopen(),
      payAway(),
      returnToPortal(),
      registrations(1),
    ],
    expected: sold,
  },
  {
    ...base,
    name: 'e-invoice-refused-twice',
    title: 'the operator retries a refused registration, and it is refused again',
    steps: [...suspendedInBetween, retryEInvoice, registrationIs('refused')],
    expected: { ...sold, papers: [invoice(from, 1499, suspended.supply)] },
  },
  {
    ...base,
    name: 'e-invoice-portal-down',
    title: 'the invoice portal is down for an hour, then registers',
    steps: [gstnIs({ register: 'down' }), buy('growth'), settled, gstnIs({}), minutes(60), registrations(1)],
    expected: sold,
  },
  {
    ...base,
    name: 'e-invoice-response-lost',
    title: 'a registration whose response was lost is found, not made twice',
    steps: [
      gstnIs({ register: 'timeout-after-register', slowMs: 20_000 }),
      buy('growth'),
      settled,
      gstnIs({}),
      minutes(60),
      registrations(1),
    ],
    expected: sold,
  },
  {
    ...base,
    name: 'e-invoice-cancelled',
    title: 'a registration is cancelled within its day, and a new invoice takes its place',
    steps: [buy('growth'), registrations(1), become(renamed), cancelEInvoice, registrations(2)],
    expected: { ...sold, papers: [cancelled(one), one] },
  },
  {
    ...base,
    name: 'e-invoice-cancelled-next-month',
    title:
      'a registration of the last day of a month is cancelled on the next: the payment stays in its month as an advance',
    from: '2026-12-31',
    steps: [buy('growth'), registrations(1), become(renamed), minutes(13 * 60), cancelEInvoice, registrations(2)],
    expected: (() => {
      const late = cancelledLater(invoice('2026-12-31', 1499, businessElsewhere.supply));
      return { ...sold, papers: [late, { ...invoice('2027-01-01', 1499, businessElsewhere.supply), advanceOf: late }] };
    })(),
  },
  {
    ...base,
    name: 'e-invoice-credit-note',
    title: 'a credit note is registered too',
    steps: [buy('growth'), registrations(1), refundAtRazorpay(499), settled, registrations(2)],
    expected: { ...sold, refunded: 499, papers: [one, note(one, from, 499)] },
  },
];
