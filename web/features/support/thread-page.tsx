import { Button, Skeleton } from '@mantine/core';
import { Check, MessagesSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import {
  type SupportConversation,
  type SupportMessage,
  closeSupportThread,
  listSupportThreads,
  markSupportRead,
  readSupportFile,
  readSupportThread,
} from '#shared/contract/support.ts';
import { maxMessagesShown } from '#shared/domain/support-thread.ts';
import { portalConfig } from '#web/api/config.ts';
import { Refused } from '#web/api/failures.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { MessageText } from '#web/features/support/message-text.tsx';
import { ReplyForm } from '#web/features/support/reply-form.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { isView } from '#web/session/view.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';
import { blobOf } from '#web/forms/base64.ts';
import { FileList } from '#web/ui/file-list.tsx';
import { saveBlob } from '#web/ui/save-file.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useMay } from '#web/roles/use-role.ts';

/** A reply is seen this soon. */
const refetchIntervalMs = 20_000;

/** One thread: its messages, and a form to write again. */
export function ThreadPage() {
  const { threadId = '' } = useParams();
  const thread = useCall(readSupportThread, { params: { threadId } }, { refetchIntervalMs });
  if (thread.data === undefined && thread.error instanceof Refused && thread.error.code === 'not_found')
    return <NotFound />;
  return (
    <Loaded
      of={thread}
      word={texts.threadLoading}
      failed={texts.threadFailed}
      shape={<Skeleton height={420} mt={72} radius="lg" />}
    >
      {(conversation) => <Conversation key={conversation.id} conversation={conversation} />}
    </Loaded>
  );
}

function NotFound() {
  return (
    <>
      <PageHead title={texts.title} />
      <StateCard>
        <EmptyState
          icon={<MessagesSquare size={20} />}
          title={texts.threadNotFound}
          action={
            <Button component={Link} to="/support" variant="default">
              {texts.allThreads}
            </Button>
          }
        >
          {texts.threadNotFoundMore}
        </EmptyState>
      </StateCard>
    </>
  );
}

function Conversation({ conversation }: { conversation: SupportConversation }) {
  const { id, subject, status, activationId, messages } = conversation;
  useMarkRead(conversation);
  return (
    <>
      <PageHead
        title={subject}
        lead={
          <span className={classes.facts}>
            <StatusBadge status={status} text={texts.statuses[status]} />
            <span className="mono">{id}</span>
            {activationId !== null && (
              <Link className="link mono" to={`/activations/${activationId}/support`}>
                {activationId}
              </Link>
            )}
          </span>
        }
        actions={status === 'CLOSED' ? null : <CloseThread threadId={id} />}
      />
      {messages.length >= maxMessagesShown && <p className="caption soft">{texts.newestMessages(maxMessagesShown)}</p>}
      <ol className={classes.conversation} aria-live="polite">
        {messages.map((message) => (
          <Message key={message.id} threadId={id} message={message} activationId={activationId} />
        ))}
      </ol>
      <Section title={texts.reply}>
        <div className={classes.card}>
          <ReplyForm threadId={id} isClosed={status === 'CLOSED'} />
        </div>
      </Section>
    </>
  );
}

function Message({
  threadId,
  message,
  activationId,
}: {
  threadId: string;
  message: SupportMessage;
  activationId: string | null;
}) {
  const { author, createdAt, files } = message;
  const { run } = useAction(readSupportFile, {
    changes: [],
    onDone: ({ content, type, name }) => saveBlob(blobOf(content, type), name),
    onFailed: (failure) => notifyFailure(texts.fileFailed, failure.message),
  });
  return (
    <li className={classes.message} data-author={author}>
      <div className={classes.by}>
        <span className="strong">{author === 'CUSTOMER' ? texts.you : texts.team(portalConfig().providerName)}</span>
        <time className="caption dim num" dateTime={createdAt}>
          {texts.sentAt(instantText(createdAt))}
        </time>
      </div>
      <MessageText text={message.message} activationId={activationId} />
      <FileList label={texts.files} files={files} onSave={(fileId) => void run({ params: { threadId, fileId } })} />
      {message.leftOut > 0 && <p className="caption soft">{texts.leftOut(message.leftOut)}</p>}
    </li>
  );
}

function CloseThread({ threadId }: { threadId: string }) {
  const closing = useAction(closeSupportThread, {
    changes: [readSupportThread, listSupportThreads],
    onDone: () => notifyDone(texts.closed, texts.closedMore),
    onFailed: (failure) => notifyFailure(texts.closeFailed, failure.message),
  });
  return (
    <ActionButton
      call="closeSupportThread"
      variant="default"
      leftSection={<Check size={16} aria-hidden="true" />}
      running={closing.running}
      onClick={() => void closing.run({ params: { threadId } })}
    >
      {texts.close}
    </ActionButton>
  );
}

/** Replies that are shown are read; without a connection they are next time. */
function useMarkRead({ id, unread, messages }: SupportConversation): void {
  const { run } = useAction(markSupportRead, {
    changes: [readAccount, listSupportThreads, readSupportThread],
    onFailed: () => undefined,
  });
  const mayMark = useMay()('markSupportRead');
  const seenUntil = messages.at(-1)?.createdAt;
  const marked = useRef<string>(undefined);
  useEffect(() => {
    if (isView || !mayMark || unread === 0 || seenUntil === undefined || marked.current === seenUntil) return;
    marked.current = seenUntil;
    void run({ params: { threadId: id }, body: { seenUntil } });
  }, [id, unread, seenUntil, mayMark, run]);
}
