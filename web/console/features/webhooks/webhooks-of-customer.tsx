import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { whenText } from '#web/console/ui/cells.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Webhook = OperatorReply<'listWebhooks'>['webhooks'][number];

const offBecause = { OWNER: 'Switched off by the customer', FAILING: 'Off: it kept failing', GONE: 'Off: it is gone' };

const columns: readonly Column<Webhook>[] = [
  { header: 'Address', text: ({ url }) => url, isId: true },
  { header: 'Events', text: ({ events }) => events.join(', ') },
  {
    header: 'State',
    text: ({ disabledReason, failingSince }) =>
      disabledReason !== null
        ? offBecause[disabledReason]
        : failingSince === null
          ? 'Works'
          : `Failing since ${whenText(failingSince)}`,
  },
  {
    header: 'Last failures',
    text: ({ failures }) =>
      failures
        .slice(0, 3)
        .map(
          ({ event, responseStatus, fault, tries }) =>
            `${event}: ${responseStatus ?? fault ?? ''} (${tries} ${tries === 1 ? 'try' : 'tries'})`,
        )
        .join('; '),
  },
];

export function WebhooksOfCustomer({ customerId }: { customerId: string }) {
  return (
    <CallTable
      label="Webhooks"
      call="listWebhooks"
      input={{ customerId }}
      rows={({ webhooks }) => webhooks}
      rowKey={({ id }) => id}
      columns={columns}
      isOff={({ disabledAt }) => disabledAt !== null}
      empty="No webhook was added yet."
    />
  );
}
