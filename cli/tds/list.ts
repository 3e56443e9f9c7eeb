import { printCsv } from '#cli/command-result.ts';
import { show } from '#cli/operator.ts';
import { type ListedClaim, listTdsClaims } from '#shared/contract/operator/tds.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { tdsStatuses } from '#shared/domain/tds.ts';
import { readTdsReceivable, selectToday, tdsReceivableCsv } from '#server/features/bookkeeping/bookkeeping.ts';
import { asReader } from '#server/operator-context.ts';

interface Options {
  json?: boolean;
}

export async function printClaims({ status, ...options }: Options & { status: string }): Promise<void> {
  const wanted = tdsStatuses.find((each) => each === status);
  await show(listTdsClaims, { status: wanted }, options, (claims) =>
    claims.length === 0 ? [`No claims${wanted === 'WAITING' ? ' are waiting' : ''}.`] : claims.flatMap(linesOf),
  );
}

const money = (amount: number): string => formatRupees(toPaise(amount));

function linesOf(claim: ListedClaim): string[] {
  return [
    `${claim.id}  ${claim.status}  ${money(claim.amount)} of ${money(claim.taxableValue)} on ${claim.invoice}, s. ${claim.section}, ${claim.quarter}`,
    `  ${claim.customer} (${claim.gstin ?? claim.customerId}), TAN ${claim.tan}, declared on ${claim.declaredOn} with ${claim.certificateName}`,
    ...(claim.reason === null ? [] : [`  ${claim.reason}`]),
  ];
}

export async function tdsReceivable({ json }: Options): Promise<void> {
  const rows = await asReader(async (db, clock) => readTdsReceivable(db, await selectToday(db, clock)));
  printCsv(json, rows, tdsReceivableCsv(rows));
}
