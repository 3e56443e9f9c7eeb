import { useParams, useSearchParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { mayCall } from '#shared/policies/policies.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { useMay, useOperatorSession } from '#web/console/api/use-operator.ts';
import { CallPanel } from '#web/console/features/request-log/call-panel.tsx';
import { CustomerAside } from '#web/console/features/support/customer-aside.tsx';
import { Message } from '#web/console/features/support/message.tsx';
import { NoteInThread, useNotes } from '#web/console/features/support/notes.tsx';
import { ReplyForm } from '#web/console/features/support/reply-form.tsx';
import { actionsOfThread } from '#web/console/features/support/thread-actions.ts';
import classes from '#web/console/features/support/thread-page.module.css';
import { Actions } from '#web/console/ui/actions.tsx';
import { CustomerLink } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Page } from '#web/console/ui/page.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

type Thread = OperatorReply<'readThread'>;

const refetchIntervalMs = 20_000;

/** A thread with its customer beside it. */
export function ThreadPage() {
  const { threadId = '' } = useParams();
  return (
    <LoadedCall
      call="readThread"
      input={{ threadId }}
      failed="This thread could not be read"
      height={360}
      refetchIntervalMs={refetchIntervalMs}
    >
      {(reply) => <Conversation key={reply.id} thread={reply} />}
    </LoadedCall>
  );
}

function Conversation({ thread }: { thread: Thread }) {
  const { id, subject, status, customerId, customerName, activationId, assignedTo, messages } = thread;
  const may = useMay();
  const [search] = useSearchParams();
  const call = search.get('call');
  const team = useTeam();
  const notes = useNotes(customerId);
  const ofThread = notes.filter((note) => note.threadId === id);
  const entries = [...messages, ...ofThread].toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  return (
    <Page
      title={subject}
      lead={
        <>
          <StatusBadge status={status} text={wordOf(status)} />
          <CustomerLink id={customerId} name={customerName} />
          <span>{assignedTo === null ? 'Assigned to nobody' : `Assigned to ${assignedTo}`}</span>
          <span className="mono">{id}</span>
          {activationId === null ? null : <span className="mono">{activationId}</span>}
        </>
      }
      actions={<Actions list={actionsOfThread(thread, team)} shown={3} />}
    >
      <div className={classes.columns}>
        <div>
          <ol className={classes.messages} aria-label="Messages" aria-live="polite">
            {entries.map((entry) =>
              'note' in entry ? (
                <NoteInThread key={entry.id} note={entry} />
              ) : (
                <Message key={entry.id} threadId={id} message={entry} customerName={customerName} />
              ),
            )}
          </ol>
          {may('replyToThread') ? <ReplyForm thread={thread} /> : null}
        </div>
        <div className={classes.beside}>
          {call === null ? null : <CallPanel requestId={call} />}
          <CustomerAside customerId={customerId} notes={notes.filter(({ threadId }) => threadId === null)} />
        </div>
      </div>
    </Page>
  );
}

/** The addresses of those who may look after a thread; the signed-in operator comes first. */
function useTeam(): string[] {
  const me = useOperatorSession().data?.operator;
  const team = useOperatorCall('listOperators', {}).data?.operators ?? [];
  // The signed-in operator is known before the list is.
  const all = [...(me === undefined ? [] : [me]), ...team];
  return [...new Set(all.filter(({ role }) => mayCall(role, 'replyToThread')).map(({ email }) => email))];
}
