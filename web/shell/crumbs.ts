import type { UIMatch } from 'react-router';
import { Place } from '#web/shell/place.ts';
import { shellTexts } from '#web/shell/texts.ts';

/** One step of the way to a page. The last has no address of its own. */
export interface Crumb {
  name: string;
  path: string | null;
  isId?: boolean;
}

/** The breadcrumbs of a page (product §2.27): Home first, then the steps of the routes that its address matches. */
export function crumbsOf(
  matches: readonly Pick<UIMatch, 'pathname' | 'params' | 'handle'>[],
  productName: (id: string) => string,
): Crumb[] {
  const steps = matches.flatMap(({ pathname, params, handle }) =>
    handle instanceof Place
      ? handle.steps(params, productName).map((step) => ({ path: encoded(pathname), ...step }))
      : [],
  );
  const crumbs: Crumb[] = [{ name: shellTexts.pages.home, path: '/' }, ...steps];
  return crumbs.map((crumb, index) => (index > 0 && index === crumbs.length - 1 ? { ...crumb, path: null } : crumb));
}

/** The router gives matched addresses decoded. */
function encoded(pathname: string): string {
  return pathname.split('/').map(encodeURIComponent).join('/');
}
