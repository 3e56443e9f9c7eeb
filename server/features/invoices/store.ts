import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { sha256 } from '#server/platform/ids.ts';
import type { Caller } from '#server/portal.ts';

/**
 * The next number of a series in a financial year. The row stays locked until the transaction ends, so that numbers have no
 * gaps and none is given twice (CGST Rule 46(b)).
 */
export async function nextInSeries(tx: Tx, series: string, financialYear: string): Promise<number> {
  const { last_number: number } = await tx
    .insertInto('document_series')
    .values({ series, financial_year: financialYear, last_number: 1 })
    .onConflict((conflict) =>
      conflict.columns(['series', 'financial_year']).doUpdateSet({ last_number: sql`document_series.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return number;
}

export async function insertInvoice(
  caller: Caller,
  tx: Tx,
  invoice: {
    number: string;
    series: string;
    financialYear: string;
    sequence: number;
    cycleId: string;
    issuedAt: Date;
    totalPaise: number;
    content: object;
    pdf: Buffer;
  },
): Promise<void> {
  await tx
    .insertInto('invoices')
    .values({
      number: invoice.number,
      series: invoice.series,
      financial_year: invoice.financialYear,
      sequence: invoice.sequence,
      cycle_id: invoice.cycleId,
      customer_id: caller.customerId,
      issued_at: invoice.issuedAt,
      total_paise: invoice.totalPaise,
      content: JSON.stringify(invoice.content),
      pdf: invoice.pdf,
      pdf_sha256: sha256(invoice.pdf),
    })
    .execute();
}

/** The number of the invoice of one of the caller's cycles; undefined without the cycle, null without an invoice. */
export async function selectInvoiceNumber(caller: Caller, db: Db, cycleId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('cycles')
    .leftJoin('invoices', 'invoices.cycle_id', 'cycles.id')
    .select('invoices.number')
    .where('cycles.id', '=', cycleId)
    .where('cycles.customer_id', '=', caller.customerId)
    .executeTakeFirst();
  return row && row.number;
}

/** The file of a cycle's invoice. Whoever holds a signed link acts for the customer who asked for it. */
export function selectInvoiceFile(db: Db, cycleId: string) {
  return db.selectFrom('invoices').select(['number', 'pdf']).where('cycle_id', '=', cycleId).executeTakeFirst();
}
