import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from '#web/console/ui/page.module.css';
import { useHeadShown } from '#web/ui/head-focus.ts';

/** Names the browser's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
}

/** The heading of a page with what can be done there. It names the browser's tab too. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  usePageTitle(title);
  useHeadShown();
  return (
    <>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={1} size="h2" tabIndex={-1}>
            {title}
          </Title>
          {lead === undefined ? null : <div className={classes.lead}>{lead}</div>}
        </div>
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </>
  );
}

/** A part of a page. */
export function Part({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title}>
      <div className={classes.partHead}>
        <Title order={2} size="h3">
          {title}
        </Title>
        <div className={classes.end}>{end}</div>
      </div>
      {children}
    </section>
  );
}
