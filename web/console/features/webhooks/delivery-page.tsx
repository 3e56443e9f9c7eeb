import { useParams } from 'react-router';
import { readDelivery } from '#shared/contract/operator/endpoints.ts';
import classes from '#web/console/features/webhooks/delivery-page.module.css';
import { wordOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Page, Part } from '#web/console/ui/page.tsx';
import { columnsOf } from '#web/console/ui/reply-facts.ts';
import { RowPart } from '#web/console/ui/row-table.tsx';

/** What is sent in a delivery, and what came of each attempt. */
export function DeliveryPage() {
  const { deliveryId = '' } = useParams();
  return (
    <LoadedCall call="readDelivery" input={{ deliveryId }} failed="This delivery could not be read" height={240}>
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
          <RowPart
            label="Attempts"
            columns={columnsOf(readDelivery.reply.shape.attempts, attempts)}
            rows={attempts}
            rowKey={({ attempt }) => String(attempt)}
            empty="Not tried yet."
          />
          <Part title="What is sent">
            <pre className={`mono ${classes.body}`}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
          </Part>
        </Page>
      )}
    </LoadedCall>
  );
}
