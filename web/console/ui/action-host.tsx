import { createContext, type ReactNode, useContext, useState } from 'react';
import { ActionDialog } from '#web/console/ui/action-dialog.tsx';
import type { Action } from '#web/console/ui/action.ts';

const Opener = createContext<(action: Action) => void>(() => undefined);

/** Opens the dialog of an action. */
export const useActionDialog = () => useContext(Opener);

/** The one dialog of actions. It is above the pages: what it tells stays when the page that it was opened on has changed by it. */
export function ActionHost({ children }: { children: ReactNode }) {
  const [action, setAction] = useState<Action | null>(null);
  return (
    <Opener value={setAction}>
      {children}
      <ActionDialog action={action} onClose={() => setAction(null)} />
    </Opener>
  );
}
