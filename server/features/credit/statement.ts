import type { Db, Tx } from '#shared/database/connect.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { rupees } from '#shared/domain/money.ts';
import { type StatementKind, type StatementLine, statementOf } from '#shared/domain/statement.ts';
import type { Owner } from '#server/portal.ts';

/** The statement of account of a customer for some days, both included. */
export async function readStatement(owner: Owner, db: Db, span: { from: Day; to: Day }) {
  const { lines, dueOn } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({ lines: await selectLines(owner, tx), dueOn: await selectDueDays(owner, tx) }));
  const statement = statementOf(lines, span, dueOn);
  return {
    ...span,
    opening: rupees(statement.openingPaise),
    lines: statement.lines.map(({ on, kind, reference, paise, balancePaise }) => ({
      on,
      kind,
      reference,
      amount: rupees(paise),
      balance: rupees(balancePaise),
    })),
    closing: rupees(statement.closingPaise),
    writtenOff: rupees(statement.writtenOffPaise),
    ageing: statement.ageing.map(({ band, paise }) => ({ band, amount: rupees(paise) })),
  };
}

async function selectDueDays(owner: Owner, tx: Tx): Promise<Map<string, Day>> {
  const bills = await tx
    .selectFrom('credit_bills')
    .select(['cycle_id', 'due_on'])
    .where('customer_id', '=', owner.customerId)
    .execute();
  return new Map(bills.map(({ cycle_id: cycleId, due_on: dueOn }) => [cycleId, dueOn]));
}

/** Every line of the customer's bills in the ledger, in the order of the chain; a payment less tax (TDS) is two. */
async function selectLines(owner: Owner, tx: Tx): Promise<StatementLine[]> {
  const rows = await tx
    .selectFrom('ledger_entries')
    .innerJoin('ledger_lines', 'ledger_lines.entry_id', 'ledger_entries.id')
    .leftJoin('ledger_lines as tds', (join) =>
      join
        .onRef('tds.entry_id', '=', 'ledger_entries.id')
        .on('tds.account', '=', 'tds')
        .on('ledger_entries.refund_id', 'is', null),
    )
    .leftJoin('refunds', 'refunds.id', 'ledger_entries.refund_id')
    .select(['ledger_entries.kind', 'ledger_entries.payment_id', 'ledger_entries.cycle_id', 'ledger_entries.posted_at'])
    .select(['ledger_lines.amount_paise as paise', 'tds.amount_paise as tds_paise'])
    .select(['refunds.origin', 'refunds.amount_paise'])
    .where('ledger_entries.customer_id', '=', owner.customerId)
    .where('ledger_lines.account', '=', 'receivables')
    .orderBy('ledger_entries.position')
    .execute();
  const documents = await tx
    .selectFrom('documents')
    .select(['kind', 'number', 'cycle_id', 'total_paise', 'refers_to'])
    .where('customer_id', '=', owner.customerId)
    .where('cycle_id', 'in', (of) =>
      of.selectFrom('credit_bills').select('cycle_id').where('customer_id', '=', owner.customerId),
    )
    .orderBy('issued_at')
    .orderBy('sequence')
    .execute();
  const ofCycle = groupBy(documents, ({ cycle_id: cycleId }) => cycleId);
  const used = new Set<string>();
  /** Each document once, in the order of their issue. */
  const take = (cycleId: string, matches: (document: (typeof documents)[number]) => boolean): string | undefined => {
    const found = ofCycle.get(cycleId)?.find((each) => !used.has(each.number) && matches(each));
    if (found) used.add(found.number);
    return found?.number;
  };
  const invoices = new Map(
    documents
      .filter(({ kind, refers_to: refersTo }) => kind === 'INVOICE' && refersTo === null)
      .toReversed()
      .map(({ cycle_id: cycleId, number }) => [cycleId, number]),
  );
  return rows.flatMap((row): StatementLine[] => {
    const { cycle_id: cycleId, payment_id: paymentId, paise, tds_paise: tdsPaise } = row;
    if (cycleId === null || paymentId === null) return [];
    const about = { on: dayOf(row.posted_at.getTime()), cycleId };
    const line = (kind: StatementKind, reference: string | undefined, amount: number) => ({
      ...about,
      kind,
      reference: reference ?? paymentId,
      paise: amount,
    });
    if (row.kind === 'BILLED') return [line('INVOICE', invoices.get(cycleId), paise)];
    if (row.kind === 'WRITTEN_OFF' || row.kind === 'REINSTATED') return [line(row.kind, invoices.get(cycleId), paise)];
    if (row.kind === 'REFUND_DUE') return [line('RETURNED', undefined, paise)];
    if (row.kind === 'REFUND_OFFSET') {
      if (row.origin === 'TDS') return [line('TDS', undefined, paise)];
      return [
        line(
          'CREDIT_NOTE',
          take(cycleId, (each) => each.kind === 'CREDIT_NOTE' && each.total_paise === row.amount_paise),
          paise,
        ),
      ];
    }
    if (tdsPaise === null) return [line('PAYMENT', undefined, paise)];
    return [line('PAYMENT', undefined, paise + tdsPaise), line('TDS', undefined, -tdsPaise)];
  });
}
