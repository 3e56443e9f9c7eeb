import { Button, Skeleton } from '@mantine/core';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { listWebhooks, type Webhook } from '#shared/contract/webhooks.ts';
import { useCall } from '#web/api/use-call.ts';
import { AddWebhookDialog } from '#web/features/webhooks/webhook-form-dialog.tsx';
import { webhookTexts as texts } from '#web/features/webhooks/texts.ts';
import { VerifySamples } from '#web/features/webhooks/verify-samples.tsx';
import { WebhookState } from '#web/features/webhooks/webhook-state.tsx';
import classes from '#web/features/webhooks/webhooks.module.css';
import { instantText } from '#web/ui/localized-days.ts';
import { LinkRow, LinkRows } from '#web/ui/link-card.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';

/** The webhooks of a customer: where events are sent to, and whether they arrive. */
export function WebhooksPage() {
  const webhooks = useCall(listWebhooks, {});
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={
          <Button leftSection={<Plus size={17} aria-hidden />} onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        }
      />
      <Loaded of={webhooks} word={texts.loading} failed={texts.failed} shape={<Skeleton h={148} radius="lg" />}>
        {(reply) =>
          reply.webhooks.length === 0 ? (
            <StateCard>
              <EmptyState icon={<WebhookIcon size={20} />} title={texts.empty}>
                {texts.emptyMore}
              </EmptyState>
            </StateCard>
          ) : (
            <LinkRows>
              {reply.webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </LinkRows>
          )
        }
      </Loaded>
      <VerifySamples />
      <AddWebhookDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  return (
    <LinkRow to={`/developers/webhooks/${webhook.id}`} columns="minmax(0, 2fr) .7fr 1fr">
      <div className={classes.name}>
        <div className={`${classes.url} mono`}>{webhook.url}</div>
        <div className="caption dim">{texts.eventCount(webhook.events.length)}</div>
      </div>
      <div className={classes.state}>
        <WebhookState webhook={webhook} />
      </div>
      <div className={classes.fact}>
        <div>{texts.lastDelivery}</div>
        <span className="num">
          {webhook.lastDeliveryAt === null ? texts.none : instantText(webhook.lastDeliveryAt)}
        </span>
      </div>
    </LinkRow>
  );
}
