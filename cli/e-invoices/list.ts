import { printResult } from '#cli/command-result.ts';
import { deadlineText } from '#shared/domain/e-invoice-deadline.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readDocumentSettings } from '#server/document-settings.ts';
import { readWorkList, type WorkItem } from '#server/features/documents/documents.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi e-invoices list` */
export async function listUnregistered({ json }: { json?: boolean }): Promise<void> {
  loadEnvFile();
  const { eInvoiceThirtyDays } = readDocumentSettings({ env: process.env });
  const list = await asReader((db, clock) => readWorkList(db, clock(), eInvoiceThirtyDays));
  printResult(json, list, list.length === 0 ? ['Every document is registered.'] : list.flatMap(linesOf));
}

function linesOf(item: WorkItem): string[] {
  const { number, state, issuedOn, lastDay, daysLeft, buyer, buyerGstin, totalPaise, refused, waysOut } = item;
  const limit = lastDay === null || daysLeft === null ? '' : `, ${deadlineText(lastDay, daysLeft)}`;
  return [
    `${number}  ${state.toUpperCase()}  ${formatRupees(totalPaise)}  ${buyer} ${buyerGstin ?? ''}`.trimEnd(),
    `  issued on ${issuedOn}${limit}`,
    ...(refused === null ? [] : [`  ${refused.code}: ${refused.reason}`]),
    ...waysOut.map((way) => `  - ${way}`),
    '',
  ];
}
