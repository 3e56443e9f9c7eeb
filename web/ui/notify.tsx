import { CircleAlert, CircleCheck } from 'lucide-react';
import { loadCode } from '#web/ui/load-code.ts';

const shownMs = 5_000;

export const phoneScreen = '(max-width: 48em)';

/** How many notifications stand at the same time; the others wait. On a phone more than one would cover the page's heading. */
export const mostShown = (isPhone: boolean): number => (isPhone ? 1 : 4);

/** The code of notifications; not part of the first load. */
export const loadNotifications = () => import('@mantine/notifications');

/** The action whose outcome is being told. */
let told: { action: string; isSaid: boolean } | null = null;

/**
 * Tells the outcome of an action. It replaces what was said of the action before, also when it says nothing itself: a failure
 * must not stand over the success of the retry.
 */
export function tellOutcome(action: string, tell: () => void): void {
  const outcome = { action, isSaid: false };
  const outer = told;
  told = outcome;
  try {
    tell();
  } finally {
    told = outer;
    if (!outcome.isSaid) void show(action, null);
  }
}

/** Something is done: one sentence, bottom right. `action`: of what, outside `tellOutcome`. */
export function notifyDone(title: string, more?: string, action?: string): void {
  say(action ?? title, {
    title,
    message: more ?? '',
    icon: <CircleCheck size={18} color="var(--p-accent-text)" />,
    role: 'status',
  });
}

/** The specification's alerts (product §2.29): announced at once by screen readers. `action`: of what, outside `tellOutcome`. */
export function notifyFailure(title: string, more?: string, action?: string): void {
  say(action ?? title, {
    title,
    message: more ?? '',
    icon: <CircleAlert size={18} color="var(--p-danger-text)" />,
    role: 'alert',
    // Before what is done: that waits.
    priority: 1,
  });
}

function say(actionOutside: string, notification: Shown): void {
  if (told !== null) told.isSaid = true;
  void show(told?.action ?? actionOutside, notification);
}

type Shown = Parameters<Awaited<ReturnType<typeof loadNotifications>>['notifications']['show']>[0];

/** The last notification of each action. */
const lastOf = new Map<string, string>();

async function show(action: string, notification: Shown | null): Promise<void> {
  if (notification === null && !lastOf.has(action)) return;
  const { notifications, notificationsStore } = await loadCode(loadNotifications);
  const { uiTexts } = await loadCode(() => import('#web/ui/texts.ts'));
  // Their place may not be on the page yet.
  const limit = mostShown(matchMedia(phoneScreen).matches);
  notificationsStore.updateState((state) => ({ ...state, limit }));
  const last = lastOf.get(action);
  if (last !== undefined) notifications.hide(last);
  lastOf.delete(action);
  // One of its own each time: it is announced, and stays as long as any other.
  if (notification === null) return;
  const closeButtonProps = { 'aria-label': uiTexts.close };
  lastOf.set(action, notifications.show({ ...notification, closeButtonProps, autoClose: shownMs }));
}
