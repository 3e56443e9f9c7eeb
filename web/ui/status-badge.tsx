import { Badge } from '@mantine/core';
import { statusLook, statusText } from '#web/ui/status-badge-look.ts';
import classes from '#web/ui/status-badge.module.css';

/**
 * A status as dot and word; `text` where the word is another than that of the status. `isMuted`: grey, since the status is good
 * news that something beside it contradicts.
 */
export function StatusBadge({
  status: stored,
  text,
  isMuted = false,
  granted = null,
}: {
  status: string;
  text?: string;
  isMuted?: boolean;
  /** Why the provider granted a plan without a payment. */
  granted?: string | null;
}) {
  const status = granted !== null && (stored === 'NO_PAYMENT_REQUIRED' || stored === 'FREE') ? 'GRANTED' : stored;
  const look = isMuted ? 'gray' : statusLook(status);
  return (
    <Badge
      component="span"
      className={classes.badge}
      data-look={look}
      leftSection={look === 'outline' ? undefined : <span className={classes.dot} aria-hidden="true" />}
    >
      {text ?? statusText(status)}
    </Badge>
  );
}
