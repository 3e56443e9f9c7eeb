import { Button } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { type ApiKey, listApiKeys, updateApiKey } from '#contract/api-keys.ts';
import { useAction } from '#web/api/use-call.ts';
import { KeyTermsFields } from '#web/features/api-keys/key-terms-fields.tsx';
import { draftOf, type TermsFault, termsOf } from '#web/features/api-keys/key-terms.ts';
import { termsTexts as texts } from '#web/features/api-keys/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { effectText } from '#web/ui/day-text.ts';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { useToday } from '#web/ui/today.ts';

interface EditTermsDialogProps {
  activationId: string;
  apiKey: ApiKey | null;
  opened: boolean;
  onClose: () => void;
}

/** Changes the end, the addresses and the cap of a key; the gateway goes by them at once. */
export function EditTermsDialog({ apiKey, opened, onClose, activationId }: EditTermsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {apiKey !== null && <EditTermsForm activationId={activationId} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  );
}

function EditTermsForm({
  activationId,
  apiKey,
  onClose,
}: {
  activationId: string;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const today = useToday();
  const [draft, setDraft] = useState(() => draftOf(apiKey));
  const [fault, setFault] = useState<TermsFault | undefined>(undefined);
  const saving = useAction(updateApiKey, {
    changes: [listApiKeys],
    onDone: ({ effectiveBy }) => {
      notifyDone(texts.saved(apiKey.keyName), effectText(effectiveBy, texts.savedMore));
      onClose();
    },
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const read = termsOf(draft, today);
    setFault('fault' in read ? read.fault : undefined);
    if ('terms' in read) void saving.run({ params: { activationId, keyId: apiKey.id }, body: read.terms });
  }

  return (
    <form onSubmit={submit} noValidate>
      <DialogContent>
        <p className="soft">{texts.lead(apiKey.keyName)}</p>
        <KeyTermsFields draft={draft} fault={fault} today={today} isTest={apiKey.isTest} focused onChange={setDraft} />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton type="submit" running={saving.running}>
          {saving.running ? texts.saving : texts.save}
        </ActionButton>
      </DialogFoot>
    </form>
  );
}
