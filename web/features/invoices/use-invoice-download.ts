import { useState } from 'react';
import { readInvoice } from '#contract/invoices.ts';
import { portalConfig } from '#web/api/config.ts';
import { useAction } from '#web/api/use-call.ts';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** Downloads the invoice of a billing cycle as invoice-{id}.pdf (spec §7). `current`: the cycle whose invoice is asked for. */
export function useInvoiceDownload(): { download: (cycleId: string) => void; current: string | null } {
  const [current, setCurrent] = useState<string | null>(null);
  const action = useAction(readInvoice, {
    onDone: (reply, input) => {
      save(reply.downloadUrl, `invoice-${input.params.billingCycleId}.pdf`);
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

function save(url: string, name: string): void {
  const link = document.createElement('a');
  // The address may be relative to the backend's origin, which can be another one (D20).
  link.href = new URL(url, new URL(portalConfig().backendUrl, window.location.href)).href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
