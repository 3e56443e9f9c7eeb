import { Alert, TextInput, Textarea } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { createSupportMessage, listSupportMessages } from '#contract/support.ts';
import { formatNumber } from '#domain/number-text.ts';
import type { CallFailure } from '#web/api/failures.ts';
import {
  type Draft,
  emptyDraft,
  isEmpty,
  keepDraft,
  maxMessage,
  maxSubject,
  readDraft,
} from '#web/features/support/draft.ts';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone } from '#web/ui/notify.tsx';

/** A message to the provider. The input is kept until it is sent, whatever happens. */
export function SupportForm({ activationId }: { activationId: string }) {
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const contractForm = useContractForm(createSupportMessage, {
    initialValues: readDraft(activationId),
    input: (draft: Draft) => ({ body: { ...draft, activationId } }),
    onValuesChange: (draft) => {
      keepDraft(activationId, draft);
      setFailure(null);
    },
    changes: [listSupportMessages],
    onDone: () => {
      form.setValues(emptyDraft);
      notifyDone(texts.sent, texts.sentMore);
    },
    onFailed: setFailure,
  });
  const { form, field, running } = contractForm;
  const { length } = form.values.message;

  return (
    <ContractForm
      of={contractForm}
      className={classes.form}
      isDirty={!isEmpty(form.values)}
      onLeave={() => keepDraft(activationId, emptyDraft)}
    >
      <TextInput {...field('subject')} label={texts.subject} required withAsterisk={false} maxLength={maxSubject} />
      <Textarea
        {...field(
          'message',
          length > maxMessage / 2 ? texts.counter(formatNumber(length), formatNumber(maxMessage)) : texts.messageHint,
        )}
        label={texts.message}
        required
        withAsterisk={false}
        maxLength={maxMessage}
        rows={7}
      />
      {failure !== null && (
        <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={texts.notSent}>
          {failure.message} {texts.kept}
        </Alert>
      )}
      <div className={classes.actions}>
        <ActionButton type="submit" running={running}>
          {running ? texts.sending : texts.send}
        </ActionButton>
      </div>
    </ContractForm>
  );
}
