import { createEndpoint, type Endpoint, endpointActions } from '#web/console/features/webhooks/endpoint-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When, whenText } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import type { Column } from '#web/console/ui/row-table.tsx';

export const stateOf = ({ disabledReason, failingSince }: Endpoint): string =>
  disabledReason !== null
    ? `Off: ${wordOf(disabledReason).toLowerCase()}`
    : failingSince === null
      ? 'On'
      : `Failing since ${whenText(failingSince)}`;

const columns: readonly Column<Endpoint>[] = [
  { header: 'Address', text: ({ url }) => url, isId: true },
  { header: 'Events', text: ({ events }) => events.join(' '), cell: ({ events }) => events.length, align: 'right' },
  { header: 'State', text: stateOf },
  {
    header: 'Last delivery',
    text: ({ lastDeliveryAt }) => lastDeliveryAt,
    cell: ({ lastDeliveryAt }) => (lastDeliveryAt === null ? 'Never' : <When at={lastDeliveryAt} />),
  },
  { header: 'Actions', cell: (endpoint) => <Actions list={endpointActions(endpoint)} of={endpoint.url} /> },
];

/** Webhooks of the provider; its programs hear of what happens to customers. */
export function Endpoints() {
  return (
    <CallTable
      label="Webhooks"
      call="listEndpoints"
      input={{}}
      rows={({ endpoints }) => endpoints}
      rowKey={({ id }) => id ?? ''}
      columns={columns}
      to={({ id }) => id && `/webhooks/${id}`}
      isOff={({ disabledReason }) => disabledReason !== null}
      empty="None: no program hears what happens to customers."
      filters={<Actions list={[createEndpoint]} />}
    />
  );
}
