import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { renewsStill } from '#shared/domain/mandate.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';

type Mandate = OperatorReply<'listMandates'>[number];

function stateOf({ state, endedBy, isCancelled }: Mandate): string {
  if (endedBy === null) return wordOf(state);
  return `${wordOf(state)} by ${wordOf(endedBy).toLowerCase()}${isCancelled ? '' : ', not yet cancelled at Razorpay'}`;
}

function nextOf({ announced, skipped }: Mandate): string | null {
  if (announced === null) return null;
  const period = `from ${dayText(announced.firstDay)}`;
  return announced.firstDay === skipped ? `Skipped ${period}` : `${moneyText(announced.amount)} ${period}`;
}

function debitText({ pays, amount, state, reason }: Mandate['debits'][number]): string {
  return `${pays === 'PACK' ? 'Pack: ' : ''}${moneyText(amount)} ${wordOf(state).toLowerCase()}${reason === null ? '' : `: ${reason}`}`;
}

const columns: readonly Column<Mandate>[] = [
  { header: 'Plan', text: ({ planName }) => planName },
  { header: 'State', text: stateOf },
  { header: 'At most', text: ({ ceiling }) => ceiling, cell: ({ ceiling }) => moneyText(ceiling), align: 'right' },
  { header: 'Announced', text: nextOf },
  {
    header: 'Recharges',
    text: ({ recharge }) =>
      recharge === null ? null : `${recharge.packId}, at most ${moneyText(recharge.monthlyCeiling)} a month`,
  },
  { header: 'Last debit', text: ({ debits: [last] }) => (last === undefined ? null : debitText(last)) },
  {
    header: 'Asked for',
    text: ({ debits: [last] }) => last?.askedOn ?? null,
    cell: ({ debits: [last] }) => last && <When at={last.askedOn} />,
  },
  { header: 'Agreed', text: ({ agreedOn }) => agreedOn, cell: ({ agreedOn }) => <When at={agreedOn} /> },
  { header: 'Mandate', text: ({ id }) => id, isId: true },
  {
    header: 'Actions',
    cell: ({ id: mandateId, planName, state }) =>
      renewsStill(state) && (
        <Actions
          list={[
            actionOf({
              call: 'endMandate',
              title: `End the renewal of ${planName}`,
              verb: 'End',
              isDangerous: true,
              input: () => ({ mandateId }),
            }),
          ]}
          of={planName}
        />
      ),
  },
];

/** What the customer agreed to have debited. */
export function MandatesOfCustomer({ customerId }: { customerId: string }) {
  return (
    <CallTable
      label="Renewals by mandate"
      call="listMandates"
      input={{ customerId }}
      rows={(mandates) => mandates}
      rowKey={({ id }) => id}
      columns={columns}
      empty="Nothing is renewed by a mandate."
    />
  );
}
