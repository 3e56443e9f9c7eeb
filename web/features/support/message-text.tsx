import { Link } from 'react-router';
import { splitAtRequestIds } from '#shared/domain/request-ids.ts';
import classes from '#web/features/support/support-page.module.css';

/** A message as it was written; in a thread about an activation, request ids lead to its request log. */
export function MessageText({ text, activationId }: { text: string; activationId: string | null }) {
  if (activationId === null) return <p className={classes.text}>{text}</p>;
  return (
    <p className={classes.text}>
      {splitAtRequestIds(text).map((part) =>
        part.isRequestId ? (
          <Link key={part.at} className="link mono" to={addressOf(activationId, part.text)}>
            {part.text}
          </Link>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}

function addressOf(activationId: string, request: string): string {
  return `/activations/${activationId}/requests?${new URLSearchParams({ q: request, request }).toString()}`;
}
