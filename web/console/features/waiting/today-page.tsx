import { Link, useSearchParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type WaitingKind, waitingKinds } from '#shared/contract/operator/waiting.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When, whenText } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';

type Group = OperatorReply<'listWaiting'>['kinds'][number];
type Waiting = Group['waiting'][number];

/** What waits, or how many more of its kind do. */
type Row = { kind: WaitingKind } & ({ item: Waiting } | { more: string });

const rowsOf = ({ kind, count, hasMore, waiting }: Group): Row[] => [
  ...waiting.map((item) => ({ kind, item })),
  ...(count > waiting.length || hasMore ? [{ kind, more: moreText(count - waiting.length, { count, hasMore }) }] : []),
];

function moreText(more: number, { count, hasMore }: Pick<Group, 'count' | 'hasMore'>): string {
  if (!hasMore) return `${formatNumber(more)} more: show all ${formatNumber(count)}`;
  return more === 0 ? 'More wait: these are the most urgent' : `More than ${formatNumber(more)} more: show them`;
}

const ofCustomer =
  (tab: string) =>
  ({ customerId }: Waiting) =>
    customerId && `/customers/${encodeURIComponent(customerId)}?tab=${tab}`;

/** Where the remedy of each kind is; null: at a terminal. */
const remedies: Record<WaitingKind, (item: Waiting) => string | null> = {
  LEDGER_FAULT: () => null,
  APPROVAL: () => '/team',
  UNSETTLED_PAYMENT: ({ id }) => id && `/payments/${id}`,
  DISPUTE: ofCustomer('money'),
  HELD_TRANSFER: ({ id }) => id && `/payments/${id}`,
  REFUND_TO_TRANSFER: () => '/money/refunds',
  REFUND_REFUSED: () => '/money/refunds',
  REFUND_LATE: () => '/money/refunds',
  SUPPORT_THREAD: ({ id }) => id && `/support/${id}`,
  OVERDUE_BILL: ofCustomer('money'),
  TDS_CLAIM: () => '/money/tds',
  E_INVOICE: () => '/money/e-invoices',
  UNPRINTED_DOCUMENT: ofCustomer('money'),
  ERASURE_REQUEST: ofCustomer('overview'),
  REMITTANCE: () => '/money/remittances',
  SETTLEMENTS: () => '/money/settlements',
  ENDPOINT: ({ id }) => id && `/webhooks/${id}`,
  FAILED_WORK: () => null,
  LEFT_JOURNAL: () => null,
  BACKUP: () => null,
  DOCTOR: () => null,
  DATABASE_MOVED: () => null,
  SHORT_NUMBERS: () => null,
  FAILED_MAIL: ofCustomer('mails'),
  FAILED_WEBHOOK: ofCustomer('calls'),
  MANDATE: ofCustomer('money'),
  FAILED_PAYMENT: ({ id }) => id && `/payments/${id}`,
  UNPAID_PLAN: ofCustomer('overview'),
  ENDING_PLAN: ofCustomer('overview'),
};

const remedyOf = (row: Row): string | null => ('item' in row ? remedies[row.kind](row.item) : `/?kind=${row.kind}`);

const columns: readonly Column<Row>[] = [
  { header: 'What', text: ({ kind }) => wordOf(kind) },
  {
    header: 'About',
    text: (row) => ('item' in row ? row.item.about : row.more),
  },
  {
    header: 'Since',
    text: (row) => ('item' in row ? row.item.since : null),
    cell: (row) => 'item' in row && row.item.since !== null && <When at={row.item.since} />,
  },
  {
    header: 'Due',
    text: (row) => ('item' in row ? row.item.due : null),
    cell: (row) => 'item' in row && row.item.due !== null && <span className="num">{whenText(row.item.due)}</span>,
  },
  {
    header: 'At a terminal',
    text: (row) => ('item' in row && remedyOf(row) === null ? `octroi ${row.item.command}` : null),
    cell: (row) =>
      'item' in row &&
      remedyOf(row) === null && (
        <>
          <span className="mono">octroi {row.item.command}</span> <CopyIcon value={`octroi ${row.item.command}`} />
        </>
      ),
  },
];

const mostOfOneKind = 1000;

/** What waits for somebody, most urgent kind first; empty when all is well. */
export function TodayPage() {
  const [search] = useSearchParams();
  const kind = waitingKinds.find((each) => each === search.get('kind'));
  return (
    <Page
      title="Today"
      lead={
        kind === undefined ? (
          'Everything that waits for somebody. Each row leads to its remedy.'
        ) : (
          <Link className="link" to="/">
            Show everything that waits
          </Link>
        )
      }
    >
      <CallTable
        label={kind === undefined ? 'Waiting' : wordOf(kind)}
        call="listWaiting"
        input={kind === undefined ? {} : { kind, limit: mostOfOneKind }}
        rows={({ kinds }) => kinds.flatMap(rowsOf)}
        rowKey={(row) => `${row.kind} ${'item' in row ? (row.item.id ?? row.item.about) : 'more'}`}
        columns={columns}
        to={remedyOf}
        empty="Nothing waits. Payments, refunds, claims, threads and documents are all dealt with."
        refetchIntervalMs={60_000}
      />
    </Page>
  );
}
