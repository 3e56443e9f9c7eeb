import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { Day } from '#shared/domain/day.ts';
import { actionsOfPlan } from '#web/console/features/cycles/plan-actions.ts';
import { CopyPayLink } from '#web/console/features/cycles/copy-pay-link.tsx';
import { recordTransfer } from '#web/console/features/payments/payment-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { moneyColumn, productColumn, When } from '#web/console/ui/cells.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

type Cycle = OperatorReply<'listCycles'>['cycles'][number];

/** A plan that runs has its actions with its product. */
const waits = ({ status, addsTo, used, fromDate }: Cycle, today: Day) =>
  (status === 'PAID' || status === 'NO_PAYMENT_REQUIRED') && addsTo === null && used === null && fromDate > today;

/** Somebody may pay for it. */
const isUnpaid = ({ status }: Cycle) => status === 'PAYMENT_PENDING';

const columnsOn = (today: Day): readonly Column<Cycle>[] => [
  { header: 'Plan', text: ({ planName }) => planName },
  productColumn(({ productId }) => productId),
  {
    header: 'Status',
    text: ({ status }) => status,
    cell: ({ status, granted }) => <StatusBadge status={status} granted={granted} />,
  },
  { header: 'From', text: ({ fromDate }) => fromDate, cell: ({ fromDate }) => <When at={fromDate} /> },
  { header: 'Ends before', text: ({ toDate }) => toDate, cell: ({ toDate }) => <When at={toDate} /> },
  moneyColumn('Price', ({ price }) => price),
  { header: 'Today', text: ({ used, dailyQuota }) => used && of(used.today, dailyQuota), align: 'right' },
  { header: 'In all', text: ({ used, monthlyQuota }) => used && of(used.inAll, monthlyQuota), align: 'right' },
  { header: 'Per second', text: ({ callsPerSecond }) => callsPerSecond, isInFileAlone: true },
  { header: 'ID', text: ({ id }) => id, isId: true },
  {
    header: 'Actions',
    cell: (cycle) =>
      isUnpaid(cycle) ? (
        <>
          <CopyPayLink id={cycle.id} />
          <Actions list={[recordTransfer(cycle.id, cycle.price)]} of={`${cycle.planName} from ${cycle.fromDate}`} />
        </>
      ) : (
        waits(cycle, today) && (
          <Actions
            list={actionsOfPlan({ id: cycle.id, name: cycle.planName, granted: cycle.granted !== null })}
            of={`${cycle.planName} from ${cycle.fromDate}`}
            shown={0}
          />
        )
      ),
  },
];

const of = (used: number, quota: number) => `${formatNumber(used)} of ${formatNumber(quota)}`;

/** Every plan and pack, with what running ones have used. */
export function CyclesOfCustomer({ customerId }: { customerId: string }) {
  const input = { customerId };
  const today = useToday();
  return (
    <CallTable
      label="All plans and packs"
      call="listCycles"
      input={input}
      rows={({ cycles }) => cycles}
      next={nextPage(input)}
      rowKey={({ id }) => id}
      columns={columnsOn(today)}
      isOff={({ endedAt, toDate }) => endedAt !== null || toDate <= today}
      empty="None yet."
    />
  );
}
