import { useState } from 'react';
import { readInvoice } from '#contract/invoices.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction } from '#web/api/use-call.ts';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** Downloads the invoice of a billing cycle as invoice-{id}.pdf (product §6.10). `current`: the cycle whose invoice is asked for. */
export function useInvoiceDownload(): { download: (cycleId: string) => void; current: string | null } {
  const [current, setCurrent] = useState<string | null>(null);
  const action = useAction(readInvoice, {
    onDone: (reply, input) => {
      startDownload(reply.downloadUrl, `invoice-${input.params.billingCycleId}.pdf`);
      notifyDone(texts.downloaded);
    },
    onFailed: (failure) => notifyFailure(texts.downloadFailed, failure.message),
  });

  async function download(cycleId: string): Promise<void> {
    if (current !== null) return;
    setCurrent(cycleId);
    await action.run({ params: { billingCycleId: cycleId } });
    setCurrent(null);
  }

  return { download: (cycleId) => void download(cycleId), current };
}
