import type { FastifyInstance } from 'fastify';
import {
  deleteActivation as deleteActivationCall,
  listActivatedServices as listActivatedServicesCall,
  listActivations as listActivationsCall,
  previewDeleteActivation,
} from '#shared/contract/activations.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { deleteActivation, listActivatedServices, listActivations, previewDeletion } from './activations.ts';

export function activationsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listActivationsCall, async ({ caller }) => ({
    activations: await listActivations(portal, caller),
  }));

  handle(app, portal, listActivatedServicesCall, ({ caller }) => listActivatedServices(portal, caller));

  handle(app, portal, previewDeleteActivation, ({ caller, params }) =>
    previewDeletion(portal, caller, params.activationId),
  );

  handle(app, portal, deleteActivationCall, async ({ caller, params }) => {
    const effectiveBy = await deleteActivation(portal, caller, params.activationId);
    return { ...done, effectiveBy };
  });
}
