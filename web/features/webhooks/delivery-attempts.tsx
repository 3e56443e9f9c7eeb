import { Skeleton } from '@mantine/core';
import { listWebhookAttempts, type WebhookAttempt, type OwnDelivery } from '#shared/contract/webhooks.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { useCall } from '#web/api/use-call.ts';
import { deliveryTexts as texts } from '#web/features/webhooks/texts.ts';
import classes from '#web/features/webhooks/webhooks.module.css';
import { translateKnown } from '#web/language/language.ts';
import { dayOfInstant, dayText, timeText } from '#web/ui/localized-days.ts';
import { Loaded } from '#web/ui/states.tsx';

/** To the second: it is compared with a log. */
export function secondText(instant: string): string {
  return `${dayText(dayOfInstant(instant))}, ${timeText(instant)}`;
}

/** The result of each attempt of a delivery, newest first; the latest response is expanded. */
export function DeliveryAttempts({ webhookId, delivery }: { webhookId: string; delivery: OwnDelivery }) {
  const { id: deliveryId, triedAt } = delivery;
  // Another try may come while the dialog is open.
  const attempts = useCall(
    listWebhookAttempts,
    { params: { webhookId, deliveryId } },
    { enabled: triedAt !== null, refetchIntervalMs: 5000 },
  );
  if (triedAt === null) return null;
  return (
    <section className={classes.text} aria-label={texts.attempts}>
      <h3>{texts.attempts}</h3>
      <Loaded of={attempts} word={texts.attemptsLoading} failed={texts.attemptsFailed} shape={<Skeleton h={64} />}>
        {(reply) => (
          <ol className={classes.attempts}>
            {reply.attempts.map((attempt, index) => (
              <li key={attempt.attempt} value={attempt.attempt}>
                <Attempt attempt={attempt} isNewest={index === 0} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  );
}

function Attempt({ attempt, isNewest }: { attempt: WebhookAttempt; isNewest: boolean }) {
  const { at, durationMs, responseStatus, responseStart, fault } = attempt;
  return (
    <>
      <span className="num">{secondText(at)}</span> · <b>{fault === null ? responseStatus : translateKnown(fault)}</b> ·{' '}
      <span className="num">{texts.milliseconds(formatNumber(durationMs))}</span>
      {responseStart !== null && responseStart !== '' && (
        <details open={isNewest}>
          <summary>{texts.answerStart}</summary>
          <pre>{responseStart}</pre>
        </details>
      )}
    </>
  );
}
