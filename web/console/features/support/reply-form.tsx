import { Alert, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, MessageSquareWarning } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { refusals } from '#shared/contract/refusals.ts';
import { maxMessage } from '#shared/domain/support-thread.ts';
import { actAsOperator, isUnsure } from '#web/console/api/operator-call.ts';
import { useDraft } from '#web/console/api/drafts.ts';
import { rereadAll } from '#web/console/api/use-operator-call.ts';
import { AnswerChoice } from '#web/console/features/support/answer-choice.tsx';
import classes from '#web/console/features/support/thread-page.module.css';
import { useKeys } from '#web/console/ui/use-keys.ts';
import { type ChosenFile, filesOf } from '#web/forms/chosen-files.ts';
import { FilesInput } from '#web/forms/files-input.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { notifyDone } from '#web/ui/notify.tsx';

/** Of the audit log, which the customer reads: the reply itself says the rest. */
const reason = 'Reply to your message';

/** An answer: the customer gets it in the portal and by mail. Nothing else happens, so that there is nothing to preview. */
export function ReplyForm({ thread }: { thread: OperatorReply<'readThread'> }) {
  const { id: threadId, customerId, activationId, messages } = thread;
  const isClosed = thread.status === 'CLOSED';
  // The newest message that is shown.
  const lastMessageId = messages.at(-1)?.id ?? '';
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { values, change } = useDraft(`replyToThread ${threadId}`, {});
  const message = values['message'] ?? '';
  // The newest message when the reply was begun.
  const [begunAfter, setBegunAfter] = useState(lastMessageId);
  const isOvertaken = message !== '' && begunAfter !== lastMessageId;
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [tried, setTried] = useState<OperatorInput<'replyToThread'>>();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useKeys([['r', () => field.current?.focus()]]);

  // What may have arrived is tried again as it was, also if the thread shows it by now.
  const mayBeSent = tried?.message === message && isUnsure('replyToThread', tried);
  const input = mayBeSent ? tried : { threadId, message, lastMessageId, files: filesOf(files) };

  function write(text: string): void {
    if (message === '') setBegunAfter(lastMessageId);
    change('message', text);
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (running || message.trim() === '') return;
    setRunning(true);
    setFailure(null);
    setTried(input);
    try {
      await actAsOperator('replyToThread', input, reason);
      change('message', '');
      setFiles([]);
      notifyDone('The reply is sent', 'The customer gets it in the portal and by mail.');
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      void rereadAll(queryClient);
      setRunning(false);
    }
  }

  return (
    <form ref={form} className={classes.reply} onSubmit={(event) => void send(event)}>
      <LeaveGuard
        on={message.trim() !== '' || files.length > 0}
        question={{ title: 'Leave without sending?', text: 'The reply is not sent yet.' }}
      />
      <AnswerChoice
        about={{ threadId, customerId, activationId }}
        onChoose={(answer) => {
          write(message.trim() === '' ? answer : `${message.trimEnd()}\n\n${answer}`);
          field.current?.focus();
        }}
      />
      <Textarea
        label="Reply"
        description={isClosed ? 'A reply opens the thread again.' : 'Ctrl Enter sends it.'}
        maxLength={maxMessage}
        rows={6}
        ref={field}
        value={message}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={({ key: pressed, ctrlKey, metaKey }) =>
          pressed === 'Enter' && (ctrlKey || metaKey) && form.current?.requestSubmit()
        }
      />
      <FilesInput
        label="Attach files"
        hint="PDF, PNG, JPEG, TXT or CSV: 5 files, 4 MB together."
        files={files}
        onChange={setFiles}
        remove={(name) => `Remove ${name}`}
        fault={refusals.file_refused.message}
      />
      {failure === null ? null : (
        <Alert
          role="alert"
          color="red"
          icon={<CircleAlert size={18} />}
          title={mayBeSent ? 'The reply may not be sent' : 'The reply was not sent'}
        >
          {failure} {mayBeSent ? 'Send it again: the customer gets it once.' : 'It is still in its field.'}
        </Alert>
      )}
      {isOvertaken && !mayBeSent ? (
        <Alert role="alert" color="yellow" icon={<MessageSquareWarning size={18} />} title="There is a newer message">
          It came while you were writing. Read it before you send.
        </Alert>
      ) : null}
      <ActionButton type="submit" running={running} disabled={message.trim() === ''}>
        {isOvertaken && !mayBeSent ? 'Send anyway' : 'Send'}
      </ActionButton>
    </form>
  );
}
