import { CommandFailed, exitCodes } from '#cli/command-result.ts';
import { show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type MonthEndStep, readMonthEnd, type StepOfMonthEnd } from '#shared/contract/operator/month-end.ts';
import { dayOfText } from '#shared/domain/day.ts';
import type { Month } from '#shared/domain/month.ts';

const states: Record<StepOfMonthEnd['state'], string> = {
  DONE: 'done',
  TO_DO: 'to do',
  DIFFERS: 'differs',
  NOT_YET: 'not yet',
};

/** The command for each step. */
const commands: Record<MonthEndStep, (month: Month) => string> = {
  SETTLEMENT_CHECK: (month) => `settlements ${month}`,
  MISSING_IRNS: () => 'e-invoices list',
  HELD_TRANSFERS: () => 'transfers list',
  WAITING_TDS_CLAIMS: () => 'tds list',
  OVERDUE_BILLS: () => 'customers bills',
  UNPAID_REFUNDS: () => 'refunds list',
  MISSING_PROOFS: () => 'remittances list',
  BOOKS_CHECK: () => 'verify-ledger',
  GSTR1: (month) => `gstr1 ${month}`,
  GSTR3B: (month) => `gstr3b ${month}`,
  BOOKS_FILES: (month) => `accounts export ${month}`,
  MONTH_PACK: (month) => `month-pack ${month}`,
  LOCK: (month) => `accounts lock ${month} --reason "GSTR-1 and GSTR-3B filed"`,
};

/** `octroi month-end`. */
export async function printMonthEnd(month: Month | undefined, options: { json?: boolean }): Promise<void> {
  const { steps } = await show(readMonthEnd, { month }, options, linesOf);
  const left = steps.filter(({ state }) => state !== 'DONE').length;
  if (left > 0) throw new CommandFailed(`${left} of ${steps.length} steps are left.`, exitCodes.faults);
}

function linesOf({ month, steps }: OperatorReply<'readMonthEnd'>): string[] {
  return [
    `Month end of ${month}`,
    ...steps.flatMap(({ step, state, about, since, by, findings }) => [
      `${states[state].padEnd(8)} ${step}: ${about}${since === null ? '' : `, since ${dayOfText(since)}`}${by === null ? '' : ` by ${by}`}`,
      ...findings.map((finding) => `           ${finding}`),
      ...(state === 'DONE' ? [] : [`           octroi ${commands[step](month)}`]),
    ]),
  ];
}
