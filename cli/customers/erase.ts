import type { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { type Day, dayOf, istTime } from '#domain/day.ts';
import { isRequestLate } from '#domain/erasure.ts';
import { formatRupees } from '#domain/money.ts';
import { asOperator, asReader } from '#server/operator-context.ts';
import { type ErasureFacts, readErasureFacts } from '#server/operator/erasure-facts.ts';
import { eraseByOperator, listErasureRequests, type OpenRequest } from '#server/operator/erasure.ts';

interface EraseOptions extends ActionOptions {
  endPlans?: boolean;
  withinYear?: boolean;
}

/** `octroi customers erase` and `requests`. */
export function addEraseCommands(customers: Command): void {
  withActionOptions(customers.command('erase <customer>'))
    .option(
      '--end-plans',
      'end paid plans that still run; their days are forfeited, unless the plan refunds unused ones',
    )
    .option('--within-year', 'erase although data is kept for a year from 13 May 2027 on (DPDP Rules 2025, rule 8(3))')
    .description(
      'Erase a customer for good (DPDP Act): keys and sessions end at once, and everything that names the person is deleted or made anonymous. Invoices, ledger and what else tax law requires stay.',
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 erased; 1 not erased, the message says why; 2 wrong command line.

Examples:
  octroi customers erase CUS-7K2M9QX4TB01 --reason "Asked by the customer" --dry-run
  octroi customers erase CUS-7K2M9QX4TB01 --reason "Asked by the customer" --yes`,
    )
    .action(erase);
  customers
    .command('requests')
    .description('List the customers who ask to be erased, oldest first.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  octroi customers requests')
    .action(listRequests);
}

async function erase(id: string, options: EraseOptions): Promise<void> {
  await asOperator(async (operator) => {
    const facts = await readErasureFacts(operator.db, operator.catalog, id, dayOf(operator.clock()));
    const lines = [`${facts.customerId}  ${facts.name} <${facts.email}>`, ...effectOf(facts)];
    if (options.dryRun === true) return printResult(options.json, { changed: false, ...facts }, lines);
    showEffect(lines, options);
    await confirm('Erase this customer? This can’t be undone.', options);
    const done = await eraseByOperator(operator, id, causeOf(options), {
      endPlans: options.endPlans === true,
      withinYear: options.withinYear === true,
    });
    return printResult(options.json, { changed: true, ...done }, [
      `${done.customerId} is erased. ${keptLine(done.kept)}`,
      done.effectiveBy === null
        ? 'Every running gateway refuses the keys from now on.'
        : `A gateway has not confirmed it; from ${done.effectiveBy} at the latest all of them refuse the keys.`,
      ...privatePlanLines(done),
      'Backups made before still have the data: after a restore of one, erase the customer again.',
    ]);
  });
}

function effectOf({
  askedAt,
  keysInUse,
  paidPlans,
  open,
  kept,
  notBefore,
  counts,
  refundPaise,
  privatePlans,
}: ErasureFacts): string[] {
  const rows = counts.map(({ kind, what, deleted, madeAnonymous, kept: stays, keptNumbers }) => {
    const parts = [
      deleted > 0 ? `${deleted} deleted` : '',
      madeAnonymous > 0 ? `${madeAnonymous} made anonymous` : '',
      stays > 0 ? `${stays} kept` : '',
      keptNumbers > 0 ? `${keptNumbers} kept, ids and numbers only` : '',
    ];
    return `  ${kind} (${what}): ${parts.filter((part) => part !== '').join(', ')}`;
  });
  return [
    askedAt === null ? 'The customer has not asked for it in the portal.' : `Asked for on ${istTime(askedAt)}.`,
    `All ${keysInUse} keys will be refused, every session ends, and webhooks, reports and mails stop.`,
    'Records by kind:',
    ...rows,
    keptLine(kept),
    ...paidPlans.map(
      ({ planName, cycleId, toDate }) =>
        `Paid until ${toDate}: ${planName} (${cycleId}); it ends only with --end-plans.`,
    ),
    ...(refundPaise > 0 ? [`With --end-plans ${formatRupees(refundPaise)} is refunded for what is left of them.`] : []),
    ...privatePlanLines({ privatePlans }),
    ...open.map((each) => `In the way: ${each}.`),
    ...(notBefore === null
      ? []
      : [`In the way: not before ${notBefore} (DPDP Rules 2025, rule 8(3)); --within-year erases in spite of it.`]),
    'The customer gets a last mail. This can’t be undone.',
  ];
}

const privatePlanLines = ({ privatePlans }: Pick<ErasureFacts, 'privatePlans'>): string[] =>
  privatePlans.map(
    ({ productId, planId }) =>
      `The catalogue names the address: take it out of plan ${planId} of ${productId}, with octroi catalog apply. Earlier versions keep it.`,
  );

const keptLine = (kept: ErasureFacts['kept']): string =>
  kept === null
    ? 'There are no papers that the law requires to be kept.'
    : `Papers and entries of money stay until ${kept.gst} at least (CGST Act s. 36), those of a company until ${kept.books} (Companies Act s. 128(5)).`;

async function listRequests({ json }: { json?: boolean }): Promise<void> {
  await asReader(async (db, clock) => {
    const requests = await listErasureRequests(db);
    const today = dayOf(clock());
    const lines = requests.map((request) => describe(request, today));
    printResult(json, { requests }, lines.length === 0 ? ['Nobody asks to be erased.'] : lines);
  });
}

function describe({ id, customerId, name, email, askedAt }: OpenRequest, today: Day): string {
  const late = isRequestLate(dayOf(askedAt.getTime()), today) ? '  LATE' : '';
  return `${id}  ${customerId}  ${name} <${email}>  asked ${istTime(askedAt)}${late}`;
}
