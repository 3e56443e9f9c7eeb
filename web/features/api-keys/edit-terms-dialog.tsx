import { Button } from '@mantine/core';
import { type ApiKey, listApiKeys, updateApiKey } from '#shared/contract/api-keys.ts';
import { KeyTermsFields } from '#web/features/api-keys/key-terms-fields.tsx';
import {
  draftOf,
  pastFaultOf,
  type TermsDraft,
  termsFieldOf,
  termsFields,
  termsOf,
} from '#web/features/api-keys/key-terms.ts';
import { termsTexts as texts } from '#web/features/api-keys/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { effectText } from '#web/ui/localized-days.ts';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { useToday } from '#web/ui/today.ts';

interface EditTermsDialogProps {
  activationId: string;
  apiKey: ApiKey | null;
  opened: boolean;
  onClose: () => void;
}

/** Changes the expiry, the allowed addresses and the daily cap of a key; the gateway applies them at once. */
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
  const contractForm = useContractForm(updateApiKey, {
    ...termsFields,
    initialValues: draftOf(apiKey),
    input: (draft: TermsDraft) => ({ params: { activationId, keyId: apiKey.id }, body: termsOf(draft) }),
    faults: (draft) => pastFaultOf(draft, today),
    fieldOfRefusal: termsFieldOf,
    changes: [listApiKeys],
    onDone: ({ effectiveBy }) => {
      notifyDone(texts.saved(apiKey.keyName), effectText(effectiveBy, texts.savedMore));
      onClose();
    },
    onFailed: (failure, isPlaced) => isPlaced || notifyFailure(texts.failed, failure.message),
  });
  const { field, running } = contractForm;

  return (
    <ContractForm of={contractForm}>
      <DialogContent>
        <p className="soft">{texts.lead(apiKey.keyName)}</p>
        <KeyTermsFields field={field} today={today} isTest={apiKey.isTest} focused />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call="updateApiKey" type="submit" running={running}>
          {running ? texts.saving : texts.save}
        </ActionButton>
      </DialogFoot>
    </ContractForm>
  );
}
