import { type RouteObject, matchRoutes } from 'react-router';

/** Loads the code of a page when a pointer or the focus comes to a link that leads there: a click comes a moment later. */
export function loadAhead(routes: RouteObject[]): void {
  const begin = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link === null || link.origin !== location.origin || link.target !== '') return;
    for (const { route } of matchRoutes(routes, link.pathname) ?? [])
      // A failure here is one of the click, which tries again and says so.
      if (typeof route.lazy === 'function') void route.lazy().catch(() => undefined);
  };
  for (const type of ['pointerover', 'touchstart', 'focusin'])
    document.addEventListener(type, begin, { passive: true });
}
