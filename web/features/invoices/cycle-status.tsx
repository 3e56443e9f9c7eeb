import type { Cycle } from '#shared/contract/cycles.ts';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** The status of a plan. One that is paid later is PAID from its start, and only its bill says whether it was. */
export function CycleStatus({ cycle }: { cycle: Pick<Cycle, 'status' | 'granted' | 'bill'> }) {
  const { status, granted, bill } = cycle;
  if (status !== 'PAID' || bill === null) return <StatusBadge status={status} granted={granted} />;
  return <StatusBadge status={bill.state === 'DUE' ? 'PAYMENT_PENDING' : 'DUE'} text={texts.bill[bill.state]} />;
}
