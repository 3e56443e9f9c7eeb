import type { LucideIcon } from 'lucide-react';
import type { Params, RouteObject } from 'react-router';
import type { MemberCallName } from '#shared/policies/members/rights.ts';

/** One breadcrumb. */
export interface Step {
  name: string;
  /** Ids are set in mono. */
  isId?: boolean;
  /** The address; by default that of the route. */
  path?: string;
}

/** A page listed in the search, and in the navigation if `isMain`. */
interface PageLink {
  name: () => string;
  icon: LucideIcon;
  keywords: readonly string[];
  isMain: boolean;
}

/** The `handle` of a route: its breadcrumbs, and its entry in search and navigation. */
export class Place {
  /** The breadcrumbs of this route, after those of its parents (product §2.27). */
  readonly steps: (params: Params, productName: (id: string) => string) => readonly Step[];
  readonly link: PageLink | undefined;
  /** Its main call: whose role may make that may see the page. Everybody, when undefined. */
  readonly call: MemberCallName | undefined;

  constructor(steps: Place['steps'], link?: PageLink, call?: MemberCallName) {
    this.steps = steps;
    this.link = link;
    this.call = call;
  }
}

/** A page with its address. */
export type Destination = PageLink & { path: string; call: MemberCallName | undefined };

/** All listed pages, in the order of their routes. */
export function destinationsOf(routes: readonly RouteObject[]): Destination[] {
  return routes.flatMap(({ path, handle, children = [] }) => {
    const place: unknown = handle;
    const link =
      path !== undefined && place instanceof Place && place.link ? [{ ...place.link, path, call: place.call }] : [];
    return [...link, ...destinationsOf(children)];
  });
}
