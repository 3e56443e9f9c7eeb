import type { Webhook, OwnDelivery } from '#shared/contract/webhooks.ts';
import { deliveryTexts, webhookTexts } from '#web/features/webhooks/texts.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Whether a webhook is active and its address responds. */
export function WebhookState({ webhook: { disabledReason, failingSince } }: { webhook: Webhook }) {
  if (disabledReason !== null) return <StatusBadge status="OFF" text={webhookTexts.off} />;
  if (failingSince !== null) return <StatusBadge status="FAILED" text={webhookTexts.failing} />;
  return <StatusBadge status="ACTIVE" text={webhookTexts.active} />;
}

/** The result of a delivery, with the status of the latest response. */
export function DeliveryState({ delivery: { status, responseStatus } }: { delivery: OwnDelivery }) {
  const word = {
    DELIVERED: deliveryTexts.delivered,
    PENDING: deliveryTexts.waiting,
    FAILED: deliveryTexts.givenUp,
  }[status];
  const text = responseStatus === null ? word : `${word} ${responseStatus}`;
  return <StatusBadge status={status === 'DELIVERED' ? 'ACTIVE' : status} text={text} />;
}
