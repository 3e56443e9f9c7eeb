import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from '#web/ui/page-head.module.css';
import { uiTexts } from '#web/ui/texts.ts';

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
  useEffect(headShown, []);
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

/** Does the heading have the focus, or get it once it is there? Pages replace their heading while they load. */
let headHasFocus = false;

/** Puts the focus on the page's heading: where the thing that had it is gone, reading goes on from there. */
export function focusPageHead(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  headHasFocus = true;
}

function headShown(): void {
  if (headHasFocus) focusPageHead();
}

document.addEventListener('focusin', ({ target }) => {
  headHasFocus = target instanceof HTMLHeadingElement;
});

/** Names the browser's tab. */
export function usePageTitle(title: string): void {
  const named = uiTexts.titleOf(title);
  useEffect(() => {
    document.title = named;
  }, [named]);
}
