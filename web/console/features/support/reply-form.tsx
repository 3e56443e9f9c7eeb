import { Alert, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { maxMessage } from '#shared/domain/support-thread.ts';
import { actAsOperator, isUnsure } from '#web/console/api/operator-call.ts';
import { useDraft } from '#web/console/api/drafts.ts';
import { rereadAll } from '#web/console/api/use-operator-call.ts';
import classes from '#web/console/features/support/thread-page.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { notifyDone } from '#web/ui/notify.tsx';

/** Of the audit log, which the customer reads: the reply itself says the rest. */
const reason = 'Reply to your message';

/** An answer: the customer gets it in the portal and by mail. Nothing else happens, so that there is nothing to preview. */
export function ReplyForm({ threadId, isClosed }: { threadId: string; isClosed: boolean }) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { values, change } = useDraft(`replyToThread ${threadId}`, {});
  const message = values['message'] ?? '';
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (running || message.trim() === '') return;
    setRunning(true);
    setFailure(null);
    try {
      await actAsOperator('replyToThread', { threadId, message }, reason);
      change('message', '');
      notifyDone('The reply is sent', 'The customer gets it in the portal and by mail.');
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      void rereadAll(queryClient);
      setRunning(false);
    }
  }

  const mayBeSent = isUnsure('replyToThread', { threadId, message });

  return (
    <form ref={form} className={classes.reply} onSubmit={(event) => void send(event)}>
      <LeaveGuard
        on={message.trim() !== ''}
        question={{ title: 'Leave without sending?', text: 'The reply is not sent yet.' }}
      />
      <Textarea
        label="Reply"
        description={isClosed ? 'A reply opens the thread again.' : 'Ctrl Enter sends it.'}
        maxLength={maxMessage}
        rows={6}
        value={message}
        onChange={({ currentTarget }) => change('message', currentTarget.value)}
        onKeyDown={({ key: pressed, ctrlKey, metaKey }) =>
          pressed === 'Enter' && (ctrlKey || metaKey) && form.current?.requestSubmit()
        }
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
      <ActionButton type="submit" running={running} disabled={message.trim() === ''}>
        Send
      </ActionButton>
    </form>
  );
}
