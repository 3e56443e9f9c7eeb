import type { ReactNode } from 'react';
import classes from '#web/console/ui/panel.module.css';

/** A box of facts. */
export const Panel = ({ children }: { children: ReactNode }) => <div className={classes.panel}>{children}</div>;
