import type { FastifyInstance } from 'fastify';
import {
  type Activation,
  deleteActivation as deleteActivationCall,
  listActivatedServices as listActivatedServicesCall,
  listActivations as listActivationsCall,
  previewDeleteActivation,
} from '#shared/contract/activations.ts';
import { done } from '#shared/contract/values.ts';
import { mayMember } from '#shared/policies/members/rights.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { deleteActivation, listActivatedServices, listActivations, previewDeletion } from './activations.ts';

export function activationsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listActivationsCall, async ({ owner }) => {
    const activations = await listActivations(portal, owner);
    return { activations: mayMember(owner.role, 'listHistory') ? activations : activations.map(withoutMoney) };
  });

  handle(app, portal, listActivatedServicesCall, ({ owner }) => listActivatedServices(portal, owner));

  handle(app, portal, previewDeleteActivation, ({ owner, params }) =>
    previewDeletion(portal, owner, params.activationId),
  );

  handle(app, portal, deleteActivationCall, async ({ owner, params }) => {
    const effectiveBy = await deleteActivation(portal, owner, params.activationId);
    return { ...done, effectiveBy };
  });
}

/** For a role without money: the plans with their prices, and nothing of who pays and how. */
const withoutMoney = ({ customer, billingCycles, ...activation }: Activation): Activation => ({
  ...activation,
  customer: { ...customer, phoneNumber: '' },
  billingCycles: billingCycles.map((cycle) => ({
    ...cycle,
    payments: [],
    invoiceId: null,
    purchaseOrder: null,
    packs: cycle.packs.map((pack) => ({ ...pack, payments: [] })),
  })),
});
