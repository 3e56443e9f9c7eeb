import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Does the heading have the focus, or get it once it is there? Pages replace their heading while they load. */
let headHasFocus = false;

/** Puts the focus on the page's heading: where the thing that had it is gone, reading goes on from there. */
export function focusPageHead(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  headHasFocus = true;
}

/** Of a heading: it takes the focus that one before it had. */
export function useHeadShown(): void {
  useEffect(() => {
    if (headHasFocus) focusPageHead();
  }, []);
}

// Public pages are rendered where there is no document.
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    headHasFocus = target instanceof HTMLHeadingElement;
  });

/** After a navigation the focus is on the heading of the new page, where screen readers and the keyboard go on. */
export function useHeadFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef<string | null>(null);
  // A page that is opened or reloaded leaves the focus to the browser; one that a sign-in leads to does not.
  const isOpened = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    const isSame = shown.current === pathname;
    const isFirst = shown.current === null;
    shown.current = pathname;
    if (!isSame && !(isFirst && isOpened)) focusPageHead();
  }, [pathname, isOpened]);
}
