import type { LucideIcon } from 'lucide-react';
import type { Params, RouteObject } from 'react-router';

/** One step of the way to a page. */
export interface Step {
  name: string;
  /** Ids are set in mono. */
  isId?: boolean;
  /** Where it leads; to its route without this. */
  path?: string;
}

/** A page that the search leads to from anywhere, and the navigation if it is a main one. */
interface PageLink {
  name: () => string;
  icon: LucideIcon;
  keywords: readonly string[];
  isMain: boolean;
}

/** The `handle` of a route: what breadcrumbs, search and navigation know of it. */
export class Place {
  /** Its steps in the breadcrumbs, after those of the routes around it (product §2.27). */
  readonly steps: (params: Params, productName: (id: string) => string) => readonly Step[];
  readonly link: PageLink | undefined;

  constructor(steps: Place['steps'], link?: PageLink) {
    this.steps = steps;
    this.link = link;
  }
}

/** A page with its address. */
export type Destination = PageLink & { path: string };

/** All pages of these routes that can be gone to from anywhere, in their order. */
export function destinationsOf(routes: readonly RouteObject[]): Destination[] {
  return routes.flatMap(({ path, handle, children = [] }) => {
    const place: unknown = handle;
    const link = path !== undefined && place instanceof Place && place.link ? [{ ...place.link, path }] : [];
    return [...link, ...destinationsOf(children)];
  });
}
