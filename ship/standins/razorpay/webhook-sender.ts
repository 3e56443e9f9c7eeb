import type { Delivery, Ledger } from '#ship/standins/razorpay/ledger.ts';

const timeoutMs = 5_000;
const giveUpAfterMs = 86_400_000;

/** Delays between attempts: short at first, since a developer waits for them; Razorpay's own are longer. */
const retryDelaysMs = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000] as const;

function afterAttempt(delivery: Delivery, answer: string, isDelivered: boolean, nowMs: number) {
  const attempts = delivery.attempts + 1;
  const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? 0;
  const isTooOld = nowMs + delayMs - delivery.createdAtMs > giveUpAfterMs;
  const status: Delivery['status'] = isDelivered ? 'delivered' : isTooOld ? 'abandoned' : 'pending';
  return { id: delivery.id, status, attempts, dueAtMs: nowMs + delayMs, lastAnswer: answer };
}

async function post(url: string, delivery: Delivery, closing: AbortSignal): Promise<{ answer: string; ok: boolean }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Razorpay-Webhook/v1',
        'x-razorpay-signature': delivery.signature,
        'x-razorpay-event-id': delivery.eventId,
      },
      body: delivery.body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]),
    });
    await response.body?.cancel();
    return { answer: String(response.status), ok: response.ok };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return { answer: isTimeout ? 'no response within 5 s' : 'not reachable', ok: false };
  }
}

/**
 * Sends due deliveries one after the other, in the order of their events unless shuffling is on. At least once: a
 * delivery interrupted by a kill is sent again after the restart.
 */
export function startWebhookSender(ledger: Ledger, url: string, realNow: () => number) {
  const closing = new AbortController();
  const pending = new Set<string>();
  let scanned = 0;
  let sending: Promise<void> | null = null;

  const collectNew = () => {
    const { deliveries } = ledger.state;
    if (deliveries.size === scanned) return;
    for (const delivery of [...deliveries.values()].slice(scanned)) {
      if (delivery.status === 'pending') pending.add(delivery.id);
    }
    scanned = deliveries.size;
  };

  const takeDue = (): Delivery | undefined => {
    collectNew();
    const waiting = [...pending]
      .map((id) => ledger.state.deliveries.get(id))
      .filter((delivery) => delivery !== undefined);
    const due = waiting.filter((delivery) => delivery.dueAtMs <= realNow());
    if (!ledger.state.behaviour.webhooks.shuffle) return due[0];
    // Newest first: a later event of the same payment that is about to be due goes before earlier ones.
    return due.findLast(
      (candidate) =>
        !waiting.some(
          (other) => other.paymentId === candidate.paymentId && other.attempts === 0 && other.dueAtMs > realNow(),
        ),
    );
  };

  const send = async () => {
    for (let due = takeDue(); due && !closing.signal.aborted; due = takeDue()) {
      const { answer, ok } = await post(url, due, closing.signal);
      if (closing.signal.aborted) return;
      const attempt = afterAttempt(due, answer, ok, realNow());
      ledger.save({ kind: 'attempt', value: attempt });
      if (attempt.status !== 'pending') pending.delete(due.id);
    }
  };

  const timer = setInterval(() => {
    sending ??= send().finally(() => {
      sending = null;
    });
  }, 25);

  return {
    close: async () => {
      clearInterval(timer);
      closing.abort();
      await sending;
    },
  };
}
