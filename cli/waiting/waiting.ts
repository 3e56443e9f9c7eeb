import { Command } from 'commander';
import { commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { listWaiting, type WaitingKind } from '#shared/contract/operator/waiting.ts';
import { dayOf } from '#shared/domain/day.ts';

/** What each kind is called, and the command that deals with one. */
const kinds: Record<WaitingKind, { title: string; next: (id: string) => string }> = {
  APPROVAL: { title: 'Requests for a second person, at /operator', next: () => 'operators approvals' },
  UNSETTLED_PAYMENT: { title: 'Payments that are not settled', next: (id) => `payments show ${id}` },
  DISPUTE: { title: 'Disputes to answer, on Razorpay’s dashboard', next: (id) => `customers find ${id}` },
  REFUND_TO_TRANSFER: { title: 'Refunds to transfer', next: (id) => `refunds transferred ${id}` },
  REFUND_REFUSED: {
    title: 'Refunds that Razorpay refuses or a bank returned',
    next: (id) => `refunds by-transfer ${id}`,
  },
  REFUND_LATE: { title: 'Refunds that Razorpay has not paid after a week: ask Razorpay', next: () => 'refunds list' },
  SUPPORT_THREAD: { title: 'Customers who wait for a reply', next: (id) => `support show ${id}` },
  TDS_CLAIM: { title: 'TDS claims to decide', next: (id) => `tds certificate ${id}` },
  E_INVOICE: { title: 'Documents without an IRN', next: () => 'e-invoices list' },
  ERASURE_REQUEST: { title: 'Customers who ask to be erased', next: (id) => `customers erase ${id} --dry-run` },
  REMITTANCE: { title: 'Exports without the proof of their payment', next: (id) => `remittances record ${id}` },
  SETTLEMENTS: { title: 'Settlements that differ from the books', next: () => 'settlements' },
  ENDPOINT: { title: 'Webhooks of yours that fail', next: (id) => `webhooks deliveries ${id}` },
};

/** `octroi waiting`. */
export function waitingCommand(): Command {
  return commandFor(listWaiting, new Command('waiting'))
    .description(
      'List what waits for you, with the command for each: payments, disputes, refunds, support, TDS claims, e-invoices, erasures, exports, settlements, webhooks of yours. octroi doctor examines the installation itself.',
    )
    .addHelpText('after', '\nExamples:\n  octroi waiting\n  octroi waiting --json')
    .action((options: { json?: boolean }) => show(listWaiting, {}, options, linesOf).then(() => undefined));
}

function linesOf({ waiting }: OperatorReply<'listWaiting'>): string[] {
  if (waiting.length === 0) return ['Nothing waits for you.'];
  return waiting.flatMap(({ kind, id, about, since, due }, at) => {
    const { title, next } = kinds[kind];
    const times = [
      ...(since === null ? [] : [`since ${dayText(since)}`]),
      ...(due === null ? [] : [`due ${dayText(due)}`]),
    ];
    return [
      ...(waiting[at - 1]?.kind === kind ? [] : [`${title}:`]),
      `  ${[id, about].filter((each) => each !== null).join('  ')}${times.length > 0 ? ` (${times.join(', ')})` : ''}`,
      `    octroi ${next(id ?? '')}`,
    ];
  });
}

/** The day in India of an instant or a day. */
const dayText = (when: string): string => (when.length === 10 ? when : dayOf(Date.parse(when)));
