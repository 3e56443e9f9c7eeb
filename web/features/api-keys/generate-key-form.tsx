import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { createApiKey, listApiKeys } from '#shared/contract/api-keys.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { keyNameFault, keyNameMaxLength, typedKeyName } from '#shared/domain/api-key.ts';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { KeyTermsFields } from '#web/features/api-keys/key-terms-fields.tsx';
import { noTerms, pastFaultOf, termsFieldOf, termsFields, termsOf } from '#web/features/api-keys/key-terms.ts';
import { generateTexts as texts } from '#web/features/api-keys/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { translateKnown } from '#web/language/language.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { useToday } from '#web/ui/today.ts';

interface GenerateKeyFormProps {
  activationId: string;
  /** Test keys exist only for APIs with a sandbox. */
  hasSandbox: boolean;
  onCancel: () => void;
  onMade: (reply: CallReply<typeof createApiKey>, isTest: boolean) => void;
}

const emptyForm = { keyName: '', isTest: false, ...noTerms };

/** Asks for the name of a key (product §5.1), its kind, and its limits. */
export function GenerateKeyForm({ activationId, hasSandbox, onCancel, onMade }: GenerateKeyFormProps) {
  const today = useToday();
  const contractForm = useContractForm(createApiKey, {
    ...termsFields,
    initialValues: emptyForm,
    input: ({ keyName, isTest, ...draft }: typeof emptyForm) => ({
      params: { activationId },
      body: { keyName, isTest, ...termsOf(isTest ? { ...draft, dailyCap: '' } : draft) },
    }),
    faults: (values) => ({ ...nameFaultOf(values), ...pastFaultOf(values, today) }),
    fieldOfRefusal: (code) => termsFieldOf(code) ?? 'keyName',
    changes: [listApiKeys],
    onDone: (reply, { isTest }) => onMade(reply, isTest),
    onFailed: (failure, isPlaced) => isPlaced || notifyFailure(texts.failed, `${failure.message} ${texts.maybeMade}`),
  });
  const { form, field, running } = contractForm;
  const { keyName, isTest } = form.values;
  const isNameWrong = keyNameFault(keyName) !== undefined;

  function changeName(typed: string): void {
    const name = typedKeyName(typed);
    form.setFieldValue('keyName', name);
    // An empty name is reported on submit.
    if (name !== '') form.validateField('keyName');
  }

  return (
    <ContractForm of={contractForm}>
      <DialogContent>
        <TextInput
          {...field(
            'keyName',
            <span className={classes.below}>
              <span>{texts.hint}</span>
              <span className="num">{texts.count(keyName.length, keyNameMaxLength)}</span>
            </span>,
          )}
          data-autofocus
          label={texts.label}
          onChange={(event) => changeName(event.currentTarget.value)}
          // The browser submits nothing while the button is disabled, and Enter would say nothing.
          onKeyDown={(event) => event.key === 'Enter' && isNameWrong && form.validateField('keyName')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', color: 'var(--p-text)' } }}
        />
        {hasSandbox && (
          <>
            <SegmentedControl
              fullWidth
              mt={16}
              aria-label={texts.kind}
              data={[
                { value: 'live', label: texts.live },
                { value: 'test', label: texts.test },
              ]}
              value={isTest ? 'test' : 'live'}
              onChange={(kind) => form.setFieldValue('isTest', kind === 'test')}
            />
            <p className={`${classes.kindMore} caption soft`}>{isTest ? texts.testMore : texts.liveMore}</p>
          </>
        )}
        <details className={classes.limits} open={hasTermsFault(form.errors) || undefined}>
          <summary>{texts.limits}</summary>
          <KeyTermsFields field={field} today={today} isTest={isTest} />
        </details>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <ActionButton call="createApiKey" type="submit" disabled={isNameWrong} running={running}>
          {running ? texts.submitting : texts.submit}
        </ActionButton>
      </DialogFoot>
    </ContractForm>
  );
}

function nameFaultOf({ keyName }: typeof emptyForm): { keyName?: string } {
  const fault = keyNameFault(keyName);
  return fault === undefined ? {} : { keyName: translateKnown(fault) };
}

function hasTermsFault(errors: FormErrors): boolean {
  return Object.keys(noTerms).some((name) => errors[name] !== undefined);
}
