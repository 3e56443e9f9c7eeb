import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { deleteWebhook, listWebhooks, type Webhook } from '#shared/contract/webhooks.ts';
import { callKey, useAction } from '#web/api/use-call.ts';
import { webhookDialogTexts as texts, webhookTexts } from '#web/features/webhooks/texts.ts';
import classes from '#web/features/webhooks/webhooks.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';

interface DeleteWebhookDialogProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a webhook is deleted, and leaves its page. */
export function DeleteWebhookDialog({ webhook, opened, onClose }: DeleteWebhookDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // Its page would say that it is not found, so the list is read again only after leaving it.
  async function leave(): Promise<void> {
    await navigate('/developers/webhooks');
    await queryClient.invalidateQueries({ queryKey: callKey(listWebhooks) });
  }
  const deleting = useAction(deleteWebhook, {
    onDone: () => {
      notifyDone(texts.deleted);
      void leave();
    },
    onFailed: (failure) => notifyFailure(texts.deleteFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.deleteTitle}>
      <RemoveQuestion
        call="deleteWebhook"
        keep={texts.keep}
        onKeep={onClose}
        remove={webhookTexts.delete}
        removing={texts.deleting}
        running={deleting.running}
        onRemove={() => void deleting.run({ params: { webhookId: webhook.id } })}
      >
        <Text className="soft">{texts.deleteQuestion}</Text>
        <p className={`${classes.address} mono`}>{webhook.url}</p>
      </RemoveQuestion>
    </Dialog>
  );
}
