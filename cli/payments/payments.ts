import { Command, Option } from 'commander';
import { monthArgument } from '#cli/arguments.ts';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import { linesOfPage, type PageOptions, withPageOptions } from '#cli/pages.ts';
import { listPayments, type PaymentFile, readPayment, recheckPayment } from '#shared/contract/operator/payments.ts';
import { istTime } from '#shared/domain/day.ts';
import { formatMoney, rupees, toPaise } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';
import { paymentStatuses } from '#shared/domain/payment.ts';

const which =
  'The id of a payment (pay_…), an order (order_…, ORD-…), a plan (CYC-…) or a refund, or a document number.';

/** `octroi payments …`. */
export function paymentsCommands(): Command {
  const payments = new Command('payments').description(
    'Payments: all of them, everything of one, and what Razorpay says of it.',
  );
  withPageOptions(commandFor(listPayments, payments.command('list')))
    .description('List payments, newest first, with why one failed, what was refunded, and disputes.')
    .option('--customer <customer>', 'only those of one customer')
    .addOption(new Option('--status <status>', 'only those').choices(paymentStatuses))
    .option('--month <month>', 'only those that began in it, such as 2026-11', monthArgument)
    .addHelpText(
      'after',
      '\nExamples:\n  octroi payments list --status failed\n  octroi payments list --customer CUS-7K2M9QX4TB01',
    )
    .action(printPayments);
  commandFor(readPayment, payments.command('show <of>'))
    .description(
      `Show an order with its payments, plans, documents, refunds, disputes, settlements and deliveries of webhooks. ${which}`,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  octroi payments show pay_N8FUmetkCE2hZP\n  octroi payments show OCT/26-27/000001 --json',
    )
    .action(showOne);
  commandFor(recheckPayment, payments.command('recheck <of>'))
    .description(
      `Have the running portal ask Razorpay about an order now and carry out what was missed: payments, refunds, and deliveries that wait. ${which}`,
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 asked, and shows what changed; 1 no running portal took it up, or nothing is known; 2 wrong command line.

Example:
  octroi payments recheck pay_N8FUmetkCE2hZP --reason "The customer says that it was debited" --yes`,
    )
    .action(recheck);
  return payments;
}

interface ListOptions extends PageOptions {
  customer?: string;
  status?: string;
  month?: Month;
}

async function printPayments({ customer, status, month, limit, after, ...options }: ListOptions): Promise<void> {
  const wanted = paymentStatuses.find((each) => each === status);
  await show(
    listPayments,
    { customerId: customer, status: wanted, month, limit, after },
    options,
    ({ payments, next }) =>
      linesOfPage(
        payments.flatMap(({ id, currency, refunded, ...payment }) => [
          row(
            id,
            time(payment.createdAt),
            money(payment.amount, currency),
            payment.use === 'HELD' ? 'held' : payment.status,
            payment.method,
            payment.due === null ? '' : `${money(payment.due, currency)} due`,
            payment.planName,
            payment.customerId,
            payment.customer,
            payment.fault,
          ).trimStart(),
          ...(refunded === 0 ? [] : [row(`${money(refunded, currency)} refunded`)]),
          ...payment.disputes.map((dispute) => row(`disputed: ${dispute.id}`, dispute.status, dispute.reason)),
        ]),
        next,
        'No payments.',
      ),
  );
}

async function showOne(of: string, options: { json?: boolean }): Promise<void> {
  await show(readPayment, { of }, options, linesOf);
}

const recheck = (of: string, options: ActionOptions): Promise<void> =>
  act(recheckPayment, { of }, options, {
    did: 'asked',
    effect: (before) => [...linesOf(before), 'Razorpay is asked.'],
    question: ({ order }) => `Ask Razorpay about ${order.id}?`,
    done: (after, before) => {
      const changes = changesOf(before, after);
      return [
        ...linesOf(after),
        ...(changes.length === 0 ? ['Razorpay was asked: nothing was missed.'] : ['What changed:', ...changes]),
      ];
    },
    also: (after, before) => ({ changes: changesOf(before, after) }),
  });

/** Lines that are new. */
function changesOf(before: PaymentFile, after: PaymentFile): string[] {
  const known = new Set(linesOf(before));
  return linesOf(after).filter((line) => line.startsWith('  ') && !known.has(line));
}

const time = (at: string | null): string => (at === null ? '' : istTime(new Date(at)));
const money = (amount: number, currency = 'INR'): string => formatMoney(toPaise(amount), currency);
const less = (amount: number, part: number): number => rupees(toPaise(amount) - toPaise(part));

/** Two columns and more, without blanks at the end. */
const row = (...cells: (string | number | null)[]): string =>
  `  ${cells.filter((cell) => cell !== null && cell !== '').join('  ')}`;

const section = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [`${title}:`, ...lines]);

function linesOf({ order, ...file }: PaymentFile): string[] {
  return [
    `${order.id}  ${order.providerOrderId ?? 'not created at Razorpay'}  ${money(order.amount)}  ${order.status}  ${time(order.createdAt)}`,
    `of ${order.customerId}, ${order.activationId}`,
    ...section(
      'Plans',
      file.cycles.map((each) =>
        row(each.id, each.planName, money(each.amount), each.status, `${each.fromDate} to before ${each.toDate}`),
      ),
    ),
    ...section(
      'Payments',
      file.payments.map((each) =>
        row(
          each.id,
          money(each.amount, each.currency),
          each.status,
          each.use && `for ${each.use}`,
          each.method,
          time(each.capturedAt ?? each.createdAt),
          each.fault,
        ),
      ),
    ),
    ...section(
      'Not settled yet',
      file.unsettled.map((each) => row(each.paymentId, `since ${time(each.since)}`, `${each.tries} tries`, each.fault)),
    ),
    ...section(
      'Documents',
      file.documents.map((each) => row(each.number, each.kind, each.issuedOn, money(each.total), each.id)),
    ),
    ...section(
      'Refunds',
      file.refunds.map((each) =>
        row(
          each.id,
          money(each.amount, each.currency),
          each.withheld > 0
            ? `of which ${money(each.withheld, each.currency)} never came (TDS), and nobody pays it out`
            : null,
          each.offset > 0
            ? `of which ${money(each.offset, each.currency)} lowered the bill, and is not paid out`
            : null,
          less(less(each.covered, each.withheld), each.offset) > 0
            ? `of which ${money(less(less(each.covered, each.withheld), each.offset), each.currency)} was paid by the refund or dispute that covers it`
            : null,
          each.covers > 0 ? `of which ${money(each.covers, each.currency)} pays refunds of this list` : null,
          each.loss > 0 ? `and a loss of ${money(each.loss, each.currency)}` : null,
          each.status,
          `by ${each.origin}`,
          each.providerRefundId,
          each.payout === 'TRANSFER' ? `by transfer ${each.utr ?? '(waits)'}` : null,
          each.cycleId,
          each.reason,
          each.refusal,
        ),
      ),
    ),
    ...section(
      'Disputes',
      file.disputes.map((each) => row(each.id, money(each.amount, each.currency), each.status, time(each.respondBy))),
    ),
    ...section(
      'Settlements',
      file.settlements.map((each) =>
        row(
          each.id ?? 'not settled yet',
          each.type,
          money(each.amount, each.currency),
          `fee ${money(each.fee, each.currency)}`,
          each.utr,
        ),
      ),
    ),
    ...section(
      'Deliveries of webhooks',
      file.webhooks.map((each) =>
        row(
          each.event,
          time(each.receivedAt),
          each.processedAt === null ? `${each.tries} tries` : 'handled',
          each.fault,
        ),
      ),
    ),
  ];
}
