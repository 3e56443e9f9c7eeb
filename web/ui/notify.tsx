import { notifications } from '@mantine/notifications';
import { CircleAlert, CircleCheck } from 'lucide-react';

const shownMs = 5_000;

/** Something is done: one sentence, bottom right. */
export function notifyDone(title: string, more?: string): void {
  notifications.show({
    title,
    message: more ?? '',
    icon: <CircleCheck size={18} color="var(--p-accent-text)" />,
    autoClose: shownMs,
    role: 'status',
  });
}

/** The specification's alerts (D11): announced at once by screen readers. The same one twice is one. */
export function notifyFailure(title: string, more?: string): void {
  notifications.show({
    id: `failure:${title}:${more ?? ''}`,
    title,
    message: more ?? '',
    icon: <CircleAlert size={18} color="var(--p-danger-text)" />,
    autoClose: shownMs,
    role: 'alert',
  });
}
