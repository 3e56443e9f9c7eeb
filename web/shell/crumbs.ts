import type { UIMatch } from 'react-router';
import { Place } from '#web/shell/place.ts';
import { shellTexts } from '#web/shell/texts.ts';

/** A breadcrumb of the current page. The last one is not a link. */
export interface Crumb {
  name: string;
  path: string | null;
  isId?: boolean;
}

/** The breadcrumbs of the matched routes, after Home (product §2.27). */
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

/** The router decodes the pathname of a match. */
function encoded(pathname: string): string {
  return pathname.split('/').map(encodeURIComponent).join('/');
}
