import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { readSession } from '#web/session/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { uiTexts as texts } from '#web/ui/texts.ts';

/**
 * Warns before unsaved input is lost: in the page, and by the browser when the whole page closes. `onLeave`: the
 * customer left. An ended session leads away all the same; a form that must survive that keeps a draft.
 */
export function UnsavedGuard({ isDirty, onLeave }: { isDirty: boolean; onLeave?: () => void }) {
  const dirty = useRef(isDirty);
  useEffect(() => {
    dirty.current = isDirty;
    if (!isDirty) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty.current && readSession().token !== null && currentLocation.pathname !== nextLocation.pathname,
  );
  const isAsking = blocker.state === 'blocked';
  return (
    <Dialog opened={isAsking} onClose={() => blocker.reset?.()} title={texts.unsaved.title}>
      <RemoveQuestion
        keep={texts.unsaved.stay}
        onKeep={() => blocker.reset?.()}
        remove={texts.unsaved.leave}
        onRemove={() => {
          onLeave?.();
          blocker.proceed?.();
        }}
      >
        <p className="soft">{texts.unsaved.text}</p>
      </RemoveQuestion>
    </Dialog>
  );
}
