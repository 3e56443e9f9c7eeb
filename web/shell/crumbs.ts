import { shellTexts } from '#web/shell/texts.ts';

/** One step of the way to a page. The last has no address of its own. */
export interface Crumb {
  name: string;
  path: string | null;
  /** Ids are set in mono. */
  isId?: boolean;
}

/** The crumb of a path's segment; one that is not known stands as it is. */
function nameOf(segment: string): string {
  return new Map(Object.entries(shellTexts.crumbs)).get(segment) ?? segment;
}

/**
 * The breadcrumbs of a page (product §2.27): Home first, then what the path says; an activation stands with its id.
 * `productName` gives the name of a product in the marketplace, where it is known by now.
 */
export function crumbsOf(pathname: string, productName: (id: string) => string | undefined): Crumb[] {
  const segments = pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode);
  const home: Crumb = { name: shellTexts.crumbs.home, path: '/' };
  const [first, second, third] = segments;
  if (first === undefined) return [home];
  const crumbs = [home];
  if (first === 'activations' && second !== undefined) {
    crumbs.push({ name: second, path: `/activations/${encodeURIComponent(second)}`, isId: true });
    if (third !== undefined) crumbs.push({ name: nameOf(third), path: null });
  } else if (first === 'api' && second !== undefined) {
    crumbs.push({ name: shellTexts.crumbs.developers, path: '/developers' }, { name: second, path: null, isId: true });
  } else if (first === 'marketplace' && second !== undefined) {
    crumbs.push(
      { name: shellTexts.crumbs.marketplace, path: '/marketplace' },
      { name: productName(second) ?? second, path: null },
    );
  } else if (first === 'reference' && second !== undefined) {
    const product = encodeURIComponent(second);
    crumbs.push(
      { name: productName(second) ?? second, path: `/marketplace/${product}` },
      { name: shellTexts.crumbs.reference, path: `/reference/${product}` },
    );
    if (third !== undefined) crumbs.push({ name: third, path: null, isId: true });
  } else if (first === 'developers' && second !== undefined) {
    crumbs.push({ name: nameOf(first), path: '/developers' }, { name: nameOf(second), path: `/developers/${second}` });
    if (third !== undefined) crumbs.push({ name: third, path: null, isId: true });
  } else {
    crumbs.push({ name: nameOf(first), path: null });
  }
  // The last one is here.
  const last = crumbs.pop();
  return last === undefined ? crumbs : [...crumbs, { ...last, path: null }];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
