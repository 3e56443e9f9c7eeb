import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { WaitingKind } from '#shared/contract/operator/waiting.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When, whenText } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Waiting = OperatorReply<'listWaiting'>['waiting'][number];

const columns: readonly Column<Waiting>[] = [
  { header: 'What', text: ({ kind }) => wordOf(kind) },
  { header: 'About', text: ({ about }) => about },
  { header: 'Since', text: ({ since }) => since, cell: ({ since }) => since !== null && <When at={since} /> },
  {
    header: 'Due',
    text: ({ due }) => due,
    cell: ({ due }) => due !== null && <span className="num">{whenText(due)}</span>,
  },
];

/** Where the remedy of each kind is. */
const remedies: Record<WaitingKind, (item: Waiting) => string | null> = {
  APPROVAL: () => '/team',
  UNSETTLED_PAYMENT: ({ id }) => id && `/payments/${id}`,
  DISPUTE: ({ customerId }) => customerId && `/customers/${customerId}`,
  REFUND_TO_TRANSFER: () => '/money/refunds',
  REFUND_REFUSED: () => '/money/refunds',
  REFUND_LATE: () => '/money/refunds',
  SUPPORT_THREAD: ({ id }) => id && `/support/${id}`,
  TDS_CLAIM: () => '/money/tds',
  E_INVOICE: ({ customerId }) => customerId && `/customers/${customerId}`,
  ERASURE_REQUEST: ({ customerId }) => customerId && `/customers/${customerId}`,
  REMITTANCE: () => '/money/remittances',
  SETTLEMENTS: () => null,
  ENDPOINT: ({ id }) => id && `/webhooks/${id}`,
};

/** What waits for somebody, most urgent kind first; empty when all is well. */
export function TodayPage() {
  return (
    <Page title="Today" lead="Everything that waits for somebody. Each row leads to its remedy.">
      <CallTable
        label="Waiting"
        call="listWaiting"
        input={{}}
        rows={({ waiting }) => waiting}
        rowKey={({ kind, id, about }) => `${kind} ${id ?? about}`}
        columns={columns}
        to={(item) => remedies[item.kind](item)}
        empty="Nothing waits. Payments, refunds, claims, threads and documents are all dealt with."
        refetchIntervalMs={60_000}
      />
    </Page>
  );
}
