import type { Tx } from '#shared/database/connect.ts';
import type { DocumentContent } from '#shared/domain/document.ts';
import { splitInclusive, type TaxSplit } from '#shared/domain/tax-split.ts';

/** Documents per statement. */
const batch = 2000;

/** Documents whose amounts do not follow from their total, rate and kind of tax; of all customers, or of some. */
export async function faultsOfSplits(tx: Tx, maxFaults: number, customerIds?: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (let after = ''; faults.length < maxFaults;) {
    const documents = await tx
      .selectFrom('documents')
      .select(['id', 'number', 'content', 'refers_to'])
      .where('id', '>', after)
      .$if(customerIds !== undefined, (query) => query.where('customer_id', 'in', customerIds ?? []))
      .orderBy('id')
      .limit(batch)
      .execute();
    for (const { number, content, refers_to: original } of documents) {
      if (!isSplitByRate(content) && !(await isLastReturn(tx, content, original)))
        faults.push(`every tax follows from its rate: document ${number} has other amounts`);
    }
    const last = documents.at(-1);
    if (last === undefined || documents.length < batch) break;
    after = last.id;
  }
  return faults.slice(0, maxFaults);
}

/** The last part that was returned of a document takes what is left of each amount, so that all parts together are the document. */
async function isLastReturn(tx: Tx, content: DocumentContent, originalId: string | null): Promise<boolean> {
  if (originalId === null || content.withoutTax === true) return false;
  const original = await tx.selectFrom('documents').select('content').where('id', '=', originalId).executeTakeFirst();
  const parts = await tx
    .selectFrom('documents')
    .select('content')
    .where('refers_to', '=', originalId)
    .where('kind', 'in', ['CREDIT_NOTE', 'REFUND_VOUCHER'])
    .execute();
  if (original === undefined) return false;
  const others = parts.filter((part) => !isSplitByRate(part.content));
  // Only one part may differ from its rate.
  if (others.length !== 1) return false;
  const names: readonly (keyof TaxSplit)[] = [
    'taxablePaise',
    'cgstPaise',
    'sgstPaise',
    'utgstPaise',
    'igstPaise',
    'totalPaise',
  ];
  return names.every(
    (name) => parts.reduce((sum, part) => sum + part.content.split[name], 0) === original.content.split[name],
  );
}

function isSplitByRate({ split, gstRateBasisPoints, tax, withoutTax }: DocumentContent): boolean {
  try {
    const again = splitInclusive(split.totalPaise, gstRateBasisPoints, withoutTax === true ? 'NONE' : tax);
    return JSON.stringify(again) === JSON.stringify({ ...again, ...split });
  } catch {
    // Thrown for an amount or a rate that no document can have.
    return false;
  }
}
