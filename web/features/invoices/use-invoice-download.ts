import { readInvoice } from '#shared/contract/invoices.ts';
import { type Downloads, useDownload } from '#web/api/use-download.ts';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';

/** Downloads the invoice of a billing cycle, named by its id, as invoice-{id}.pdf (product §6.10). */
export function useInvoiceDownload(): Downloads<string> {
  return useDownload(readInvoice, {
    id: (cycleId: string) => cycleId,
    input: (cycleId) => ({ params: { billingCycleId: cycleId } }),
    fileName: (cycleId) => `invoice-${cycleId}.pdf`,
    done: (_, hasFile) => (hasFile ? undefined : texts.downloaded),
    failed: () => texts.downloadFailed,
  });
}
