import { CircleAlert, CircleCheck } from 'lucide-react';

const shownMs = 5_000;

export const phoneScreen = '(max-width: 48em)';

/** How many notifications stand at the same time; the others wait. On a phone more than one would cover the page's heading. */
export const mostShown = (isPhone: boolean): number => (isPhone ? 1 : 4);

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
    // Before what is done: that waits.
    priority: 1,
  });
}

type Shown = Parameters<Awaited<ReturnType<typeof loadNotifications>>['notifications']['show']>[0];

async function show(notification: Shown): Promise<void> {
  const { notifications, notificationsStore } = await loadNotifications();
  // Their place may not be on the page yet.
  const limit = mostShown(matchMedia(phoneScreen).matches);
  notificationsStore.updateState((state) => ({ ...state, limit }));
  notifications.show({ ...notification, autoClose: shownMs });
}
