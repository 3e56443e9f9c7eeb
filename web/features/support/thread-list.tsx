import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { type SupportThread, listSupportThreads } from '#shared/contract/support.ts';
import { maxThreadsShown } from '#shared/domain/support-thread.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { instantText } from '#web/ui/localized-days.ts';
import { Section } from '#web/ui/section.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** The customer's threads, the last changed first. Of an activation: those about it and the general ones. */
export function ThreadList({ activationId }: { activationId: string | null }) {
  const threads = useCall(listSupportThreads, {});
  const { backendUrl, standins } = portalConfig();
  return (
    <Section title={texts.messages}>
      <Loaded
        of={threads}
        word={texts.messagesLoading}
        failed={texts.messagesFailed}
        shape={<Skeleton height={96} radius="lg" />}
      >
        {(all) => {
          const shown = all.filter(
            (each) => activationId === null || each.activationId === activationId || each.activationId === null,
          );
          if (shown.length === 0) return <p className="soft">{texts.none}</p>;
          return (
            <>
              <ul className={classes.threads}>
                {shown.map((thread) => (
                  <Thread key={thread.id} thread={thread} />
                ))}
              </ul>
              {all.length >= maxThreadsShown && <p className="caption soft">{texts.newestThreads(maxThreadsShown)}</p>}
            </>
          );
        }}
      </Loaded>
      {standins && (
        <p className="caption">
          <a className="link" href={`${backendUrl}/outbox`} target="_blank" rel="noreferrer">
            {texts.outbox}
          </a>
        </p>
      )}
    </Section>
  );
}

function Thread({ thread: { id, subject, status, unread, changedAt } }: { thread: SupportThread }) {
  return (
    <li>
      <Link to={`/support/${id}`} className={classes.thread}>
        <span className="strong">{subject}</span>
        <span className={classes.state}>
          {unread > 0 && <span className={classes.unread}>{texts.unread(unread)}</span>}
          <StatusBadge status={status} text={texts.statuses[status]} />
        </span>
        <span className="caption dim num">
          {texts.sentAt(instantText(changedAt))} <span className="mono">{id}</span>
        </span>
      </Link>
    </li>
  );
}
