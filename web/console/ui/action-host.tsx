import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { ActionDialog } from '#web/console/ui/action-dialog.tsx';
import type { Action } from '#web/console/ui/action.ts';

const Opener = createContext<(action: Action) => void>(() => undefined);

/** Opens the dialog of an action. */
export const useActionDialog = () => useContext(Opener);

/** The actions of the page that is shown, by the component that offers them. */
const Offers = createContext(new Map<symbol, readonly Action[]>());

/** Lets the search box find the actions. */
export function useOffers(actions: readonly Action[]): void {
  const offers = useContext(Offers);
  useEffect(() => {
    const key = Symbol('offers');
    offers.set(key, actions);
    return () => void offers.delete(key);
  }, [offers, actions]);
}

/** What the page that is shown offers, at the moment. */
export const useOffered = (): readonly Action[] => [...useContext(Offers).values()].flat();

/** The one dialog of actions. It is above the pages: what it tells stays when the page that it was opened on has changed by it. */
export function ActionHost({ children }: { children: ReactNode }) {
  const [action, setAction] = useState<Action | null>(null);
  // The same action may be opened again while the dialog fades out.
  const [opening, setOpening] = useState(0);
  const open = useCallback((opened: Action) => {
    setAction(opened);
    setOpening((count) => count + 1);
  }, []);
  return (
    <Opener value={open}>
      {children}
      <ActionDialog action={action} opening={opening} onClose={() => setAction(null)} />
    </Opener>
  );
}
