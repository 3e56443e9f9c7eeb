import type { endpointCalls } from '#shared/contract/operator/endpoints.ts';
import { everyRole, type Policies } from './policy.ts';

/** People decide where events go: an address hears of all customers. */
const ofOwners = { roles: ['owner'], sensitive: true, never: ['token'] } as const;
const sends = ['owner', 'support', 'finance'] as const;

export const endpointPolicies = {
  listEndpoints: everyRole,
  createEndpoint: ofOwners,
  changeEndpoint: ofOwners,
  rollEndpointSecret: ofOwners,
  removeEndpoint: ofOwners,
  testEndpoint: sends,
  listDeliveries: everyRole,
  readDelivery: everyRole,
  resendDelivery: sends,
} satisfies Policies<typeof endpointCalls>;
