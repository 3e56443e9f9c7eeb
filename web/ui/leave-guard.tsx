import { useCallback, useContext, useEffect, useId, useLayoutEffect, useSyncExternalStore } from 'react';
import { type Location, useBlocker } from 'react-router';
import { type CloseGuard, Dialog, useCloseGuard, useDialogAround } from '#web/ui/dialog.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { SessionRuns } from '#web/ui/session-runs.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

interface LeaveGuardProps {
  /** Whether something would be lost now. */
  on: boolean;
  /** What would be lost. */
  question: CloseGuard;
  /** The customer leaves, and loses it. */
  onLeave?: () => void;
}

/**
 * Asks before something is lost, whichever way leads to its loss: Escape and × of the dialog around it, a navigation such as
 * Back, and, in the browser's words, Reload and the end of the tab. An ended session leads away all the same; a form that
 * must survive that keeps a draft.
 */
export function LeaveGuard({ on, question, onLeave }: LeaveGuardProps) {
  const id = useId();
  const isNewest = useIsNewest(id, on);
  useCloseGuard(on, question);
  useEffect(() => {
    if (!on) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [on]);
  return isNewest ? <NavigationQuestion id={id} question={question} {...(onLeave && { onLeave })} /> : null;
}

function NavigationQuestion({ id, question, onLeave }: Omit<LeaveGuardProps, 'on'> & { id: string }) {
  const dialog = useDialogAround();
  const isInDialog = dialog !== null;
  const runs = useContext(SessionRuns);
  const leads = useCallback(
    ({ currentLocation, nextLocation }: { currentLocation: Location; nextLocation: Location }) =>
      // Read now: what was saved or copied a moment ago may lead away before anything is rendered.
      standing.includes(id) &&
      runs() &&
      (currentLocation.pathname !== nextLocation.pathname ||
        // A tab or a filter in the address can take a dialog away, but leaves a page's form where it is.
        (isInDialog && currentLocation.search !== nextLocation.search)),
    [id, isInDialog, runs],
  );
  const blocker = useBlocker(leads);
  const isAsking = blocker.state === 'blocked';
  useLayoutEffect(() => {
    dialog?.keepFromEscape(isAsking);
    return () => dialog?.keepFromEscape(false);
  }, [dialog, isAsking]);
  const stay = () => blocker.reset?.();
  return (
    <Dialog opened={isAsking} onClose={stay} title={question.title}>
      <RemoveQuestion
        keep={texts.stay}
        onKeep={stay}
        remove={texts.leave}
        onRemove={() => {
          onLeave?.();
          blocker.proceed?.();
        }}
      >
        <p className="soft">{question.text}</p>
      </RemoveQuestion>
    </Dialog>
  );
}

/** The guards that are on, the newest last. The router asks one only. */
let standing: readonly string[] = [];
const listeners = new Set<() => void>();

function useIsNewest(id: string, on: boolean): boolean {
  useLayoutEffect(() => {
    if (!on) return undefined;
    change([...standing, id]);
    return () => change(standing.filter((each) => each !== id));
  }, [id, on]);
  const isLast = () => standing.at(-1) === id;
  return useSyncExternalStore(follow, isLast, isLast);
}

function change(next: readonly string[]): void {
  standing = next;
  for (const listener of listeners) listener();
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
