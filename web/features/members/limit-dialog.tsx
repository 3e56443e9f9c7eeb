import { Button, TextInput } from '@mantine/core';
import { limitMember, listMembers, type Member } from '#shared/contract/members.ts';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { effectText } from '#web/ui/localized-days.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** How many calls a day all keys of a member may make together; the gateway applies it at once. */
export function LimitDialog({
  member,
  opened,
  onClose,
}: {
  member: Member | null;
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.limitTitle(member?.name ?? '')}>
      {member === null ? null : <LimitForm member={member} onClose={onClose} />}
    </Dialog>
  );
}

function LimitForm({ member: { id, name, dailyLimit }, onClose }: { member: Member; onClose: () => void }) {
  const contractForm = useContractForm(limitMember, {
    initialValues: { dailyLimit: dailyLimit === null ? '' : String(dailyLimit) },
    input: (draft: { dailyLimit: string }) => ({
      params: { memberId: id },
      body: { dailyLimit: limitOf(draft.dailyLimit.trim()) },
    }),
    wording: (field) => (field === 'dailyLimit' ? texts.limitFault : undefined),
    changes: [listMembers],
    onDone: ({ effectiveBy }) => {
      notifyDone(texts.limited(name), effectText(effectiveBy, texts.limitedMore));
      onClose();
    },
    onFailed: (failure, isPlaced) => isPlaced || notifyFailure(texts.limitFailed, failure.message),
  });
  const { field, running } = contractForm;
  return (
    <ContractForm of={contractForm}>
      <DialogContent>
        <TextInput
          {...field('dailyLimit', texts.limitHint)}
          label={texts.limitLabel}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
        />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call="limitMember" type="submit" running={running}>
          {running ? texts.limiting : texts.limitSave}
        </ActionButton>
      </DialogFoot>
    </ContractForm>
  );
}

/** The contract rejects what is no whole number. */
const limitOf = (text: string): number | null => (text === '' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN);
