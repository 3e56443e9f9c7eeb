import { Link } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { filesNotTaken } from '#shared/domain/support-file.ts';
import { splitAtRequestIds } from '#shared/domain/request-ids.ts';
import { readAsOperator } from '#web/console/api/operator-call.ts';
import classes from '#web/console/features/support/thread-page.module.css';
import { When } from '#web/console/ui/cells.tsx';
import { saveReplied } from '#web/console/ui/save-replied.ts';
import { FileList } from '#web/ui/file-list.tsx';

type MessageOfThread = OperatorReply<'readThread'>['messages'][number];

export function Message({
  threadId,
  message,
  customerName,
}: {
  threadId: string;
  message: MessageOfThread;
  customerName: string;
}) {
  const { author, channel, writtenBy, createdAt, files, leftOut } = message;

  const save = (fileId: string): Promise<void> =>
    saveReplied('The file', async () => {
      const { name, type, content: base64 } = await readAsOperator('readThreadFile', { threadId, fileId });
      return { name, type, base64 };
    });

  return (
    <li data-author={author} data-row tabIndex={-1}>
      <div className={classes.by}>
        <strong>{author === 'CUSTOMER' ? customerName : (writtenBy ?? 'We')}</strong>
        <span className="dim">{channel === 'MAIL' ? 'by mail' : null}</span>
        <span className="dim">
          <When at={createdAt} />
        </span>
      </div>
      <Text text={message.message} />
      <FileList label="Files" files={files} onSave={(fileId) => void save(fileId)} />
      {leftOut > 0 && <p className="dim">{filesNotTaken(leftOut)}</p>}
    </li>
  );
}

/** A text as it was written; a request id opens its call beside it. */
export function Text({ text }: { text: string }) {
  return (
    <p className={classes.text}>
      {splitAtRequestIds(text).map((part) =>
        part.isRequestId ? (
          <Link key={part.at} className="link mono" to={`?call=${part.text}`} preventScrollReset>
            {part.text}
          </Link>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
