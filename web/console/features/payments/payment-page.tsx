import { useParams } from 'react-router';
import { type PaymentFile, readPayment } from '#shared/contract/operator/payments.ts';
import { isPromise } from '#shared/domain/pay-later.ts';
import { answersAbout, recheck, recordTransfer, refund } from '#web/console/features/payments/payment-actions.ts';
import type { Action } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CustomerLink } from '#web/console/ui/cells.tsx';
import { labelOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Page } from '#web/console/ui/page.tsx';
import { columnsOf } from '#web/console/ui/reply-facts.ts';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** What belongs to an order, the most asked for first. */
const partNames = [
  'payments',
  'unsettled',
  'cycles',
  'refunds',
  'disputes',
  'documents',
  'settlements',
  'webhooks',
] as const;

/** The refund of one plan, while something of its price is left. */
const refundColumn = ({ cycles, payments, refunds }: Omit<PaymentFile, 'order'>): Column<unknown> => {
  const isPaid = payments.some(({ use }) => use === 'CYCLE');
  const refundedOf = (id: string) =>
    refunds.reduce((sum, { cycleId, amount }) => (cycleId === id ? sum + amount : sum), 0);
  const open = isPaid ? cycles.filter(({ id, amount }) => refundedOf(id) < amount) : [];
  return {
    header: 'Actions',
    cell: (row) =>
      open
        .filter((plan) => plan === row)
        .map(({ id, planName, fromDate }) => (
          <Actions key={id} list={[refund(id)]} of={`${planName} from ${dayText(fromDate)}`} />
        )),
  };
};

/** Neither what is held nor a promise to pay later is money that paid. */
function statusOf({ status }: PaymentFile['order'], { payments }: Omit<PaymentFile, 'order'>): string {
  if (payments.some(({ use }) => use === 'HELD')) return 'HELD';
  return payments.some(({ id }) => isPromise(id)) ? 'PAY_LATER' : status.toUpperCase();
}

/** What is held is answered first; what paid a bill is refunded by its plan; and what is unpaid may be transferred. */
function actionsOf(
  { id, status, amount }: PaymentFile['order'],
  { cycles, payments }: Omit<PaymentFile, 'order'>,
): Action[] {
  const held = payments.find(({ use }) => use === 'HELD');
  if (held) return answersAbout(held.id);
  if (payments.some(({ use }) => use === 'CYCLE')) return [refund(id, cycles.length)];
  if (payments.some(({ use }) => use === 'DUE')) return cycles.map((plan) => refund(plan.id));
  return status === 'OPEN' || status === 'CREATING' ? [recordTransfer(id, amount)] : [];
}

/** Everything that is known of an order and its payments. */
export function PaymentPage() {
  const { of = '' } = useParams();
  return (
    <LoadedCall call="readPayment" input={{ of }} failed="This payment could not be read" height={360}>
      {({ order, ...parts }) => (
        <Page
          title={`Payment of ${moneyText(order.amount)}`}
          lead={
            <>
              <StatusBadge status={statusOf(order, parts)} />
              <CustomerLink id={order.customerId} />
              <span className="mono">{order.id}</span>
              <span className="mono">{order.providerOrderId}</span>
            </>
          }
          actions={<Actions list={[...actionsOf(order, parts), recheck(order.id)]} />}
        >
          {partNames.flatMap((part) =>
            parts[part].length === 0
              ? []
              : [
                  <RowPart
                    key={part}
                    label={labelOf(part)}
                    columns={[
                      ...columnsOf(readPayment.reply.shape[part], parts[part]),
                      ...(part === 'cycles' ? [refundColumn(parts)] : []),
                    ]}
                    rows={parts[part]}
                    rowKey={(row) => JSON.stringify(row)}
                    empty=""
                  />,
                ],
          )}
        </Page>
      )}
    </LoadedCall>
  );
}
