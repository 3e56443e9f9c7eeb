import type { CycleDates } from '#shared/domain/cycle.ts';
import { type Day, addDays } from '#shared/domain/day.ts';
import { longDay, periodText } from '#shared/domain/day-text.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { DocumentReference } from '#shared/domain/document.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { BillNotice } from '#shared/domain/pay-later.ts';
import { paper } from './document-texts.ts';
import type { Letter } from './letter.ts';
import { named, type PlanNamed, whoMayPay } from './texts.ts';

/** By its pay link, for which no account is needed (decision 077). */
export const toPayBill = (payPath: string | undefined) => ({ label: 'Pay the bill', path: payPath ?? '/billing' });

/** For a plan that is paid later; its invoice is attached. */
export function billIssued(
  plan: PlanNamed,
  bill: { amountPaise: number; dates: CycleDates; document: DocumentReference; dueOn: Day },
  payPath: string | undefined,
): Letter {
  const due = longDay(bill.dueOn);
  return {
    subject: `Invoice to pay by ${due}: ${formatRupees(bill.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `You chose to pay later. The ${paper(bill.document)} is attached; please pay it by ${due}.`,
      `You can pay it at any time, here or on your billing page.${whoMayPay(payPath)}`,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Days', periodText(bill.dates)],
      ['Amount', formatRupees(bill.amountPaise)],
      ['Due on', due],
    ],
    link: toPayBill(payPath),
  };
}

const subjects: Record<BillNotice, string> = {
  soon: 'Payment due soon',
  today: 'Payment due today',
  overdue: 'Payment overdue',
  stopped: 'API calls stopped: payment overdue',
  again: 'Due again',
};

const stopsUnlessPaid = (stopsOn: Day) =>
  `If it is not paid by ${longDay(addDays(stopsOn, -1))}, calls of the plans that you have not paid for are refused from the next day on.`;

/** `stopsPlans`: a plan that is not paid runs on the day from which such plans are refused, or now. */
export function billDue(
  plan: PlanNamed,
  bill: { notice: BillNotice; duePaise: number; dueOn: Day; stopsOn: Day; invoice: DocumentReference },
  payPath: string | undefined,
  stopsPlans: boolean,
): Letter {
  const amount = formatRupees(bill.duePaise);
  const due = longDay(bill.dueOn);
  const about = `${amount} for your ${paper(bill.invoice)}`;
  // Of a plan that has ended by then nothing stops.
  const stops = stopsPlans ? [stopsUnlessPaid(bill.stopsOn)] : [];
  const notPaid = `${about} was due on ${due} and has not been paid.`;
  const nothingMore = 'Nothing more can be paid later until it is paid.';
  const said: Record<BillNotice, string[]> = {
    soon: [`${about} is due on ${due}.`, ...stops],
    today: [`${about} is due today.`, ...stops],
    overdue: stopsPlans ? [notPaid, ...stops] : [notPaid, nothingMore],
    stopped: stopsPlans
      ? [
          `${notPaid} Calls of the plans that you have not paid for are refused now; plans that are paid go on.`,
          'Calls work again as soon as the bill is paid.',
        ]
      : [notPaid, nothingMore],
    again: [
      `What had paid your ${paper(bill.invoice)} went back to you, so ${amount} of it is due again. The last day to pay is ${due}.`,
      ...(stopsPlans
        ? [
            `From ${longDay(bill.stopsOn)} on, calls of the plans that you have not paid for are refused until the bill is paid.`,
          ]
        : []),
    ],
  };
  const kind = bill.notice === 'stopped' && !stopsPlans ? 'overdue' : bill.notice;
  return {
    subject: `${subjects[kind]}: ${amount} for ${named(plan)}`,
    paragraphs: payPath === undefined ? said[bill.notice] : [...said[bill.notice], whoMayPay(payPath).trim()],
    facts: [
      ['Plan', named(plan)],
      ['Amount', amount],
      ['Due on', due],
    ],
    link: toPayBill(payPath),
  };
}

/** For the operator. */
export function billReported(
  plan: PlanNamed,
  { report, invoice }: Pick<PortalEvent<'bill.reported'>, 'report' | 'invoice'>,
  customer: { customerId: string; name: string; email: string },
): Letter {
  const facts: [string, string][] = [
    ['Customer', `${customer.name} <${customer.email}>`],
    ['Plan', named(plan)],
    ['Invoice', invoice.number],
  ];
  if (report.is === 'due_again') {
    const amount = formatRupees(report.duePaise);
    return {
      subject: `A bill is due again: ${amount} of ${invoice.number}`,
      paragraphs: [
        `What had paid ${invoice.number} went back at Razorpay, so ${amount} of it is due again. The customer was told, with a link to pay.`,
        `If the money was meant to go back, refund the plan too: octroi refund lowers what is due, with a credit note. Its bills: octroi customers bills ${customer.customerId}`,
      ],
      facts,
    };
  }
  const changesOn = longDay(report.from);
  return {
    subject: `GST rate of ${invoice.number} may change`,
    paragraphs: [
      `${invoice.number} was issued before its period begins, and a GST rate that you added since applies from ${changesOn}, before that. Paid before ${changesOn}, its rate stays; otherwise the new rate applies (CGST Act, section 14).`,
      `If it isn’t paid before ${changesOn}, refund the plan before its period begins, which credits the whole invoice and moves no money, and have it bought again.`,
    ],
    facts,
  };
}

export function billPaid(
  plan: PlanNamed,
  paid: {
    amountPaise: number;
    withheldPaise: number;
    paymentId: string;
    utr: string | null;
    invoice: DocumentReference;
  },
): Letter {
  const facts: [string, string][] = [
    ['Plan', named(plan)],
    ['Received', formatRupees(paid.amountPaise)],
  ];
  if (paid.withheldPaise > 0) facts.push(['Deducted as tax (TDS)', formatRupees(paid.withheldPaise)]);
  facts.push(['Payment', paid.paymentId]);
  if (paid.utr !== null) facts.push(['Bank transfer (UTR)', paid.utr]);
  return {
    subject: `Payment received: ${formatRupees(paid.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `We received your payment for your ${paper(paid.invoice)}. Nothing is left to pay of it.`,
      ...(paid.withheldPaise > 0
        ? [
            `You deducted ${formatRupees(paid.withheldPaise)} as tax (TDS). Once you have the certificate, declare it in your billing history.`,
          ]
        : []),
    ],
    facts,
    link: { label: 'Open your billing page', path: '/billing' },
  };
}
