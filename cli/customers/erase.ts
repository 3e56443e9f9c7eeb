import type { Command } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import { renewalLines } from '#cli/renewal-effect.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { eraseCustomer, listErasureRequests } from '#shared/contract/operator/privacy.ts';
import { istTime } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

type Erasure = OperatorReply<'eraseCustomer'>;

interface EraseOptions extends ActionOptions {
  endPlans?: boolean;
  withinYear?: boolean;
}

/** `octroi customers erase` and `requests`. */
export function addEraseCommands(customers: Command): void {
  commandFor(eraseCustomer, customers.command('erase <customer>'))
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
  commandFor(listErasureRequests, customers.command('requests'))
    .description('List the customers who ask to be erased, oldest first.')
    .addHelpText('after', '\nExample:\n  octroi customers requests')
    .action(listRequests);
}

async function erase(customerId: string, options: EraseOptions): Promise<void> {
  const despite = { endPlans: options.endPlans === true, withinYear: options.withinYear === true };
  await act(eraseCustomer, { customerId, ...despite }, options, {
    did: 'changed',
    effect: (facts) => [`${facts.customerId}  ${facts.name} <${facts.email}>`, ...effectOf(facts)],
    question: 'Erase this customer? This can’t be undone.',
    done: (erased) => [
      `${erased.customerId} is erased. ${keptLine(erased.kept)}`,
      erased.effectiveBy === null
        ? 'Every running gateway refuses the keys from now on.'
        : `A gateway has not confirmed it; from ${erased.effectiveBy} at the latest all of them refuse the keys.`,
      ...privatePlanLines(erased),
      'Backups made before still have the data: after a restore of one, erase the customer again.',
    ],
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
  refund,
  renewals,
  privatePlans,
}: Erasure): string[] {
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
    askedAt === null
      ? 'The customer has not asked for it in the portal.'
      : `Asked for on ${istTime(new Date(askedAt))}.`,
    `All ${keysInUse} keys will be refused, every session ends, and webhooks, reports and mails stop.`,
    'Records by kind:',
    ...rows,
    keptLine(kept),
    ...paidPlans.map(
      ({ planName, cycleId, toDate }) =>
        `Paid until ${toDate}: ${planName} (${cycleId}); it ends only with --end-plans.`,
    ),
    ...(refund > 0 ? [`With --end-plans ${formatRupees(toPaise(refund))} is refunded for what is left of them.`] : []),
    ...renewals.flatMap(({ planName, ...effect }) => renewalLines(effect).map((line) => `${planName}: ${line}`)),
    ...privatePlanLines({ privatePlans }),
    ...open.map((each) => `In the way: ${each}.`),
    ...(notBefore === null
      ? []
      : [`In the way: not before ${notBefore} (DPDP Rules 2025, rule 8(3)); --within-year erases in spite of it.`]),
    'The customer gets a last mail. This can’t be undone.',
  ];
}

const privatePlanLines = ({ privatePlans }: Pick<Erasure, 'privatePlans'>): string[] =>
  privatePlans.map(
    ({ productId, planId }) =>
      `The catalogue names the address: take it out of plan ${planId} of ${productId}, with octroi catalog apply. Earlier versions keep it.`,
  );

const keptLine = (kept: Erasure['kept']): string =>
  kept === null
    ? 'There are no papers that the law requires to be kept.'
    : `Papers and entries of money stay until ${kept.gst} at least (CGST Act s. 36), those of a company until ${kept.books} (Companies Act s. 128(5)).`;

async function listRequests(options: { json?: boolean }): Promise<void> {
  await show(listErasureRequests, {}, options, ({ requests }) =>
    requests.length === 0 ? ['Nobody asks to be erased.'] : requests.map(describe),
  );
}

type OpenRequest = OperatorReply<'listErasureRequests'>['requests'][number];

const describe = ({ id, customerId, name, email, askedAt, isLate }: OpenRequest): string =>
  `${id}  ${customerId}  ${name} <${email}>  asked ${istTime(new Date(askedAt))}${isLate ? '  LATE' : ''}`;
