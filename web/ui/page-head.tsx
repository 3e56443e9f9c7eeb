import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useHeadShown } from '#web/ui/head-focus.ts';
import classes from '#web/ui/page-head.module.css';
import { usePageTitle } from '#web/ui/page-title.ts';

/** The heading of a page, what it is about, and its actions. It names the browser's tab too. */
export function PageHead({
  title,
  lead,
  actions,
  mark,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Before the title: a product's mark. */
  mark?: ReactNode;
}) {
  usePageTitle(title);
  useHeadShown();
  return (
    <div className={classes['head']}>
      <div className={classes['main']}>
        {mark}
        <div className={classes['words']}>
          <Title order={1} tabIndex={-1}>
            {title}
          </Title>
          {lead === undefined ? null : <div className={classes['lead']}>{lead}</div>}
        </div>
      </div>
      {actions === undefined || actions === null ? null : <div className={classes['actions']}>{actions}</div>}
    </div>
  );
}
