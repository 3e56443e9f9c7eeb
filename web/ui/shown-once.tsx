import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { DialogContent, DialogFoot, useCloseGuard } from './dialog.tsx';
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
  /** Below the secret. Must be complete when the secret appears: what came later would move Copy from under a finger. */
  children?: ReactNode;
}

/**
 * The end of a dialog that made a secret: the secret, to be copied now, and Done. Nothing holds it longer than the dialog.
 * Until it is copied, Copy is the primary button, and Escape and × ask first.
 */
export function ShownOnce({ ready, once, label, secret, onDone, children }: ShownOnceProps) {
  const [copied, setCopied] = useState(false);
  const copy = useRef<HTMLButtonElement>(null);
  useCloseGuard(!copied, texts.uncopied);
  // The form that had the focus is gone.
  useEffect(() => copy.current?.focus(), []);
  return (
    <>
      <DialogContent>
        <output className={classes.ready}>
          <CircleCheck size={18} aria-hidden />
          <span>{ready}</span>
        </output>
        <p className={`${classes.once} soft`}>{once}</p>
        <div className={classes.secret}>
          <code aria-label={label}>{secret}</code>
          <CopyButton value={secret} onCopied={() => setCopied(true)} primary={!copied} ref={copy} />
        </div>
        {children}
      </DialogContent>
      <DialogFoot>
        <Button variant={copied ? 'filled' : 'default'} onClick={onDone}>
          {texts.done}
        </Button>
      </DialogFoot>
    </>
  );
}
