import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { createApiKey, listApiKeys } from '#contract/api-keys.ts';
import type { CallReply } from '#contract/call.ts';
import { keyNameFault, keyNameMaxLength, typedKeyName } from '#domain/api-key.ts';
import { Refused } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { KeyTermsFields } from '#web/features/api-keys/key-terms-fields.tsx';
import { noTerms, type TermsFault, termsOf } from '#web/features/api-keys/key-terms.ts';
import { generateTexts as texts } from '#web/features/api-keys/texts.ts';
import { translateKnown } from '#web/language/language.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { useToday } from '#web/ui/today.ts';

interface GenerateKeyFormProps {
  activationId: string;
  /** Test keys exist only where a sandbox answers them. */
  hasSandbox: boolean;
  onCancel: () => void;
  onMade: (reply: CallReply<typeof createApiKey>, isTest: boolean) => void;
}

/** Asks for the name of a key (product §5.1), its kind, and what it is bound to. */
export function GenerateKeyForm({ activationId, hasSandbox, onCancel, onMade }: GenerateKeyFormProps) {
  const [keyName, setKeyName] = useState('');
  const [told, setTold] = useState<string | undefined>(undefined);
  const [isTest, setIsTest] = useState(false);
  const [draft, setDraft] = useState(noTerms);
  const [termsFault, setTermsFault] = useState<TermsFault | undefined>(undefined);
  const today = useToday();
  const generating = useAction(createApiKey, {
    changes: [listApiKeys],
    onDone: (reply) => onMade(reply, isTest),
    onFailed: (failure) => {
      if (failure instanceof Refused) setTold(failure.message || texts.failed);
      else notifyFailure(texts.failed, `${failure.message} ${texts.maybeMade}`);
    },
  });
  const found = keyNameFault(keyName);
  const fault = found === undefined ? undefined : translateKnown(found);
  const error = keyName !== '' && fault !== undefined ? fault : told;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (fault !== undefined) return setTold(fault);
    setTold(undefined);
    const read = termsOf(isTest ? { ...draft, dailyCap: '' } : draft, today);
    setTermsFault('fault' in read ? read.fault : undefined);
    if ('terms' in read) void generating.run({ params: { activationId }, body: { keyName, isTest, ...read.terms } });
  }

  return (
    <form onSubmit={submit} noValidate>
      <DialogContent>
        <TextInput
          data-autofocus
          label={texts.label}
          value={keyName}
          onChange={(event) => {
            setKeyName(typedKeyName(event.currentTarget.value));
            setTold(undefined);
          }}
          // The browser submits nothing while the button is disabled, and Enter would say nothing.
          onKeyDown={(event) => event.key === 'Enter' && setTold(fault)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', color: 'var(--p-text)' } }}
          description={
            error === undefined ? (
              <span className={classes.below}>
                <span>{texts.hint}</span>
                <span className="num">{texts.count(keyName.length, keyNameMaxLength)}</span>
              </span>
            ) : undefined
          }
          error={
            error === undefined ? undefined : (
              <span className={classes.error}>
                <CircleAlert size={15} aria-hidden /> {error}
              </span>
            )
          }
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
              onChange={(kind) => setIsTest(kind === 'test')}
            />
            <p className={`${classes.kindMore} caption soft`}>{isTest ? texts.testMore : texts.liveMore}</p>
          </>
        )}
        <details className={classes.limits} open={termsFault !== undefined || undefined}>
          <summary>{texts.limits}</summary>
          <KeyTermsFields draft={draft} fault={termsFault} today={today} isTest={isTest} onChange={setDraft} />
        </details>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <ActionButton type="submit" disabled={fault !== undefined} running={generating.running}>
          {generating.running ? texts.submitting : texts.submit}
        </ActionButton>
      </DialogFoot>
    </form>
  );
}
