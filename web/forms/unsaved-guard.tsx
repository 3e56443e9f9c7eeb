import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { readSession } from '#web/session/session.ts';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
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
      <DialogContent>{texts.unsaved.text}</DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          {texts.unsaved.stay}
        </Button>
        <Button
          color="red"
          onClick={() => {
            onLeave?.();
            blocker.proceed?.();
          }}
        >
          {texts.unsaved.leave}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
