import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useEffect, useState } from 'react';
import { loadNotifications, mostShown, phoneScreen } from '#web/ui/notify.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';

const Notifications = lazyComponent(async () => (await loadNotifications()).Notifications);

/** Long enough after the page for its own code and data to come first. */
const waitMs = 400;

/**
 * Where notifications appear. Its code comes by itself once the page stands, not with the first load: a failure must be told
 * even if by then there is no network. On a phone they are at the top: the next step of a page is below, and must not be covered.
 */
export function NotificationPlace() {
  const isPhone = useMediaQuery(phoneScreen, undefined, { getInitialValueInEffect: false });
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), waitMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense>
      {isWanted ? (
        <Notifications position={isPhone ? 'top-center' : 'bottom-right'} limit={mostShown(isPhone)} />
      ) : null}
    </Suspense>
  );
}
