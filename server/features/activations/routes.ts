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
  handle(app, portal, listActivationsCall, async ({ owner }) => ({
    activations: await listActivations(portal, owner),
  }));

  handle(app, portal, listActivatedServicesCall, ({ owner }) => listActivatedServices(portal, owner));

  handle(app, portal, previewDeleteActivation, ({ owner, params }) =>
    previewDeletion(portal, owner, params.activationId),
  );

  handle(app, portal, deleteActivationCall, async ({ owner, params }) => {
    const effectiveBy = await deleteActivation(portal, owner, params.activationId);
    return { ...done, effectiveBy };
  });
}
