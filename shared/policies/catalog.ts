import type { catalogCalls } from '#shared/contract/operator/catalog.ts';
import { everyRole, type Policies } from './policy.ts';

export const catalogPolicies = {
  listCatalogVersions: everyRole,
  // Files may hold the credentials of an API, and the addresses that see a private plan.
  readCatalogVersion: ['owner'],
  // Only an owner can put the draft on sale.
  draftProduct: ['owner'],
  applyCatalog: { roles: ['owner'], sensitive: true },
  revertCatalog: { roles: ['owner'], sensitive: true },
} satisfies Policies<typeof catalogCalls>;
