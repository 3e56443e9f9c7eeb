import { type Day } from '#shared/domain/day.ts';
import { type AgeBand, ageBandOf, ageBands } from '#shared/domain/pay-later.ts';

/** The statement of account of a customer who pays later (decision 081): the lines of its bills in the ledger, so its figures are the ledger's. */

export type StatementKind =
  /** What was sold, with its invoice. */
  | 'INVOICE'
  | 'PAYMENT'
  /** Tax (TDS) that was deducted from a payment, or proved by a certificate. */
  | 'TDS'
  | 'CREDIT_NOTE'
  /** A payment went back at the payment provider, and is due again. */
  | 'RETURNED'
  /** Nobody expects it any more: it is a bad debt of the provider. */
  | 'WRITTEN_OFF'
  /** It is due again: it was paid after all, or changed otherwise. */
  | 'REINSTATED';

export interface StatementLine {
  on: Day;
  kind: StatementKind;
  cycleId: string;
  /** The number of the document, or the id of the payment. */
  reference: string;
  /** Above zero: more is due by it. */
  paise: number;
}

export interface Statement {
  openingPaise: number;
  lines: (StatementLine & { balancePaise: number })[];
  closingPaise: number;
  /** What is written off at the end: owed, and due no more. */
  writtenOffPaise: number;
  /** What is due at the end, by how long it has been overdue then. */
  ageing: { band: AgeBand; paise: number }[];
}

/** The statement of some days, both included, from all lines in their order. `dueOn`: the last day of each bill. */
export function statementOf(
  lines: readonly StatementLine[],
  { from, to }: { from: Day; to: Day },
  dueOn: ReadonlyMap<string, Day>,
): Statement {
  const sum = (of: readonly StatementLine[]) => of.reduce((total, { paise }) => total + paise, 0);
  const until = lines.filter(({ on }) => on <= to);
  const openingPaise = sum(until.filter(({ on }) => on < from));
  let balancePaise = openingPaise;
  const shown = until
    .filter(({ on }) => on >= from)
    .map((line) => ({ ...line, balancePaise: (balancePaise += line.paise) }));
  const dueOfBill = new Map<string, number>();
  for (const { cycleId, paise } of until) dueOfBill.set(cycleId, (dueOfBill.get(cycleId) ?? 0) + paise);
  const bands = new Map<AgeBand, number>();
  for (const [cycleId, paise] of dueOfBill) {
    const band = ageBandOf(dueOn.get(cycleId) ?? to, to);
    bands.set(band, (bands.get(band) ?? 0) + paise);
  }
  const ageing = ageBands.map((band) => ({ band, paise: bands.get(band) ?? 0 }));
  const writtenOffPaise = 0 - sum(until.filter(({ kind }) => kind === 'WRITTEN_OFF' || kind === 'REINSTATED'));
  return { openingPaise, lines: shown, closingPaise: balancePaise, writtenOffPaise, ageing };
}
