import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows, sumOf } from '#shared/database/expressions.ts';
import { firstDayOf, lastDayOf, type Month } from '#shared/domain/month.ts';

/** The largest ZIP that is attached: mail servers usually take 20 MB or more, and base64 adds a third. */
const maxAttachedBytes = 10_000_000;

/** A document whose PDF isn't made yet counts as this much. */
const usualBytes = 100_000;

/** How many documents a month has, of a customer or of all (then with those amended in it), and whether their ZIP is small enough for a mail. PDFs hardly shrink in a ZIP. */
export async function measurePack(db: Db | Tx, month: Month, customerId?: string) {
  let query = db
    .selectFrom('documents')
    .leftJoin('document_files', 'document_files.document_id', 'documents.id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .leftJoin('amendment_files', 'amendment_files.document_id', 'documents.id')
    .select((row) => [
      countRows().as('documents'),
      countRows(row('document_files.document_id', 'is', null)).as('unmade'),
      sumOf(row.fn<number | null>('octet_length', ['document_files.pdf'])).as('inside'),
      sumOf(row.ref('document_files.bytes')).as('outside'),
      sumOf(row.fn<number | null>('octet_length', ['amendment_files.pdf'])).as('amended_inside'),
      sumOf(row.ref('amendment_files.bytes')).as('amended_outside'),
    ])
    .where((row) => {
      const [from, to] = [firstDayOf(month), lastDayOf(month)];
      const isIssued = row.between('documents.issued_on', from, to);
      return customerId === undefined ? row.or([isIssued, row.between('amendments.amended_on', from, to)]) : isIssued;
    });
  if (customerId !== undefined) query = query.where('documents.customer_id', '=', customerId);
  const { documents, unmade, ...sums } = await query.executeTakeFirstOrThrow();
  const bytes = sums.inside + sums.outside + sums.amended_inside + sums.amended_outside;
  return { documents, fitsMail: bytes + unmade * usualBytes <= maxAttachedBytes };
}
