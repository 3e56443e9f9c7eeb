import type { ReactNode } from 'react';
import classes from '#web/ui/panel-head.module.css';

/** What a part of a page is for, in a sentence, and its button. */
export function PanelHead({ lead, children }: { lead: string; children?: ReactNode }) {
  return (
    <div className={classes.head}>
      <p className="soft">{lead}</p>
      {children}
    </div>
  );
}
