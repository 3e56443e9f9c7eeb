import type { ReactNode } from 'react';
import classes from '#web/shell/visitor-page.module.css';
import { VisitorTop } from '#web/shell/visitor-top.tsx';

/** A page that asks one thing of whoever follows a link or signs in for the first time, with no need of an account. */
export function VisitorPage({ children }: { children: ReactNode }) {
  return (
    <main className={classes.page}>
      <VisitorTop />
      <div className={classes.answer}>{children}</div>
    </main>
  );
}
