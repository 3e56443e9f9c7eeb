import type { webhookCalls } from '#shared/contract/operator/webhooks.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { shownUrl } from './describe.ts';
import { selectFailures, selectWebhooks } from './store.ts';

export const webhookHandlers: Handlers<typeof webhookCalls> = {
  listWebhooks: {
    read: async ({ db }, { customerId }) => {
      await requireCustomer(db, customerId);
      const found = await selectWebhooks({ customerId }, db);
      const webhooks = await Promise.all(
        found.map(async (webhook) => ({
          id: webhook.id,
          url: shownUrl(webhook.url),
          events: webhook.events,
          createdAt: webhook.created_at.toISOString(),
          disabledAt: webhook.disabled_at?.toISOString() ?? null,
          disabledReason: webhook.disabled_reason,
          failingSince: webhook.failing_since?.toISOString() ?? null,
          failures: (await selectFailures({ customerId }, db, webhook.id)).map((delivery) => ({
            id: delivery.id,
            event: delivery.type,
            status: delivery.status,
            tries: delivery.tries,
            triedAt: delivery.tried_at?.toISOString() ?? null,
            nextTryAt: delivery.next_try_at?.toISOString() ?? null,
            responseStatus: delivery.response_status,
            fault: delivery.fault,
          })),
        })),
      );
      return { webhooks };
    },
  },
};
