import { cloneElement, type ReactElement, type ReactNode, useContext } from 'react';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import { useAsOf } from '#web/ui/as-of.ts';
import { useIsOnline } from '#web/ui/online.ts';
import { ReadOnly } from '#web/ui/read-only.ts';

/** Around buttons that pay: without a network, or beside data of before, they say that they need it. */
export function NeedsNetwork({ children }: { children: ReactNode }) {
  const outer = useContext(ReadOnly);
  const isOnline = useIsOnline();
  const isNow = useAsOf() === null;
  return <ReadOnly value={outer ?? (isOnline && isNow ? null : needingNetwork)}>{children}</ReadOnly>;
}

// A tooltip would be 18 KB more before the first page of an API.
const needingNetwork = (button: ReactElement) => cloneElement(button, {}, texts.needsNetwork);
