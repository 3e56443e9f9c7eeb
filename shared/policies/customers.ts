import type { customerCalls } from '#shared/contract/operator/customers.ts';
import { everyRole, type Policies } from './policy.ts';

export const customerPolicies = {
  findCustomers: everyRole,
  readCustomer: everyRole,
  blockCustomer: ['owner', 'support'],
  unblockCustomer: ['owner', 'support'],
  endSessions: ['owner', 'support'],
  // Whoever has the ownership has the keys and the money.
  transferOwnership: { roles: ['owner', 'support'], sensitive: true, never: ['token'] },
  // A view belongs to the session of a person.
  seeAsCustomer: { roles: ['owner', 'support'], never: ['token', 'command'] },
  changeGstin: ['owner', 'support', 'finance'],
  changeDetails: ['owner', 'support', 'finance'],
  correctInvoice: { roles: ['owner', 'finance'], sensitive: true, amount: 'refunded' },
  cancelEInvoice: { roles: ['owner', 'finance'], sensitive: true, amount: 'refunded' },
} satisfies Policies<typeof customerCalls>;
