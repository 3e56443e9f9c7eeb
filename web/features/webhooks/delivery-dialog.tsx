import { Button } from '@mantine/core';
import {
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhookDelivery,
  type OwnDelivery,
} from '#shared/contract/webhooks.ts';
import { useAction } from '#web/api/use-call.ts';
import { DeliveryAttempts, secondText } from '#web/features/webhooks/delivery-attempts.tsx';
import { deliveryTexts as texts } from '#web/features/webhooks/texts.ts';
import { DeliveryState } from '#web/features/webhooks/webhook-state.tsx';
import classes from '#web/features/webhooks/webhooks.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFacts, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

interface DeliveryDialogProps {
  webhookId: string;
  /** Null before the first opening. */
  delivery: OwnDelivery | null;
  /** Nothing can be sent to a webhook that is switched off. */
  isOff: boolean;
  opened: boolean;
  onClose: () => void;
}

/** The request, the response, and a button to send it again. */
export function DeliveryDialog({ delivery, opened, onClose, ...props }: DeliveryDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={delivery?.type ?? ''} size={600}>
      {delivery !== null && <Delivery {...props} delivery={delivery} onClose={onClose} />}
    </Dialog>
  );
}

function Delivery({
  webhookId,
  delivery,
  isOff,
  onClose,
}: Omit<DeliveryDialogProps, 'opened' | 'delivery'> & { delivery: OwnDelivery }) {
  const replaying = useAction(replayWebhookDelivery, {
    changes: [listWebhookDeliveries, listWebhookAttempts, listWebhooks],
    onDone: () => {
      notifyDone(texts.replayed);
      onClose();
    },
    onFailed: (failure) => notifyFailure(texts.replayFailed, failure.message),
  });
  const { nextTryAt, triedAt } = delivery;
  return (
    <>
      <DialogContent>
        <DialogFacts
          facts={[
            { key: 'id', label: texts.id, value: <span className="mono">{delivery.eventId}</span> },
            { key: 'state', label: texts.result, value: <DeliveryState delivery={delivery} /> },
            { key: 'time', label: texts.time, value: secondText(delivery.createdAt) },
            { key: 'tries', label: texts.tries, value: String(delivery.tries) },
            ...(nextTryAt === null || triedAt === null
              ? []
              : [{ key: 'next', label: texts.nextTry, value: secondText(nextTryAt) }]),
          ]}
        />
        <section className={classes.text} aria-label={texts.body}>
          <h3>{texts.body}</h3>
          {delivery.body === null ? <p className="soft">{texts.notForRole}</p> : <pre>{pretty(delivery.body)}</pre>}
        </section>
        <DeliveryAttempts webhookId={webhookId} delivery={delivery} />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.close}
        </Button>
        <ActionButton
          call="replayWebhookDelivery"
          disabled={isOff}
          running={replaying.running}
          onClick={() => void replaying.run({ params: { webhookId, deliveryId: delivery.id } })}
        >
          {replaying.running ? texts.replaying : texts.replay}
        </ActionButton>
      </DialogFoot>
    </>
  );
}

/** The body with line breaks, for people; the signed one has none. */
function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), undefined, 2);
}
