import { useParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { endpointActions } from '#web/console/features/webhooks/endpoint-actions.ts';
import { stateOf } from '#web/console/features/webhooks/endpoints.tsx';
import { NotFoundPage } from '#web/console/shell/not-found-page.tsx';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Delivery = OperatorReply<'listDeliveries'>['deliveries'][number];

const resend = ({ id: deliveryId, type }: Delivery) =>
  actionOf({ call: 'resendDelivery', title: `Send ${type} again`, verb: 'Send', input: () => ({ deliveryId }) });

const columns: readonly Column<Delivery>[] = [
  { header: 'Event', text: ({ type }) => type },
  { header: 'Time', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  { header: 'State', text: ({ status }) => wordOf(status) },
  { header: 'Tries', text: ({ tries }) => tries, align: 'right' },
  { header: 'Response', text: ({ responseStatus, fault }) => responseStatus ?? fault },
  {
    header: 'Next try',
    text: ({ nextTryAt }) => nextTryAt,
    cell: ({ nextTryAt }) => nextTryAt !== null && <When at={nextTryAt} />,
  },
  { header: 'Actions', cell: (delivery) => <Actions list={[resend(delivery)]} of={delivery.id} /> },
];

/** A webhook of the provider with its deliveries. */
export function EndpointPage() {
  const { endpointId = '' } = useParams();
  return (
    <LoadedCall call="listEndpoints" input={{}} failed="This webhook could not be read" height={240}>
      {({ endpoints }) => {
        const endpoint = endpoints.find(({ id }) => id === endpointId);
        if (endpoint === undefined) return <NotFoundPage />;
        return (
          <Page
            title="Webhook"
            lead={
              <>
                <span className="mono">{endpoint.url}</span>
                <span>{stateOf(endpoint)}</span>
                <span className="mono">{endpointId}</span>
              </>
            }
            actions={<Actions list={endpointActions(endpoint)} />}
          >
            <CallTable
              label="Deliveries"
              call="listDeliveries"
              input={{ endpointId }}
              rows={({ deliveries }) => deliveries}
              rowKey={({ id }) => id}
              columns={columns}
              to={({ id }) => `/deliveries/${id}`}
              empty="Nothing was sent yet. Deliveries are kept for 30 days."
              refetchIntervalMs={10_000}
            />
          </Page>
        );
      }}
    </LoadedCall>
  );
}
