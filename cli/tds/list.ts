import { formatRupees, rupees } from '#domain/money.ts';
import { tdsStatuses } from '#domain/tds.ts';
import { readTdsReceivable, selectToday, tdsReceivableCsv } from '#server/features/bookkeeping/bookkeeping.ts';
import { type ListedClaim, listClaims } from '#server/features/tds/tds.ts';
import { asReader } from '#server/operator-context.ts';
import { printCsv, printResult } from '#cli/command-result.ts';

interface Options {
  json?: boolean;
}

export async function listTdsClaims({ json, status }: Options & { status: string }): Promise<void> {
  const wanted = tdsStatuses.find((each) => each === status);
  const claims = await asReader((db) => listClaims(db, wanted));
  const lines =
    claims.length === 0 ? [`No claims${wanted === 'WAITING' ? ' are waiting' : ''}.`] : claims.flatMap(linesOf);
  printResult(json, claims.map(jsonOf), lines);
}

function linesOf(claim: ListedClaim): string[] {
  return [
    `${claim.id}  ${claim.status}  ${formatRupees(claim.amountPaise)} of ${formatRupees(claim.taxablePaise)} on ${claim.invoice}, s. ${claim.section}, ${claim.quarter}`,
    `  ${claim.customer} (${claim.gstin ?? claim.customerId}), TAN ${claim.tan}, declared on ${claim.declaredOn} with ${claim.certificateName}`,
    ...(claim.reason === null ? [] : [`  ${claim.reason}`]),
  ];
}

function jsonOf({ amountPaise, taxablePaise, ...claim }: ListedClaim): object {
  return { ...claim, amount: rupees(amountPaise), taxableValue: rupees(taxablePaise) };
}

export async function tdsReceivable({ json }: Options): Promise<void> {
  const rows = await asReader(async (db, clock) => readTdsReceivable(db, await selectToday(db, clock)));
  printCsv(json, rows, tdsReceivableCsv(rows));
}
