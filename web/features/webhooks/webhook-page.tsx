import { Alert, Button, Skeleton } from '@mantine/core';
import { CircleAlert, Pencil, KeyRound, Send, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import { listWebhookDeliveries, listWebhooks, testWebhook, type Webhook } from '#shared/contract/webhooks.ts';
import { mayHear } from '#shared/policies/members/webhooks.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { DeleteWebhookDialog } from '#web/features/webhooks/delete-webhook-dialog.tsx';
import { Deliveries } from '#web/features/webhooks/deliveries.tsx';
import { RollSecretDialog } from '#web/features/webhooks/roll-secret-dialog.tsx';
import { webhookDialogTexts, webhookTexts as texts } from '#web/features/webhooks/texts.ts';
import { EditWebhookDialog } from '#web/features/webhooks/webhook-form-dialog.tsx';
import { WebhookState } from '#web/features/webhooks/webhook-state.tsx';
import classes from '#web/features/webhooks/webhooks.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';

/** One webhook: its events, its deliveries, and its actions. */
export function WebhookPage() {
  const { webhookId = '' } = useParams();
  const webhooks = useCall(listWebhooks, {});
  return (
    <Loaded of={webhooks} word={texts.loading} failed={texts.failed} shape={<Skeleton h={320} radius="lg" />}>
      {(reply) => {
        const webhook = reply.webhooks.find(({ id }) => id === webhookId);
        return webhook === undefined ? <NotFound /> : <Details key={webhook.id} webhook={webhook} />;
      }}
    </Loaded>
  );
}

function NotFound() {
  return (
    <>
      <PageHead title={texts.title} />
      <StateCard>
        <EmptyState
          icon={<WebhookIcon size={20} />}
          title={texts.notFound}
          action={
            <Button component={Link} to="/developers/webhooks" variant="default">
              {texts.all}
            </Button>
          }
        >
          {texts.notFoundMore}
        </EmptyState>
      </StateCard>
    </>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const [dialog, setDialog] = useState<'edit' | 'roll' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const role = useCall(readAccount, {}).data?.role ?? 'owner';
  const isOff = webhook.disabledReason !== null;
  return (
    <>
      <PageHead
        title={new URL(webhook.url).host}
        lead={<WebhookState webhook={webhook} />}
        actions={
          <>
            <SendTest webhookId={webhook.id} disabled={isOff} />
            {webhook.events.every((type) => mayHear(role, type)) && (
              <Button
                variant="default"
                leftSection={<Pencil size={16} aria-hidden />}
                onClick={() => setDialog('edit')}
              >
                {texts.edit}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<KeyRound size={16} aria-hidden />}
              onClick={() => setDialog('roll')}
            >
              {texts.roll}
            </Button>
            <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>
              {texts.delete}
            </Button>
          </>
        }
      />
      <Warning webhook={webhook} />
      <WebhookFacts webhook={webhook} />
      <Deliveries webhookId={webhook.id} isOff={isOff} />
      <EditWebhookDialog webhook={webhook} opened={dialog === 'edit'} onClose={close} />
      <RollSecretDialog webhookId={webhook.id} opened={dialog === 'roll'} onClose={close} />
      <DeleteWebhookDialog webhook={webhook} opened={dialog === 'delete'} onClose={close} />
    </>
  );
}

function SendTest({ webhookId, disabled }: { webhookId: string; disabled: boolean }) {
  const sending = useAction(testWebhook, {
    changes: [listWebhookDeliveries],
    onDone: () => notifyDone(texts.testSent, texts.testSentMore),
    onFailed: (failure) => notifyFailure(texts.testFailed, failure.message),
  });
  return (
    <ActionButton
      call="testWebhook"
      disabled={disabled}
      running={sending.running}
      leftSection={<Send size={16} aria-hidden />}
      onClick={() => void sending.run({ params: { webhookId } })}
    >
      {sending.running ? texts.sending : texts.sendTest}
    </ActionButton>
  );
}

function Warning({ webhook: { disabledReason, failingSince } }: { webhook: Webhook }) {
  if (disabledReason === null && failingSince === null) return null;
  const title = disabledReason === null ? texts.failingTitle : texts.offTitle[disabledReason];
  const isOwn = disabledReason === 'OWNER';
  return (
    <Alert color={isOwn ? 'gray' : 'red'} title={title} icon={<CircleAlert size={18} />} mb={24}>
      {disabledReason === null && failingSince !== null ? texts.failingMore(instantText(failingSince)) : texts.offMore}
    </Alert>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  return (
    <Facts
      look="list"
      className={classes.facts}
      facts={[
        {
          key: 'url',
          label: webhookDialogTexts.url,
          value: (
            <span className={classes.url}>
              <span className="mono">{webhook.url}</span>
              <CopyIcon value={webhook.url} />
            </span>
          ),
        },
        {
          key: 'events',
          label: texts.events,
          value: (
            <span className={classes.types}>
              {webhook.events.map((type) => (
                <span key={type} className="mono">
                  {type}
                </span>
              ))}
            </span>
          ),
        },
        {
          key: 'secret',
          label: texts.secret,
          value: (
            <>
              {texts.secretKept}
              {webhook.oldSecretUntil !== null && (
                <div className="caption dim">{texts.oldUntil(instantText(webhook.oldSecretUntil))}</div>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
