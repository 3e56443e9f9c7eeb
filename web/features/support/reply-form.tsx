import { useState } from 'react';
import { listSupportThreads, readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { emptyDraft, keepDraft, readDraft } from '#web/features/support/draft.ts';
import { FilesField } from '#web/features/support/files-field.tsx';
import { MessageField, NotSent } from '#web/features/support/message-field.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { type ChosenFile, filesOf } from '#web/forms/chosen-files.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone } from '#web/ui/notify.tsx';

/** A further message in a thread; a closed one is open again. The input is kept until it is sent. */
export function ReplyForm({ threadId, isClosed }: { threadId: string; isClosed: boolean }) {
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const contractForm = useContractForm(replyToSupport, {
    initialValues: { message: readDraft(threadId).message },
    input: ({ message }: { message: string }) => ({ params: { threadId }, body: { message, files: filesOf(files) } }),
    onValuesChange: ({ message }) => {
      keepDraft(threadId, { subject: '', message });
      setFailure(null);
    },
    changes: [readSupportThread, listSupportThreads],
    onDone: (_reply, sent) => {
      // What was typed while it was sent stays.
      if (form.getValues().message === sent.message) form.setValues({ message: '' });
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
      isDirty={form.values.message.trim() !== '' || files.length > 0}
      onLeave={() => keepDraft(threadId, emptyDraft)}
    >
      <MessageField
        field={field}
        typed={form.values.message.length}
        label={texts.writeAgain}
        hint={isClosed ? texts.opensAgain : texts.messageHint}
      />
      <FilesField files={files} onChange={setFiles} />
      {failure !== null && <NotSent failure={failure} />}
      <div className={classes.actions}>
        <ActionButton call="replyToSupport" type="submit" running={running}>
          {running ? texts.sending : texts.send}
        </ActionButton>
      </div>
    </ContractForm>
  );
}
