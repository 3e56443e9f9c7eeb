import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { listActivations } from '#shared/contract/activations.ts';
import { createSupportThread, listSupportThreads } from '#shared/contract/support.ts';
import { maxSubject } from '#shared/domain/support-thread.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useCall } from '#web/api/use-call.ts';
import { type Draft, emptyDraft, isEmpty, keepDraft, readDraft } from '#web/features/support/draft.ts';
import { FilesField } from '#web/features/support/files-field.tsx';
import { MessageField, NotSent } from '#web/features/support/message-field.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { type ChosenFile, filesOf } from '#web/forms/chosen-files.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone } from '#web/ui/notify.tsx';

interface SupportFormProps {
  activationId: string | null;
  /** What the draft is kept under: an id of this customer, so that the next one in this tab does not see it. Null: it is not kept. */
  draftKey: string | null;
}

/** The first message of a thread, about an activation or in general. The input is kept until it is sent, whatever happens. */
export function SupportForm({ activationId, draftKey }: SupportFormProps) {
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [about, setAbout] = useState(activationId);
  const keep = (draft: Draft): void => {
    if (draftKey !== null) keepDraft(draftKey, draft);
  };
  const contractForm = useContractForm(createSupportThread, {
    initialValues: draftKey === null ? emptyDraft : readDraft(draftKey),
    input: (draft: Draft) => ({ body: { ...draft, activationId: about, files: filesOf(files) } }),
    onValuesChange: (draft) => {
      keep(draft);
      setFailure(null);
    },
    changes: [listSupportThreads],
    onDone: (_reply, sent) => {
      const { subject, message } = form.getValues();
      // What was typed while it was sent stays.
      if (subject === sent.subject && message === sent.message) form.setValues(emptyDraft);
      setFiles([]);
      notifyDone(texts.sent, texts.sentMore);
    },
    onFailed: setFailure,
  });
  const { form, field, running } = contractForm;

  return (
    <ContractForm
      of={contractForm}
      className={classes.form}
      isDirty={!isEmpty(form.values) || files.length > 0}
      onLeave={() => keep(emptyDraft)}
    >
      {activationId === null && <About value={about} onChange={setAbout} />}
      <TextInput {...field('subject')} label={texts.subject} required withAsterisk={false} maxLength={maxSubject} />
      <MessageField field={field} typed={form.values.message.length} label={texts.message} hint={texts.messageHint} />
      <FilesField files={files} onChange={setFiles} />
      {failure !== null && <NotSent failure={failure} />}
      <div className={classes.actions}>
        <ActionButton call="createSupportThread" type="submit" running={running}>
          {running ? texts.sending : texts.send}
        </ActionButton>
      </div>
    </ContractForm>
  );
}

/** Which activation the message is about. Without the list of them it is a general one. */
function About({ value, onChange }: { value: string | null; onChange: (activationId: string | null) => void }) {
  const activations = useCall(listActivations, {}).data?.activations ?? [];
  return (
    <NativeSelect
      label={texts.about}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      data={[
        { value: '', label: texts.general },
        ...activations.map(({ id, service }) => ({ value: id, label: `${service.name}, ${id}` })),
      ]}
    />
  );
}
