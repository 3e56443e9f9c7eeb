import { Alert, TextInput, Textarea } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { createSupportMessage, listSupportMessages } from '#contract/support.ts';
import { formatNumber } from '#domain/number-text.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import { type Draft, emptyDraft, isEmpty, keepDraft, readDraft } from '#web/features/support/draft.ts';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { translateKnown } from '#web/language/language.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone } from '#web/ui/notify.tsx';
import { UnsavedGuard } from '#web/ui/unsaved.tsx';

const maxSubject = 120;
const maxMessage = 5000;

/** A message to the provider. What is typed stays until it is sent, whatever happens on the way. */
export function SupportForm({ activationId }: { activationId: string }) {
  const [draft, setDraft] = useState(() => readDraft(activationId));
  const [isTried, setIsTried] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const send = useAction(createSupportMessage, {
    changes: [listSupportMessages],
    onDone: () => {
      change(emptyDraft);
      setIsTried(false);
      notifyDone(texts.sent, texts.sentMore);
    },
    onFailed: setFailure,
  });
  const faults = isTried ? faultsOf(draft) : {};

  function change(next: Draft): void {
    setDraft(next);
    keepDraft(activationId, next);
    setFailure(null);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setIsTried(true);
    const [first] = Object.keys(faultsOf(draft));
    if (first === undefined) void send.run({ body: { ...draft, activationId } });
    else form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }

  return (
    <form ref={form} className={classes.form} noValidate onSubmit={submit}>
      <UnsavedGuard isDirty={!isEmpty(draft)} onLeave={() => keepDraft(activationId, emptyDraft)} />
      <TextInput
        name="subject"
        label={texts.subject}
        required
        withAsterisk={false}
        maxLength={maxSubject}
        value={draft.subject}
        error={faults.subject}
        onChange={(event) => change({ ...draft, subject: event.currentTarget.value })}
      />
      <Textarea
        name="message"
        label={texts.message}
        description={
          draft.message.length > maxMessage / 2
            ? texts.counter(formatNumber(draft.message.length), formatNumber(maxMessage))
            : texts.messageHint
        }
        required
        withAsterisk={false}
        maxLength={maxMessage}
        rows={7}
        value={draft.message}
        error={faults.message}
        onChange={(event) => change({ ...draft, message: event.currentTarget.value })}
      />
      {failure !== null && (
        <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={texts.notSent}>
          {failure.message} {texts.kept}
        </Alert>
      )}
      <div className={classes.actions}>
        <ActionButton type="submit" running={send.running}>
          {send.running ? texts.sending : texts.send}
        </ActionButton>
      </div>
    </form>
  );
}

/** The contract's sentences for the fields that cannot be sent. */
function faultsOf(draft: Draft): Partial<Record<keyof Draft, string>> {
  const parsed = createSupportMessage.body.pick({ subject: true, message: true }).safeParse(draft);
  return Object.fromEntries(
    (parsed.error?.issues ?? []).toReversed().map((issue) => [String(issue.path[0]), translateKnown(issue.message)]),
  );
}
