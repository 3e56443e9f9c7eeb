import { dayOf } from '#shared/domain/day.ts';
import { longDay } from '#shared/domain/day-text.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { Letter } from './letter.ts';
import type { PlanNamed } from './texts.ts';

const named = ({ productName, planName, isPack }: PlanNamed) => `${productName}, ${planName}${isPack ? '' : ' plan'}`;
const link = { label: 'See your billing history', path: '/billing' };
const factsOf = (plan: PlanNamed, { paymentId }: { paymentId: string }): [string, string][] => [
  ['Plan', named(plan)],
  ['Payment', paymentId],
];

/** For a customer whose bank claims a payment back. */
export function disputeOpened(plan: PlanNamed, dispute: { amountPaise: number; paymentId: string }): Letter {
  return {
    subject: `Your bank disputes a payment: ${formatRupees(dispute.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `Your bank told our payment provider that ${formatRupees(dispute.amountPaise)} of the payment below is disputed (a chargeback). Your plan continues while the bank decides. A refund of this payment waits until then, so that it isn’t paid twice.`,
      'If you asked your bank for this, you don’t need to do anything. If you didn’t, or if we have solved the problem in the meantime, please tell your bank.',
    ],
    facts: factsOf(plan, dispute),
    link,
  };
}

/** For a dispute that took no money. */
export function disputeEnded(
  plan: PlanNamed,
  dispute: { amountPaise: number; paymentId: string; status: PortalEvent<'dispute.ended'>['status'] },
): Letter {
  const decision =
    dispute.status === 'won'
      ? 'The bank has decided that the payment stands.'
      : 'The bank has closed the dispute, and the payment stands.';
  return {
    subject: `The dispute is over: ${formatRupees(dispute.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `${decision} No money has moved, and your plan and invoice are unchanged.`,
      'You don’t need to do anything.',
    ],
    facts: factsOf(plan, dispute),
    link,
  };
}

type Report = PortalEvent<'dispute.reported'>;

const onDashboard = 'Accept it or give evidence on Razorpay’s dashboard.';
const stages: Record<Report['stage'], { subject: string; paragraphs: (amount: string, report: Report) => string[] }> = {
  opened: {
    subject: 'Dispute opened',
    paragraphs: (amount) => [
      `The bank of a customer disputes ${amount} of a payment. The plan continues, and refunds of this payment wait until the dispute is decided.`,
      onDashboard,
    ],
  },
  'evidence asked': {
    subject: 'More evidence needed for a dispute',
    paragraphs: (amount) => [
      `The evidence in a dispute over ${amount} was not enough, or its details have changed.`,
      onDashboard,
    ],
  },
  'under review': {
    subject: 'Dispute under review',
    paragraphs: (amount) => [
      `The bank now looks at your evidence in a dispute over ${amount}.`,
      'You don’t need to do anything.',
    ],
  },
  won: {
    subject: 'Dispute won',
    paragraphs: (amount) => [
      `You won a dispute over ${amount}. Nothing is refunded.`,
      'You don’t need to do anything.',
    ],
  },
  closed: {
    subject: 'Dispute closed',
    paragraphs: (amount) => [
      `A dispute over ${amount} was closed without taking money.`,
      'You don’t need to do anything.',
    ],
  },
  lost: {
    subject: 'Dispute lost',
    paragraphs: (amount, { lossPaise }) => [
      `You lost a dispute: Razorpay took ${amount}. It is booked as a refund with its document, or is due again where it had paid a bill${lossPaise === 0 ? '.' : `, except ${formatRupees(lossPaise)} that the customer had already got back: that is a loss.`}`,
      lossPaise === 0 ? 'You don’t need to do anything.' : 'Ask the customer for the part that was paid twice.',
    ],
  },
  3: { subject: 'Evidence for a dispute is due in 3 days', paragraphs: missing },
  1: { subject: 'Evidence for a dispute is due in 1 day', paragraphs: missing },
  overdue: {
    subject: 'Evidence for a dispute is overdue',
    paragraphs: (amount) => [
      `The time for evidence in a dispute over ${amount} is over. Without evidence it is lost.`,
      'Look at it on Razorpay’s dashboard.',
    ],
  },
};

function missing(amount: string): string[] {
  return [`No evidence has been given yet in a dispute over ${amount}. Without it the dispute is lost.`, onDashboard];
}

/** For the operator: a step of a dispute, or a reminder of missing evidence. */
export function disputeReported(report: Report, customer: { name: string; email: string }): Letter {
  const { subject, paragraphs } = stages[report.stage];
  const amount = formatRupees(report.amountPaise);
  return {
    subject: `${subject}: ${amount}, ${report.disputeId}`,
    paragraphs: paragraphs(amount, report),
    facts: [
      ['Dispute', report.disputeId],
      ['Payment', report.paymentId],
      ['Customer', `${customer.name} <${customer.email}>`],
      ['Reason', report.reason],
      ...(report.respondBy
        ? [['Respond by', longDay(dayOf(report.respondBy.getTime()))] satisfies [string, string]]
        : []),
    ],
  };
}
