import { Command } from 'commander';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, withActionOptions } from '#cli/operator.ts';
import { istTime } from '#domain/day.ts';
import { formatRupees, rupees } from '#domain/money.ts';
import { asOperator, asReader } from '#server/operator-context.ts';
import { type PaymentFile, readPaymentFile, recheckPayment } from '#server/operator/payments.ts';

const which =
  'The id of a payment (pay_…), an order (order_…, ORD-…), a plan (CYC-…) or a refund, or a document number.';

/** `octroi payments …`. */
export function paymentsCommands(): Command {
  const payments = new Command('payments').description('Payments: everything of one, and what Razorpay says of it.');
  payments
    .command('show <of>')
    .description(
      `Show an order with its payments, plans, documents, refunds, disputes, settlements and deliveries of webhooks. ${which}`,
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  octroi payments show pay_N8FUmetkCE2hZP\n  octroi payments show OCT/26-27/000001 --json',
    )
    .action(show);
  withActionOptions(payments.command('recheck <of>'))
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

async function show(of: string, { json }: { json?: boolean }): Promise<void> {
  const file = await asReader((db) => readPaymentFile(db, of));
  printResult(json, onWire(file), linesOf(file));
}

async function recheck(of: string, options: ActionOptions): Promise<void> {
  await asOperator(async (operator) => {
    const file = await readPaymentFile(operator.db, of);
    if (options.dryRun === true)
      return printResult(options.json, { asked: false, ...onWire(file) }, [
        ...linesOf(file),
        'Razorpay would be asked; nothing was changed.',
      ]);
    await confirm(`Ask Razorpay about ${file.order.id}?`, options);
    const { before, after, isTakenUp } = await recheckPayment(operator, of, causeOf(options));
    if (!isTakenUp)
      throw new CommandFailed(
        `The running portal did not take it up within 20 seconds. Is it running? It will, once it is.`,
      );
    const changes = changesOf(before, after);
    return printResult(options.json, { asked: true, changes, ...onWire(after) }, [
      ...linesOf(after),
      ...(changes.length === 0 ? ['Razorpay was asked: nothing was missed.'] : ['What changed:', ...changes]),
    ]);
  });
}

/** Lines that are new. */
function changesOf(before: PaymentFile, after: PaymentFile): string[] {
  const known = new Set(linesOf(before));
  return linesOf(after).filter((line) => line.startsWith('  ') && !known.has(line));
}

const inRupees = <Row extends { amountPaise: number }>({ amountPaise, ...row }: Row) => ({
  ...row,
  amount: rupees(amountPaise),
});

/** Amounts in rupees. */
function onWire(file: PaymentFile): object {
  return {
    ...file,
    order: inRupees(file.order),
    cycles: file.cycles.map(inRupees),
    payments: file.payments.map(inRupees),
    documents: file.documents.map(({ totalPaise, ...document }) => ({ ...document, total: rupees(totalPaise) })),
    refunds: file.refunds.map(({ lossPaise, ...refund }) => ({ ...inRupees(refund), loss: rupees(lossPaise) })),
    disputes: file.disputes.map(inRupees),
    settlements: file.settlements.map(({ feePaise, ...item }) => ({ ...inRupees(item), fee: rupees(feePaise) })),
  };
}

const time = (at: Date | null): string => (at === null ? '' : istTime(at));

/** Two columns and more, without blanks at the end. */
const row = (...cells: (string | number | null)[]): string =>
  `  ${cells.filter((cell) => cell !== null && cell !== '').join('  ')}`;

const section = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [`${title}:`, ...lines]);

function linesOf({ order, ...file }: PaymentFile): string[] {
  const money = formatRupees;
  return [
    `${order.id}  ${order.providerOrderId ?? 'not created at Razorpay'}  ${money(order.amountPaise)}  ${order.status}  ${time(order.createdAt)}`,
    `of ${order.customerId}, ${order.activationId}`,
    ...section(
      'Plans',
      file.cycles.map((each) =>
        row(each.id, each.planName, money(each.amountPaise), each.status, `${each.fromDate} to before ${each.toDate}`),
      ),
    ),
    ...section(
      'Payments',
      file.payments.map((each) =>
        row(
          each.id,
          money(each.amountPaise),
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
      file.documents.map((each) => row(each.number, each.kind, each.issuedOn, money(each.totalPaise), each.id)),
    ),
    ...section(
      'Refunds',
      file.refunds.map((each) =>
        row(
          each.id,
          money(each.amountPaise),
          each.lossPaise > 0 ? `and a loss of ${money(each.lossPaise)}` : null,
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
      file.disputes.map((each) => row(each.id, money(each.amountPaise), each.status, time(each.respondBy))),
    ),
    ...section(
      'Settlements',
      file.settlements.map((each) =>
        row(each.id ?? 'not settled yet', each.type, money(each.amountPaise), `fee ${money(each.feePaise)}`, each.utr),
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
