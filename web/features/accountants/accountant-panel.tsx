import { Alert, Skeleton, TextInput } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { type AccountantState, askAccountant, readAccountant, removeAccountant } from '#shared/contract/accountants.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import classes from '#web/features/accountants/accountants.module.css';
import { accountantTexts as texts } from '#web/features/accountants/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import panel from '#web/ui/panel.module.css';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Section } from '#web/ui/section.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

/** Who gets the documents of each month by mail, and the switch to stop it. */
export function AccountantPanel() {
  const state = useCall(readAccountant, {});
  return (
    <Section title={texts.title}>
      <div className={panel.panel}>
        <p className="soft">{texts.lead}</p>
        <Loaded of={state} word={texts.loading} failed={texts.failed} shape={<Skeleton height={92} radius="md" />}>
          {({ accountant }) => (accountant === null ? <AskForm /> : <Accountant accountant={accountant} />)}
        </Loaded>
      </div>
    </Section>
  );
}

function AskForm() {
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const contractForm = useContractForm(askAccountant, {
    initialValues: { email: '' },
    input: (body) => ({ body }),
    onValuesChange: () => setFailure(null),
    changes: [readAccountant],
    onDone: ({ accountant }) => notifyDone(texts.asked, texts.askedMore(accountant?.email ?? '')),
    onFailed: (refused, isPlaced) => setFailure(isPlaced ? null : refused),
  });
  const { field, running } = contractForm;
  return (
    <ContractForm of={contractForm} className={classes.form}>
      <TextInput
        {...field('email', texts.emailHint)}
        className={classes.email ?? ''}
        label={texts.email}
        type="email"
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
      />
      {failure !== null && (
        <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={texts.notAsked}>
          {failure.message}
        </Alert>
      )}
      <div>
        <ActionButton call="askAccountant" type="submit" running={running}>
          {running ? texts.asking : texts.ask}
        </ActionButton>
      </div>
    </ContractForm>
  );
}

function Accountant({ accountant }: { accountant: NonNullable<AccountantState['accountant']> }) {
  const [asks, setAsks] = useState(false);
  const today = useToday();
  const { email, askedOn, answerBy, confirmedOn } = accountant;
  const isExpired = confirmedOn === null && today > answerBy;
  const again = useAction(askAccountant, {
    changes: [readAccountant],
    onDone: () => notifyDone(texts.asked, texts.askedMore(email)),
    onFailed: (failure) => notifyFailure(texts.notAsked, failure.message),
  });
  const state = isExpired ? texts.expired(dayText(askedOn)) : texts.waiting(dayText(askedOn));
  return (
    <>
      <Facts
        look="list"
        className={classes.facts}
        facts={[
          { key: 'address', label: texts.address, value: email },
          { key: 'state', label: texts.state, value: confirmedOn === null ? state : texts.on(dayText(confirmedOn)) },
          ...(confirmedOn === null ? [{ key: 'answerBy', label: texts.answerBy, value: dayText(answerBy) }] : []),
        ]}
      />
      <div className={panel.actions}>
        {confirmedOn === null && (
          <ActionButton
            call="askAccountant"
            variant="default"
            running={again.running}
            onClick={() => void again.run({ body: { email } })}
          >
            {again.running ? texts.asking : texts.askAgain}
          </ActionButton>
        )}
        <ActionButton call="removeAccountant" variant="default" onClick={() => setAsks(true)}>
          {texts.remove}
        </ActionButton>
      </div>
      <RemoveDialog email={email} opened={asks} onClose={() => setAsks(false)} />
    </>
  );
}

/** Asks before the mails are stopped. */
function RemoveDialog({ email, opened, onClose }: { email: string; opened: boolean; onClose: () => void }) {
  const removing = useAction(removeAccountant, {
    changes: [readAccountant],
    subject: askAccountant.name,
    onDone: () => {
      onClose();
      notifyDone(texts.removed);
    },
    onFailed: (failure) => notifyFailure(texts.removeFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.removeTitle}>
      <RemoveQuestion
        call="removeAccountant"
        keep={texts.keep}
        onKeep={onClose}
        remove={texts.remove}
        removing={texts.removing}
        running={removing.running}
        onRemove={() => void removing.run({})}
      >
        <p className="soft">{texts.removeQuestion(email)}</p>
      </RemoveQuestion>
    </Dialog>
  );
}
