import { show } from '#cli/operator.ts';
import { type ListedExport, listRemittances } from '#shared/contract/operator/documents.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

/** `octroi remittances list` */
export async function printExports({ all = false, ...options }: { all?: boolean; json?: boolean }): Promise<void> {
  const none = all ? 'No exports.' : 'No export lacks the proof of its payment.';
  await show(listRemittances, { all }, options, (list) => (list.length === 0 ? [none] : list.flatMap(linesOf)));
}

function linesOf(item: ListedExport): string[] {
  const { state, number, issuedOn, buyer, country, total, paymentId, dueOn, taxDueOn, proof } = item;
  return [
    `${number}  ${state.toUpperCase()}  ${formatRupees(toPaise(total))}  ${buyer} (${country}), issued on ${issuedOn}`,
    proof
      ? `  payment ${paymentId}, ${proof.kind} ${proof.reference} of ${proof.receivedOn}`
      : `  payment ${paymentId}, due by ${dueOn}; without it the tax with interest is due by ${taxDueOn}`,
  ];
}
