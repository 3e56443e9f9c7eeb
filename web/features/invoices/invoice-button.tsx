import { Download } from 'lucide-react';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import type { useInvoiceDownload } from '#web/features/invoices/use-invoice-download.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

interface InvoiceButtonProps {
  cycleId: string;
  /** The invoice's number. */
  number: string;
  invoices: ReturnType<typeof useInvoiceDownload>;
  /** In a table the number is the label. */
  compact?: boolean;
}

/** Downloads an invoice. */
export function InvoiceButton({ cycleId, number, invoices, compact = false }: InvoiceButtonProps) {
  const running = invoices.current === cycleId;
  return (
    <ActionButton
      call="readInvoice"
      isRead
      variant={compact ? 'subtle' : 'default'}
      color="gray"
      size={compact ? 'xs' : 'sm'}
      running={running}
      leftSection={<Download size={16} aria-hidden />}
      aria-label={texts.download(number)}
      onClick={() => invoices.download(cycleId)}
    >
      {compact ? <span className="mono">{number}</span> : texts.invoice}
    </ActionButton>
  );
}
