import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts';
import { deliveryTexts, webhookTexts } from '#web/features/webhooks/texts.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Is a webhook sent to, and does it answer? */
export function WebhookState({ webhook: { disabledReason, failingSince } }: { webhook: Webhook }) {
  if (disabledReason !== null) return <StatusBadge status="OFF" text={webhookTexts.off} />;
  if (failingSince !== null) return <StatusBadge status="FAILED" text={webhookTexts.failing} />;
  return <StatusBadge status="ACTIVE" text={webhookTexts.active} />;
}

/** What came of a delivery, with the status of the newest answer. */
export function DeliveryState({ delivery: { status, responseStatus } }: { delivery: WebhookDelivery }) {
  const word = {
    DELIVERED: deliveryTexts.delivered,
    PENDING: deliveryTexts.waiting,
    FAILED: deliveryTexts.givenUp,
  }[status];
  const text = responseStatus === null ? word : `${word} ${responseStatus}`;
  return <StatusBadge status={status === 'DELIVERED' ? 'ACTIVE' : status} text={text} />;
}
