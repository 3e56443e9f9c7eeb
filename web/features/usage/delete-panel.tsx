import { Card, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type Activation,
  type Deletion,
  deleteActivation,
  listActivatedServices,
  previewDeleteActivation,
} from '#shared/contract/activations.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { callKey, useAction, useCall } from '#web/api/use-call.ts';
import classes from '#web/features/usage/delete-panel.module.css';
import { deletionFacts } from '#web/features/usage/deletion-facts.ts';
import { deleteTexts as texts } from '#web/features/usage/texts.ts';
import { effectText } from '#web/ui/localized-days.ts';
import { Dialog, DialogFacts } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { refundDoneText } from '#web/ui/refund-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';

/** Deletes an activation after showing what ends, what is lost and what is refunded (product §4.3, §4.12). */
export function DeletePanel({ activation }: { activation: Activation }) {
  const [confirming, setConfirming] = useState(false);
  const preview = useCall(previewDeleteActivation, { params: { activationId: activation.id } });
  return (
    <>
      <VisuallyHidden component="h2">{texts.title}</VisuallyHidden>
      <Loaded of={preview} word={texts.loading} failed={texts.failed} shape={<Skeleton h={220} radius="lg" />}>
        {(deletion) => (
          <>
            <Card padding={0} className={classes.card}>
              <div className={classes.body}>
                <div>
                  <Title order={3}>{texts.cardTitle(activation.service.name)}</Title>
                  <p className="soft">{texts.what}</p>
                  <Facts look="list" className={classes.facts} facts={deletionFacts(deletion)} />
                </div>
                <ActionButton
                  call="deleteActivation"
                  variant="default"
                  className={classes.button ?? ''}
                  onClick={() => setConfirming(true)}
                >
                  {texts.button}
                </ActionButton>
              </div>
            </Card>
            <DeleteDialog
              activation={activation}
              deletion={deletion}
              opened={confirming}
              onClose={() => setConfirming(false)}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function DeleteDialog({
  activation,
  deletion,
  opened,
  onClose,
}: {
  activation: Activation;
  deletion: Deletion;
  opened: boolean;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // The page of a deleted activation would say that it is not found, so the lists are read again only after leaving it.
  async function leave(): Promise<void> {
    await navigate('/marketplace');
    const changed = [...billingCalls, listActivatedServices];
    await Promise.all(changed.map((each) => queryClient.invalidateQueries({ queryKey: callKey(each) })));
  }
  const deleting = useAction(deleteActivation, {
    onDone: ({ effectiveBy }) => {
      notifyDone(texts.done(activation.service.name), effectText(effectiveBy, refundDoneText(deletion)));
      void leave();
    },
    onFailed: (failure) => notifyFailure(texts.actionFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.confirmTitle}>
      <RemoveQuestion
        call="deleteActivation"
        keep={texts.keep}
        onKeep={onClose}
        remove={texts.button}
        removing={texts.deleting}
        running={deleting.running}
        onRemove={() => void deleting.run({ params: { activationId: activation.id } })}
      >
        <Text className="soft">{texts.confirmText(activation.id)}</Text>
        <DialogFacts facts={deletionFacts(deletion)} />
      </RemoveQuestion>
    </Dialog>
  );
}
