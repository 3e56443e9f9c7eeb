import { Command, Option } from 'commander';
import { commandFor, show } from '#cli/operator.ts';
import { countArgument } from '#cli/pages.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { listWaiting, type WaitingKind, waitingKinds } from '#shared/contract/operator/waiting.ts';
import { dayOfText } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';

const titles: Record<WaitingKind, string> = {
  LEDGER_FAULT: 'Faults in the ledger',
  APPROVAL: 'Requests for a second person, at /operator',
  UNSETTLED_PAYMENT: 'Payments that are not settled',
  DISPUTE: 'Disputes to answer, on Razorpay’s dashboard',
  HELD_TRANSFER: 'Bank transfers that are held: do they pay?',
  REFUND_TO_TRANSFER: 'Refunds to transfer',
  REFUND_REFUSED: 'Refunds that Razorpay refuses or a bank returned',
  REFUND_LATE: 'Refunds that Razorpay has not paid after a week: ask Razorpay',
  SUPPORT_THREAD: 'Customers who wait for a reply',
  OVERDUE_BILL: 'Bills that are overdue',
  TDS_CLAIM: 'TDS claims to decide',
  E_INVOICE: 'Documents without an IRN',
  UNPRINTED_DOCUMENT: 'Documents without a PDF',
  ERASURE_REQUEST: 'Customers who ask to be erased',
  REMITTANCE: 'Exports without the proof of their payment',
  SETTLEMENTS: 'Settlements that differ from the books',
  ENDPOINT: 'Webhooks of yours that fail',
  FAILED_WORK: 'Work due by time that keeps failing',
  LEFT_JOURNAL: 'Journals of gateways that are gone',
  BACKUP: 'Backups',
  DOCTOR: 'What the doctor found',
  DATABASE_MOVED: 'A database that goes on elsewhere',
  SHORT_NUMBERS: 'Document numbers that run out',
  FAILED_MAIL: 'Mails that could not be sent',
  FAILED_WEBHOOK: 'Webhooks that fail',
  MANDATE: 'Mandates that Razorpay has not cancelled yet, and debits without a result',
  FAILED_PAYMENT: 'Payments that failed, and were not made again',
  UNPAID_PLAN: 'Plans that were to begin and are not paid',
  ENDING_PLAN: 'Plans that end, without one that follows',
};

/** `octroi waiting`. */
export function waitingCommand(): Command {
  return commandFor(listWaiting, new Command('waiting'))
    .description(
      'List what waits for you, with the command for each: money, papers, customers, and what the installation lacks. Of each kind the most urgent are listed.',
    )
    .addOption(new Option('--kind <kind>', 'only this kind').choices(waitingKinds))
    .option('--limit <count>', 'how many of a kind', countArgument, 5)
    .addHelpText('after', '\nExamples:\n  octroi waiting\n  octroi waiting --kind ENDING_PLAN --limit 1000 --json')
    .action(({ kind, limit, ...options }: { kind?: WaitingKind; limit: number; json?: boolean }) =>
      show(listWaiting, { kind, limit }, options, linesOf).then(() => undefined),
    );
}

function linesOf({ kinds }: OperatorReply<'listWaiting'>): string[] {
  if (kinds.length === 0) return ['Nothing waits for you.'];
  return kinds.flatMap(({ kind, count, hasMore, waiting }) => [
    `${titles[kind]}:`,
    ...waiting.flatMap(({ id, about, since, due, command }) => {
      const times = [
        ...(since === null ? [] : [`since ${dayOfText(since)}`]),
        ...(due === null ? [] : [`due ${dayOfText(due)}`]),
      ];
      return [
        `  ${[id, about].filter((each) => each !== null).join('  ')}${times.length > 0 ? ` (${times.join(', ')})` : ''}`,
        `    octroi ${command}`,
      ];
    }),
    ...moreOf(kind, count - waiting.length, hasMore),
  ]);
}

/** How many of a kind are not listed, and how to see them. */
function moreOf(kind: WaitingKind, more: number, hasMore: boolean): string[] {
  if (more > 0)
    return [`  ${hasMore ? 'More than ' : ''}${formatNumber(more)} more: octroi waiting --kind ${kind} --limit 1000`];
  return hasMore ? ['  More wait: these are the most urgent.'] : [];
}
