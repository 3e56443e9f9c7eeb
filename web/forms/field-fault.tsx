import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from '#web/forms/field-fault.module.css';

/** What is wrong with a field, below it. */
export function FieldFault({ children }: { children: ReactNode }) {
  return (
    <span className={classes.fault}>
      <CircleAlert size={15} aria-hidden="true" /> {children}
    </span>
  );
}
