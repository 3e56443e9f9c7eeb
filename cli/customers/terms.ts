import { type Command, InvalidArgumentError } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import { listBills, readStatementOf, setCreditTerms, writeOffBill } from '#shared/contract/operator/credit.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

const rupeesText = (rupees: number): string => formatRupees(toPaise(rupees));

type Terms = Pick<OperatorReply<'setCreditTerms'>, 'limit' | 'days' | 'stopAfterDays'>;

const termsText = ({ limit, days, stopAfterDays }: Terms): string =>
  limit === 0
    ? 'pays at once'
    : `may pay later: up to ${rupeesText(limit)} at once, within ${days} days; plans that are not paid stop ${stopAfterDays} days after that`;

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}

function rupeesOf(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('must be rupees, such as 50000.');
  return Number(text);
}

interface TermsOptions extends ActionOptions {
  limit: number;
  days?: number;
  stopAfter?: number;
}

/** `octroi customers terms`, `bills`, `write-off` and `statement` (decision 081). */
export function addTermsCommands(customers: Command): void {
  commandFor(setCreditTerms, customers.command('terms <customer>'))
    .description(
      'Let a business pay later: up to a limit, within some days; or end that with --limit 0. What was sold so stays as it was agreed.',
    )
    .requiredOption(
      '--limit <rupees>',
      'as much may be due at once; 0: nothing more is sold to be paid later',
      rupeesOf,
    )
    .option(
      '--days <days>',
      'from the day of the invoice to the last day for its payment (as before; 30 at first)',
      wholeNumber,
    )
    .option(
      '--stop-after <days>',
      'so many days overdue, the plans that are not paid stop (as before; 15 at first)',
      wholeNumber,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  octroi customers terms CUS-7K2M9QX4TB01 --limit 50000 --days 30 --reason "Framework contract 7"\n  octroi customers terms CUS-7K2M9QX4TB01 --limit 0 --reason "Pays late"',
    )
    .action((customerId: string, { limit, days, stopAfter: stopAfterDays, ...options }: TermsOptions) =>
      act<'setCreditTerms'>(setCreditTerms, { customerId, limit, days, stopAfterDays }, options, {
        did: 'changed',
        effect: (facts) => [
          `${facts.customerId}  ${facts.name} <${facts.email}>`,
          `Until now it ${facts.before === null ? 'pays at once' : termsText(facts.before)}.`,
          `From now on it ${termsText(facts)}.`,
          ...(facts.due > 0 ? [`${rupeesText(facts.due)} are due; they stay due on their days.`] : []),
          ...(facts.warning === null ? [] : [facts.warning]),
        ],
        question: 'Set these terms?',
        done: (facts) => [`${facts.customerId} ${termsText(facts)}.`],
      }),
    );
  commandFor(listBills, customers.command('bills [customer]'))
    .description(
      'Bills of what is paid later of which something is due, or was written off, of one customer or all, the longest due first.',
    )
    .addHelpText('after', '\nExample:\n  octroi customers bills CUS-7K2M9QX4TB01')
    .action(async (customerId: string | undefined, options: { json?: boolean }) => {
      await show(listBills, customerId === undefined ? {} : { customerId }, options, ({ terms, bills }) => [
        ...(terms === null ? [] : [`The customer ${termsText(terms)}.`]),
        ...(bills.length === 0
          ? ['Nothing is due.']
          : bills.map(
              ({ invoice, due, writtenOff, dueOn, state, customerId: id, customer, billingCycleId }) =>
                `${invoice}  ${rupeesText(due + writtenOff)}  due on ${dueOn}  ${state}  ${id}  ${customer}  ${billingCycleId}`,
            )),
      ]);
    });
  commandFor(writeOffBill, customers.command('write-off <bill>'))
    .description(
      'Write off what is due of a bill that will not be paid, by its invoice or plan, as a bad debt. It can still be paid, and the tax stays as it is.',
    )
    .addHelpText('after', '\nExample:\n  octroi customers write-off OCT/26-27/000042 --reason "In liquidation"')
    .action((cycleId: string, options: ActionOptions) =>
      act<'writeOffBill'>(writeOffBill, { cycleId }, options, {
        did: 'changed',
        effect: ({ customerId, customer, invoice, amount, dueOn }) => [
          `${invoice} of ${customerId} ${customer}: ${rupeesText(amount)} was due on ${dueOn}.`,
          'Nothing of it is due any more: no reminders, and no other plan stops for it. Its plan stays stopped, and the customer pays later no more until it is paid.',
          'There is no credit note, and its tax stays paid (CGST Act s. 34). The books have it under Bad debts.',
        ],
        question: 'Write it off?',
        done: ({ invoice, amount }) => [`${rupeesText(amount)} of ${invoice} are written off.`],
      }),
    );
  commandFor(readStatementOf, customers.command('statement <customer>'))
    .description('The statement of account of what a customer pays later, for some days, both included.')
    .requiredOption('--from <day>', 'the first day, such as 2026-04-01')
    .requiredOption('--to <day>', 'the last day')
    .addHelpText('after', '\nExample:\n  octroi customers statement CUS-7K2M9QX4TB01 --from 2026-04-01 --to 2026-11-30')
    .action(async (customerId: string, { from, to, ...options }: { from: string; to: string; json?: boolean }) => {
      await show(readStatementOf, { customerId, from, to }, options, (statement) => [
        `${statement.from}  opening balance  ${rupeesText(statement.opening)}`,
        ...statement.lines.map(
          ({ on, kind, reference, amount, balance }) =>
            `${on}  ${kind}  ${reference}  ${rupeesText(amount)}  ${rupeesText(balance)}`,
        ),
        `${statement.to}  closing balance  ${rupeesText(statement.closing)}`,
        ...(statement.writtenOff > 0 ? [`WRITTEN_OFF  ${rupeesText(statement.writtenOff)}`] : []),
        ...statement.ageing
          .filter(({ amount }) => amount > 0)
          .map(({ band, amount }) => `${band}  ${rupeesText(amount)}`),
      ]);
    });
}
