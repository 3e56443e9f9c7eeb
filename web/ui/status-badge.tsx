import { Badge } from '@mantine/core';
import { statusLook, statusText } from '#web/ui/status-badge-look.ts';
import classes from '#web/ui/status-badge.module.css';

/** A status as dot and word; `text` where the word is another than that of the status. */
export function StatusBadge({ status, text }: { status: string; text?: string }) {
  const look = statusLook(status);
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
