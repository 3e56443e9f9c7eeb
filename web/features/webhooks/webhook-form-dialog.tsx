import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import type { CallReply } from '#shared/contract/call.ts';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { webhookEventTypes } from '#shared/contract/webhook-events.ts';
import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  updateWebhook,
  type Webhook,
} from '#shared/contract/webhooks.ts';
import { mayHear } from '#shared/policies/members/webhooks.ts';
import { portalConfig } from '#web/api/config.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { callKey, useCall } from '#web/api/use-call.ts';
import { NewSecret } from '#web/features/webhooks/new-secret.tsx';
import { webhookDialogTexts as texts, webhookTexts } from '#web/features/webhooks/texts.ts';
import classes from '#web/features/webhooks/webhooks.module.css';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { type ContractFormState, useContractForm } from '#web/forms/use-contract-form.tsx';
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

type Filled = Pick<Webhook, 'url'> & { events: string[]; enabled: boolean };

function AddSteps({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const keepWebhook = useKeepWebhook();
  const role = useCall(readAccount, {}).data?.role ?? 'owner';
  const [made, setMade] = useState<CallReply<typeof createWebhook> | null>(null);
  const contractForm = useContractForm(createWebhook, {
    ...formOptions,
    initialValues: { url: '', events: webhookEventTypes.filter((type) => mayHear(role, type)), enabled: true },
    input: (filled: Filled) => ({ body: settingsOf(filled) }),
    changes: [listWebhooks],
    onDone: (reply) => {
      keepWebhook(reply.webhook);
      setMade(reply);
    },
  });
  if (made !== null) {
    const done = () => {
      onClose();
      void navigate(`/developers/webhooks/${made.webhook.id}`);
    };
    return <NewSecret secret={made.secret} ready={texts.secretReady} onDone={done} />;
  }
  const submit = contractForm.running ? texts.adding : webhookTexts.add;
  return <WebhookForm call="createWebhook" of={contractForm} submit={submit} onCancel={onClose} />;
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
  const keepWebhook = useKeepWebhook();
  const contractForm = useContractForm(updateWebhook, {
    ...formOptions,
    initialValues: { url: webhook.url, events: webhook.events, enabled: webhook.disabledReason === null },
    input: (filled: Filled) => ({
      params: { webhookId: webhook.id },
      body: { ...settingsOf(filled), enabled: filled.enabled },
    }),
    changes: [listWebhooks, listWebhookDeliveries],
    onDone: (saved) => {
      keepWebhook(saved);
      notifyDone(texts.saved);
      onClose();
    },
  });
  const submit = contractForm.running ? texts.saving : texts.save;
  return <WebhookForm call="updateWebhook" of={contractForm} submit={submit} hasSwitch onCancel={onClose} />;
}

/** Puts a saved webhook into the list as it was last read: what is opened next need not wait for a slow list. */
function useKeepWebhook(): (saved: Webhook) => void {
  const queryClient = useQueryClient();
  return (saved) =>
    queryClient.setQueryData<CallReply<typeof listWebhooks>>(callKey(listWebhooks, {}), (before) => {
      if (before === undefined) return undefined;
      const isNew = before.webhooks.every(({ id }) => id !== saved.id);
      const webhooks = isNew
        ? [...before.webhooks, saved]
        : before.webhooks.map((each) => (each.id === saved.id ? saved : each));
      return { ...before, webhooks };
    });
}

const formOptions = {
  wording: (field: string) =>
    field === 'url' ? texts.urlMissing : field === 'events' ? texts.eventsMissing : undefined,
  fieldOfRefusal: (code: RefusalCode) => (code === 'invalid_webhook_url' ? ('url' as const) : undefined),
  onFailed: (failure: CallFailure, isPlaced: boolean) => isPlaced || notifyFailure(texts.failed, failure.message),
};

function settingsOf({ url, events }: Filled) {
  return { url, events: webhookEventTypes.filter((type) => events.includes(type)) };
}

interface WebhookFormProps {
  call: 'createWebhook' | 'updateWebhook';
  of: ContractFormState<Filled>;
  submit: string;
  /** A new webhook has no switch. */
  hasSwitch?: boolean;
  onCancel: () => void;
}

function WebhookForm({ call, of, submit, hasSwitch = false, onCancel }: WebhookFormProps) {
  const role = useCall(readAccount, {}).data?.role ?? 'owner';
  return (
    <ContractForm of={of}>
      <DialogContent>
        <div className={classes.fields}>
          <TextInput
            {...of.field('url', portalConfig().standins ? texts.urlHintHere : texts.urlHint)}
            data-autofocus
            label={texts.url}
            placeholder={texts.urlExample}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
          />
          <Checkbox.Group {...of.field('events')} label={webhookTexts.events}>
            <div className={classes.events}>
              {webhookEventTypes
                .filter((type) => mayHear(role, type))
                .map((type) => (
                  <Checkbox
                    key={type}
                    value={type}
                    label={<span className="mono">{type}</span>}
                    description={webhookTexts.told[type]}
                  />
                ))}
            </div>
          </Checkbox.Group>
          {hasSwitch && <Checkbox {...of.form.getInputProps('enabled', { type: 'checkbox' })} label={texts.enabled} />}
        </div>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <ActionButton call={call} type="submit" running={of.running}>
          {submit}
        </ActionButton>
      </DialogFoot>
    </ContractForm>
  );
}
