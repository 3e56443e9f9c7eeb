import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from './shown-once.module.css';

interface ShownOnceProps {
  /** That it was made. */
  ready: ReactNode;
  /** That it will not be shown again. */
  once: string;
  /** What it is, for those who hear it. */
  label: string;
  secret: string;
}

/** A secret that was just made, to be copied now. Nothing holds it longer than the dialog. */
export function ShownOnce({ ready, once, label, secret }: ShownOnceProps) {
  return (
    <>
      <output className={classes.ready}>
        <CircleCheck size={18} aria-hidden />
        <span>{ready}</span>
      </output>
      <p className={`${classes.once} soft`}>{once}</p>
      <div className={classes.secret}>
        <code aria-label={label}>{secret}</code>
        <CopyButton value={secret} data-autofocus />
      </div>
    </>
  );
}
