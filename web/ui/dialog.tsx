import { Button, Modal } from '@mantine/core';
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react';
import classes from '#web/ui/dialog.module.css';
import { type Fact, Facts } from '#web/ui/facts.tsx';
import { focusPageHead } from '#web/ui/head-focus.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: number;
  children: ReactNode;
}

/** What closing would lose, for the question that is asked first. */
export interface CloseGuard {
  title: string;
  text: string;
}

interface DialogAround {
  guard: (guard: CloseGuard | null) => void;
  /** Another question is open above it: Escape is meant for that one. */
  keepFromEscape: (kept: boolean) => void;
}

const AroundHere = createContext<DialogAround | null>(null);

/** The dialog around the caller. */
export const useDialogAround = () => useContext(AroundHere);

/** While `on`, Escape and × ask before they close the dialog around the caller, and a click beside it does nothing. */
export function useCloseGuard(on: boolean, { title, text }: CloseGuard): void {
  const around = useDialogAround();
  // Before the browser paints: an Escape that follows what is shown, such as “Copied!”, must find the guard gone.
  useLayoutEffect(() => {
    around?.guard(on ? { title, text } : null);
    return () => around?.guard(null);
  }, [around, on, title, text]);
}

/**
 * A modal dialog. Its children keep their state only while it is open, so that each opening starts afresh; Mantine keeps the
 * focus inside and returns it to the opener.
 */
export function Dialog({ opened, onClose, title, size = 480, children }: DialogProps) {
  const [guard, setGuard] = useState<CloseGuard | null>(null);
  const [asking, setAsking] = useState(false);
  const [isKeptFromEscape, keepFromEscape] = useState(false);
  const around = useMemo(
    () => ({
      guard: (changed: CloseGuard | null) => {
        setGuard(changed);
        // The question goes with what it asked about; left behind, it would keep Escape from closing the dialog.
        if (changed === null) setAsking(false);
      },
      keepFromEscape,
    }),
    [],
  );
  const close = () => {
    setAsking(false);
    onClose();
  };
  return (
    <>
      <Modal
        {...look()}
        opened={opened}
        onClose={() => (guard === null ? close() : setAsking(true))}
        title={title}
        size={size}
        closeOnClickOutside={guard === null}
        closeOnEscape={!asking && !isKeptFromEscape}
        onExitTransitionEnd={keepFocus}
      >
        <AroundHere value={around}>{children}</AroundHere>
      </Modal>
      <Modal
        {...look()}
        opened={opened && asking && guard !== null}
        onClose={() => setAsking(false)}
        title={guard?.title}
        size={420}
        closeOnClickOutside={false}
        // The Escape that opened it would close it again: Mantine listens on the window.
        closeOnEscape={false}
        onKeyDown={({ key }) => key === 'Escape' && setAsking(false)}
      >
        <DialogContent>
          <p className="soft">{guard?.text}</p>
        </DialogContent>
        <DialogFoot>
          <Button variant="default" onClick={close}>
            {texts.closeAnyway}
          </Button>
          <Button data-autofocus onClick={() => setAsking(false)}>
            {texts.keepOpen}
          </Button>
        </DialogFoot>
      </Modal>
    </>
  );
}

const look = () => ({
  closeButtonProps: { 'aria-label': texts.close },
  // The content is a Paper, whose surface of the page would win over a class.
  styles: { content: { backgroundColor: 'var(--p-raised)' } },
  classNames: { header: classes.header ?? '', body: classes.body ?? '' },
});

/** The opener is gone when the dialog has ended or removed what it belonged to. */
function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusPageHead();
}

/** What a dialog says. */
export function DialogContent({ children }: { children: ReactNode }) {
  return <div className={classes.content}>{children}</div>;
}

/** The buttons of a dialog, the safe one left of the decisive one. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>;
}

/** Facts in a dialog, label left and value right. */
export function DialogFacts({ facts }: { facts: readonly Fact[] }) {
  return <Facts look="rows" className={classes.box} facts={facts} />;
}
