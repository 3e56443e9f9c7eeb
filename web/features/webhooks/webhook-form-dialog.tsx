import { Button, Checkbox, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { webhookEventTypes } from '#contract/webhook-events.ts';
import { createWebhook, listWebhooks, updateWebhook, type Webhook } from '#contract/webhooks.ts';
import type { CallReply } from '#contract/call.ts';
import { type CallFailure, Refused } from '#web/api/failures.ts';
import { portalConfig } from '#web/api/config.ts';
import { useAction } from '#web/api/use-call.ts';
import { translateKnown } from '#web/language/language.ts';
import { NewSecret } from '#web/features/webhooks/new-secret.tsx';
import { webhookDialogTexts as texts, webhookTexts } from '#web/features/webhooks/texts.ts';
import classes from '#web/features/webhooks/webhooks.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

const size = 600;

/** A form, then the secret, once. */
export function AddWebhookDialog({ opened, onClose }: DialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={webhookTexts.add} size={size}>
      <AddSteps onClose={onClose} />
    </Dialog>
  );
}

function AddSteps({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [made, setMade] = useState<CallReply<typeof createWebhook> | null>(null);
  const [refused, setRefused] = useState<string>();
  const adding = useAction(createWebhook, {
    changes: [listWebhooks],
    onDone: setMade,
    onFailed: (failure) => tellFailure(failure, setRefused),
  });
  if (made !== null) {
    const done = () => {
      onClose();
      void navigate(`/developers/webhooks/${made.webhook.id}`);
    };
    return <NewSecret secret={made.secret} ready={texts.secretReady} onDone={done} />;
  }
  return (
    <WebhookForm
      submit={adding.running ? texts.adding : webhookTexts.add}
      running={adding.running}
      refused={refused}
      onCancel={onClose}
      onSubmit={({ url, events }) => {
        setRefused(undefined);
        void adding.run({ body: { url, events } });
      }}
    />
  );
}

/** Changes address and events, and switches on and off. */
export function EditWebhookDialog({ webhook, opened, onClose }: DialogProps & { webhook: Webhook }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.editTitle} size={size}>
      <EditForm webhook={webhook} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [refused, setRefused] = useState<string>();
  const saving = useAction(updateWebhook, {
    changes: [listWebhooks],
    onDone: () => {
      notifyDone(texts.saved);
      onClose();
    },
    onFailed: (failure) => tellFailure(failure, setRefused),
  });
  return (
    <WebhookForm
      webhook={webhook}
      submit={saving.running ? texts.saving : texts.save}
      running={saving.running}
      refused={refused}
      onCancel={onClose}
      onSubmit={(body) => {
        setRefused(undefined);
        void saving.run({ params: { webhookId: webhook.id }, body });
      }}
    />
  );
}

/** What the server says against the form stands in it; that there was no answer is a notification, and nothing typed is lost. */
function tellFailure(failure: CallFailure, tell: (message: string) => void): void {
  if (failure instanceof Refused) tell(translateKnown(failure.message));
  else notifyFailure(texts.failed, translateKnown(failure.message));
}

type Filled = Pick<Webhook, 'url' | 'events'> & { enabled: boolean };

function WebhookForm({
  webhook,
  submit,
  running,
  refused,
  onSubmit,
  onCancel,
}: {
  /** The one that is changed; a new one has no switch. */
  webhook?: Webhook;
  submit: string;
  running: boolean;
  refused: string | undefined;
  onSubmit: (filled: Filled) => void;
  onCancel: () => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState<string[]>(webhook?.events ?? [...webhookEventTypes]);
  const [enabled, setEnabled] = useState(webhook === undefined || webhook.disabledReason === null);
  const [isTried, setIsTried] = useState(false);
  const events = webhookEventTypes.filter((type) => chosen.includes(type));
  const urlFault = url.trim() === '' ? texts.urlMissing : undefined;
  const eventsFault = events.length === 0 ? texts.eventsMissing : undefined;

  function send(event: SubmitEvent): void {
    event.preventDefault();
    setIsTried(true);
    if (urlFault === undefined && eventsFault === undefined) onSubmit({ url: url.trim(), events, enabled });
  }

  return (
    <form onSubmit={send} noValidate>
      <DialogContent>
        <div className={classes.fields}>
          <TextInput
            data-autofocus
            label={texts.url}
            description={portalConfig().standins ? texts.urlHintHere : texts.urlHint}
            placeholder={texts.urlExample}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={isTried ? (urlFault ?? refused) : undefined}
          />
          <Checkbox.Group
            label={webhookTexts.events}
            value={chosen}
            onChange={setChosen}
            error={isTried ? eventsFault : undefined}
          >
            <div className={classes.events}>
              {webhookEventTypes.map((type) => (
                <Checkbox
                  key={type}
                  value={type}
                  label={<span className="mono">{type}</span>}
                  description={webhookTexts.told[type]}
                />
              ))}
            </div>
          </Checkbox.Group>
          {webhook !== undefined && (
            <Checkbox
              label={texts.enabled}
              checked={enabled}
              onChange={(event) => setEnabled(event.currentTarget.checked)}
            />
          )}
        </div>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <ActionButton type="submit" running={running}>
          {submit}
        </ActionButton>
      </DialogFoot>
    </form>
  );
}
