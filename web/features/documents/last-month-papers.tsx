import { listDocuments } from '#shared/contract/documents.ts';
import { useCall } from '#web/api/use-call.ts';
import { LastMonthButton } from '#web/features/documents/last-month-button.tsx';

/** Last month's papers outside the Billing Portal; nothing while it isn't known whether there are any. */
export function LastMonthPapers() {
  const { data } = useCall(listDocuments, {});
  return data ? <LastMonthButton documents={data.documents} /> : null;
}
