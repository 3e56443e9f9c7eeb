import { CircleAlert, CircleCheck } from 'lucide-react';

const shownMs = 5_000;

/** The code of notifications; not part of the first load. */
export const loadNotifications = () => import('@mantine/notifications');

/** Something is done: one sentence, bottom right. */
export function notifyDone(title: string, more?: string): void {
  void show({
    title,
    message: more ?? '',
    icon: <CircleCheck size={18} color="var(--p-accent-text)" />,
    role: 'status',
  });
}

/** The specification's alerts (product §2.29): announced at once by screen readers. The same one twice is one. */
export function notifyFailure(title: string, more?: string): void {
  void show({
    id: `failure:${title}:${more ?? ''}`,
    title,
    message: more ?? '',
    icon: <CircleAlert size={18} color="var(--p-danger-text)" />,
    role: 'alert',
  });
}

type Shown = Parameters<Awaited<ReturnType<typeof loadNotifications>>['notifications']['show']>[0];

async function show(notification: Shown): Promise<void> {
  const { notifications } = await loadNotifications();
  notifications.show({ ...notification, autoClose: shownMs });
}
