import { Download } from 'lucide-react';
import { readDataExport } from '#shared/contract/privacy.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction } from '#web/api/use-call.ts';
import { dataTexts as texts } from '#web/features/account/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** A download of everything that is kept about the customer; the browser shows how far it is. */
export function DataExport({ customerId }: { customerId: string }) {
  const reading = useAction(readDataExport, {
    onDone: ({ downloadUrl }) => {
      startDownload(downloadUrl, `${customerId}.zip`);
      notifyDone(texts.started, texts.startedMore);
    },
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  return (
    <section>
      <p className="soft">{texts.lead}</p>
      <ActionButton
        call="readDataExport"
        variant="default"
        leftSection={<Download size={16} aria-hidden="true" />}
        running={reading.running}
        onClick={() => void reading.run({})}
      >
        {texts.download}
      </ActionButton>
    </section>
  );
}
