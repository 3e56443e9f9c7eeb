import type { Tx } from '#database/connect.ts';
import type { DocumentContent } from '#domain/document.ts';
import { splitInclusive } from '#domain/tax-split.ts';

/** Documents per statement. */
const batch = 2000;

/** Documents whose amounts do not follow from their total, rate and kind of tax; of all customers, or of some. */
export async function faultsOfSplits(tx: Tx, maxFaults: number, customerIds?: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (let after = ''; faults.length < maxFaults;) {
    const documents = await tx
      .selectFrom('documents')
      .select(['id', 'number', 'content'])
      .where('id', '>', after)
      .$if(customerIds !== undefined, (query) => query.where('customer_id', 'in', customerIds ?? []))
      .orderBy('id')
      .limit(batch)
      .execute();
    for (const { number, content } of documents) {
      if (!isSplitByRate(content)) faults.push(`every tax follows from its rate: document ${number} has other amounts`);
    }
    const last = documents.at(-1);
    if (last === undefined || documents.length < batch) break;
    after = last.id;
  }
  return faults.slice(0, maxFaults);
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
