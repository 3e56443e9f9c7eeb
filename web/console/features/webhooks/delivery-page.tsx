import { Skeleton } from '@mantine/core';
import { useParams } from 'react-router';
import { readDelivery } from '#shared/contract/operator/endpoints.ts';
import classes from '#web/console/features/webhooks/delivery-page.module.css';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page, Part } from '#web/console/ui/page.tsx';
import { columnsOf } from '#web/console/ui/reply-facts.ts';
import { RowTable } from '#web/console/ui/row-table.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** What is sent in a delivery, and what came of each attempt. */
export function DeliveryPage() {
  const { deliveryId = '' } = useParams();
  const delivery = useOperatorCall('readDelivery', { deliveryId });
  return (
    <Loaded
      of={delivery}
      word="Loading"
      failed="This delivery could not be read"
      shape={<Skeleton height={240} radius="lg" />}
    >
      {({ type, status, eventId, body, attempts }) => (
        <Page
          title={type}
          lead={
            <>
              <span>{wordOf(status)}</span>
              <span className="mono">{eventId}</span>
            </>
          }
        >
          <Part title="Attempts">
            <RowTable
              label="Attempts"
              columns={columnsOf(readDelivery.reply.shape.attempts, attempts)}
              rows={attempts}
              rowKey={({ attempt }) => String(attempt)}
              empty="Not tried yet."
            />
          </Part>
          <Part title="What is sent">
            <pre className={`mono ${classes.body}`}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
          </Part>
        </Page>
      )}
    </Loaded>
  );
}
