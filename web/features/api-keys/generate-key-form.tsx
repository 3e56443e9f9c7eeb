import { Button, Loader, TextInput } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { createApiKey, listApiKeys } from '#contract/api-keys.ts';
import type { CallReply } from '#contract/call.ts';
import { keyNameFault, keyNameMaxLength, typedKeyName } from '#domain/api-key.ts';
import { Refused } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { generateTexts as texts } from '#web/features/api-keys/texts.ts';
import { translateKnown } from '#web/language/language.ts';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';

interface GenerateKeyFormProps {
  activationId: string;
  onCancel: () => void;
  onMade: (reply: CallReply<typeof createApiKey>) => void;
}

/** Asks for the name of a key (spec §5). */
export function GenerateKeyForm({ activationId, onCancel, onMade }: GenerateKeyFormProps) {
  const [keyName, setKeyName] = useState('');
  const [told, setTold] = useState<string | undefined>(undefined);
  const generating = useAction(createApiKey, {
    changes: [listApiKeys],
    onDone: onMade,
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
    void generating.run({ params: { activationId }, body: { keyName } });
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
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          disabled={fault !== undefined || generating.running}
          leftSection={generating.running ? <Loader color="currentColor" /> : undefined}
        >
          {generating.running ? texts.submitting : texts.submit}
        </Button>
      </DialogFoot>
    </form>
  );
}
