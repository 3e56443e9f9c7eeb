import { printResult } from '#cli/command-result.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { type ExportPayment, readExports } from '#server/features/documents/documents.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi remittances list` */
export async function listRemittances({ all, json }: { all?: boolean; json?: boolean }): Promise<void> {
  const found = await asReader((db, clock) => readExports(db, clock()));
  const list = all === true ? found : found.filter(({ state }) => state !== 'proved');
  const none = all === true ? 'No exports.' : 'No export lacks the proof of its payment.';
  printResult(json, list, list.length === 0 ? [none] : list.flatMap(linesOf));
}

function linesOf(item: ExportPayment): string[] {
  const { state, number, issuedOn, buyer, country, totalPaise, paymentId, dueOn, taxDueOn, proof } = item;
  return [
    `${number}  ${state.toUpperCase()}  ${formatRupees(totalPaise)}  ${buyer} (${country}), issued on ${issuedOn}`,
    proof
      ? `  payment ${paymentId}, ${proof.kind} ${proof.reference} of ${proof.receivedOn}`
      : `  payment ${paymentId}, due by ${dueOn}; without it the tax with interest is due by ${taxDueOn}`,
  ];
}
