import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CopyButton } from './copy-button.tsx';
import { DialogContent, DialogFoot } from './dialog.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import classes from './shown-once.module.css';
import { uiTexts as texts } from './texts.ts';

interface ShownOnceProps {
  /** That it was made. */
  ready: ReactNode;
  /** That it will not be shown again. */
  once: string;
  /** What it is, for those who hear it. */
  label: string;
  secret: string;
  onDone: () => void;
  /** Below the secret; `onCopied` is for another way to copy it. Must be complete when the secret appears: what came later would move Copy from under a finger. */
  children?: (onCopied: () => void) => ReactNode;
}

/**
 * The end of a dialog that made a secret: the secret, to be copied now, and Done. Nothing holds it longer than the dialog.
 * Until it is copied, by a button or by hand, Copy is the primary button, and every way out but Done asks first.
 */
export function ShownOnce({ ready, once, label, secret, onDone, children }: ShownOnceProps) {
  const [copied, setCopied] = useState(false);
  const [isDone, setDone] = useState(false);
  const copy = useRef<HTMLButtonElement>(null);
  // The form that had the focus is gone.
  useEffect(() => copy.current?.focus(), []);
  const leave = () => {
    // The guard must know before a page is opened.
    flushSync(() => setDone(true));
    onDone();
  };
  const onCopied = () => setCopied(true);
  return (
    <>
      <LeaveGuard on={!copied && !isDone} question={texts.uncopied} />
      <DialogContent>
        <output className={classes.ready}>
          <CircleCheck size={18} aria-hidden />
          <span>{ready}</span>
        </output>
        <p className={`${classes.once} soft`}>{once}</p>
        <div className={classes.secret}>
          <code aria-label={label} onCopy={onCopied}>
            {secret}
          </code>
          <CopyButton value={secret} onCopied={onCopied} primary={!copied} ref={copy} />
        </div>
        {children?.(onCopied)}
      </DialogContent>
      <DialogFoot>
        <Button variant={copied ? 'filled' : 'default'} onClick={leave}>
          {texts.done}
        </Button>
      </DialogFoot>
    </>
  );
}
