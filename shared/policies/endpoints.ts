import type { endpointCalls } from '#shared/contract/operator/endpoints.ts';
import { everyRole, type Policies } from './policy.ts';

/** Where events go is decided by people: who changes it hears of all customers. */
const ofOwners = { roles: ['owner'], sensitive: true, never: ['token'] } as const;
const sends = ['owner', 'support', 'finance'] as const;

export const endpointPolicies: Policies<typeof endpointCalls> = {
  listEndpoints: everyRole,
  createEndpoint: ofOwners,
  changeEndpoint: ofOwners,
  rollEndpointSecret: ofOwners,
  removeEndpoint: ofOwners,
  testEndpoint: sends,
  listDeliveries: everyRole,
  readDelivery: everyRole,
  resendDelivery: sends,
};
