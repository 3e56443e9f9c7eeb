import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from '#web/forms/field-fault.module.css';

/** The error message below a field. */
export function FieldFault({ children }: { children: ReactNode }) {
  return (
    <span className={classes.fault}>
      <CircleAlert size={15} aria-hidden="true" /> {children}
    </span>
  );
}
