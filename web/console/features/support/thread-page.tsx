import { Skeleton } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { splitAtRequestIds } from '#shared/domain/request-ids.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { CustomerAside } from '#web/console/features/support/customer-aside.tsx';
import { ReplyForm } from '#web/console/features/support/reply-form.tsx';
import classes from '#web/console/features/support/thread-page.module.css';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CustomerLink, When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

type Thread = OperatorReply<'readThread'>;

const refetchIntervalMs = 20_000;

/** A thread with its customer beside it. */
export function ThreadPage() {
  const { threadId = '' } = useParams();
  const thread = useOperatorCall('readThread', { threadId }, { refetchIntervalMs });
  return (
    <Loaded
      of={thread}
      word="Loading"
      failed="This thread could not be read"
      shape={<Skeleton height={360} radius="lg" />}
    >
      {(reply) => <Conversation key={reply.id} thread={reply} />}
    </Loaded>
  );
}

function Conversation({ thread }: { thread: Thread }) {
  const { id, subject, status, customerId, customerName, activationId, messages } = thread;
  const may = useMay();
  const close = actionOf({
    call: 'closeThread',
    title: 'Close the thread',
    verb: 'Close thread',
    letter: 'c',
    about: 'For a thread that needs no reply. The customer opens it again by writing.',
    input: () => ({ threadId: id }),
  });
  return (
    <Page
      title={subject}
      lead={
        <>
          <StatusBadge status={status} text={wordOf(status)} />
          <CustomerLink id={customerId} name={customerName} />
          <span className="mono">{id}</span>
          {activationId === null ? null : <span className="mono">{activationId}</span>}
        </>
      }
      actions={status === 'CLOSED' ? undefined : <Actions list={[close]} />}
    >
      <div className={classes.columns}>
        <div>
          <ol className={classes.messages} aria-label="Messages" aria-live="polite">
            {messages.map((message) => (
              <li key={message.id} data-author={message.author}>
                <div className={classes.by}>
                  <strong>{message.author === 'CUSTOMER' ? customerName : (message.writtenBy ?? 'We')}</strong>
                  <span className="dim">{message.channel === 'MAIL' ? 'by mail' : null}</span>
                  <span className="dim">
                    <When at={message.createdAt} />
                  </span>
                </div>
                <Text text={message.message} customerId={customerId} />
              </li>
            ))}
          </ol>
          {may('replyToThread') ? <ReplyForm threadId={id} isClosed={status === 'CLOSED'} /> : null}
        </div>
        <CustomerAside customerId={customerId} />
      </div>
    </Page>
  );
}

/** A message as it was written; a request id leads to its call. */
function Text({ text, customerId }: { text: string; customerId: string }) {
  return (
    <p className={classes.text}>
      {splitAtRequestIds(text).map((part) =>
        part.isRequestId ? (
          <Link key={part.at} className="link mono" to={`/customers/${customerId}?call=${part.text}`}>
            {part.text}
          </Link>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
