import { Button, Skeleton } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { listWebhookDeliveries, type OwnDelivery } from '#shared/contract/webhooks.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { useCall } from '#web/api/use-call.ts';
import { DeliveryDialog } from '#web/features/webhooks/delivery-dialog.tsx';
import { deliveryTexts as texts } from '#web/features/webhooks/texts.ts';
import { DeliveryState } from '#web/features/webhooks/webhook-state.tsx';
import classes from '#web/features/webhooks/webhooks.module.css';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import { Section } from '#web/ui/section.tsx';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';

/** While a delivery is pending, its result is polled often. */
const watchMs = 2000;
const quietMs = 15_000;

/** The deliveries of a webhook, their responses, and the next attempts. */
export function Deliveries({ webhookId, isOff }: { webhookId: string; isOff: boolean }) {
  const deliveries = useCall(
    listWebhookDeliveries,
    { params: { webhookId } },
    { refetchIntervalMs: (reply) => (reply?.deliveries.some(isDueSoon) ? watchMs : quietMs) },
  );
  const [shown, setShown] = useState<{ opened: boolean; id: string | null }>({ opened: false, id: null });
  return (
    <Section title={texts.title} end={<span className="caption dim">{texts.lead}</span>}>
      <Loaded of={deliveries} word={texts.loading} failed={texts.failed} shape={<Skeleton h={220} radius="lg" />}>
        {(reply) =>
          reply.deliveries.length === 0 ? (
            <StateCard>
              <EmptyState icon={<Send size={20} />} title={texts.empty}>
                {texts.emptyMore}
              </EmptyState>
            </StateCard>
          ) : (
            <>
              <DataTable
                label={texts.title}
                columns={columns((id) => setShown({ opened: true, id }))}
                rows={reply.deliveries}
                rowKey={({ id }) => id}
              />
              <DeliveryDialog
                webhookId={webhookId}
                delivery={reply.deliveries.find(({ id }) => id === shown.id) ?? null}
                isOff={isOff}
                opened={shown.opened}
                onClose={() => setShown((before) => ({ ...before, opened: false }))}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function isDueSoon({ nextTryAt }: OwnDelivery): boolean {
  return nextTryAt !== null && Date.parse(nextTryAt) < Date.now() + 30_000;
}

function timeOf({ triedAt, createdAt }: OwnDelivery): string {
  return instantText(triedAt ?? createdAt);
}

function columns(onOpen: (id: string) => void): DataColumn<OwnDelivery>[] {
  return [
    {
      key: 'event',
      header: texts.event,
      width: '30%',
      stack: 'top-left',
      cell: (delivery) => (
        <>
          <b className={`${classes.type} mono`}>{delivery.type}</b>
          <div className="caption mono dim">{delivery.eventId}</div>
        </>
      ),
    },
    {
      key: 'time',
      header: texts.time,
      stack: 'left',
      cell: (delivery) => <span className="num">{timeOf(delivery)}</span>,
    },
    {
      key: 'result',
      header: texts.result,
      stack: 'top-right',
      cell: (delivery) => <DeliveryState delivery={delivery} />,
    },
    {
      key: 'took',
      header: texts.took,
      align: 'right',
      stack: 'hidden',
      cell: ({ durationMs }) => (
        <span className="num">{durationMs === null ? '' : texts.milliseconds(formatNumber(durationMs))}</span>
      ),
    },
    {
      key: 'next',
      header: texts.nextTry,
      stack: 'bottom',
      labelled: true,
      cell: ({ nextTryAt, triedAt }) => (
        <span className="num">{nextTryAt === null || triedAt === null ? '–' : instantText(nextTryAt)}</span>
      ),
    },
    {
      key: 'action',
      header: texts.action,
      quiet: true,
      align: 'right',
      stack: 'right',
      cell: (delivery) => (
        <Button
          variant="default"
          size="xs"
          aria-label={texts.openNamed(delivery.type, timeOf(delivery))}
          onClick={() => onOpen(delivery.id)}
        >
          {texts.open}
        </Button>
      ),
    },
  ];
}
