import type { LucideIcon } from 'lucide-react';
import type { Params, RouteObject } from 'react-router';
import type { MemberRole } from '#shared/contract/member-roles.ts';

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

/** Which of a customer's members may see a page: who may make its main call. */
type Roles = readonly MemberRole[];

/** The `handle` of a route: its breadcrumbs, and its entry in search and navigation. */
export class Place {
  /** The breadcrumbs of this route, after those of its parents (product §2.27). */
  readonly steps: (params: Params, productName: (id: string) => string) => readonly Step[];
  readonly link: PageLink | undefined;
  /** Everybody, when undefined. */
  readonly roles: Roles | undefined;

  constructor(steps: Place['steps'], link?: PageLink, roles?: Roles) {
    this.steps = steps;
    this.link = link;
    this.roles = roles;
  }
}

/** A page with its address. */
export type Destination = PageLink & { path: string; roles: Roles | undefined };

/** All listed pages, in the order of their routes. */
export function destinationsOf(routes: readonly RouteObject[]): Destination[] {
  return routes.flatMap(({ path, handle, children = [] }) => {
    const place: unknown = handle;
    const link =
      path !== undefined && place instanceof Place && place.link ? [{ ...place.link, path, roles: place.roles }] : [];
    return [...link, ...destinationsOf(children)];
  });
}
