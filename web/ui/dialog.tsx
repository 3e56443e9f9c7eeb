import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#web/ui/dialog.module.css';
import { focusPageHead } from '#web/ui/page-head.tsx';
import { uiTexts as texts } from '#web/ui/texts.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: number;
  /** What it shows cannot be had again: only its own buttons close it, not a click beside it. */
  sticky?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog. Its children keep their state only while it is open, so that each opening begins anew; Mantine keeps the
 * focus inside and gives it back to the opener.
 */
export function Dialog({ opened, onClose, title, size = 480, sticky = false, children }: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': texts.close }}
      closeOnClickOutside={!sticky}
      onExitTransitionEnd={keepFocus}
      // The content is a Paper, whose surface of the page would win over a class.
      styles={{ content: { backgroundColor: 'var(--p-raised)' } }}
      classNames={{ header: classes.header ?? '', body: classes.body ?? '' }}
    >
      {children}
    </Modal>
  );
}

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

interface Fact {
  key: string;
  label: ReactNode;
  value: ReactNode;
}

/** Facts in a dialog, label left and value right. */
export function DialogFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={`${classes.box} ${classes.facts}`}>
      {facts.map((fact) => (
        <DialogFact key={fact.key} label={fact.label} value={fact.value} />
      ))}
    </dl>
  );
}

function DialogFact({ label, value }: Pick<Fact, 'label' | 'value'>) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}
