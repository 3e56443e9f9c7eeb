import { Skeleton } from '@mantine/core';
import { type SupportMessage, listSupportMessages } from '#contract/support.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { instantText } from '#web/ui/day-text.ts';
import { Loaded } from '#web/ui/states.tsx';

/** The customer's messages about an activation or in general, newest first. */
export function SupportMessages({ activationId }: { activationId: string }) {
  const messages = useCall(listSupportMessages, {});
  return (
    <Loaded
      of={messages}
      word={texts.messagesLoading}
      failed={texts.messagesFailed}
      shape={<Skeleton height={96} radius="lg" />}
    >
      {(all) => {
        const shown = all.filter((each) => each.activationId === activationId || each.activationId === null);
        if (shown.length === 0) return <p className="soft">{texts.none}</p>;
        return (
          <ul className={classes.messages}>
            {shown.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

function Message({ message: { id, subject, message, createdAt } }: { message: SupportMessage }) {
  return (
    <li>
      <details>
        <summary>
          <span className="strong">{subject}</span>
          <span className="caption dim num">
            {texts.sentAt(instantText(createdAt))} <span className="mono">{id}</span>
          </span>
        </summary>
        <p>{message}</p>
      </details>
    </li>
  );
}
