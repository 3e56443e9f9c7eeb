import type { FastifyInstance } from 'fastify';
import {
  activatePlan,
  activateProduct,
  activateService,
  listPlans as listPlansCall,
  listProducts as listProductsCall,
} from '#shared/contract/marketplace.ts';
import { activate } from '#server/features/activations/activations.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { listPlans, listProducts } from './marketplace.ts';

const activations = { perMinute: 30 };

export function marketplaceRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listProductsCall, ({ caller }) => listProducts(portal, caller));

  handle(app, portal, listPlansCall, ({ caller, params }) => listPlans(portal, caller, params.productId));

  handle(
    app,
    portal,
    activatePlan,
    ({ caller, params }) => activate(portal, caller, params.id, params.planId),
    activations,
  );

  handle(app, portal, activateProduct, ({ caller, params }) => activate(portal, caller, params.id), activations);

  handle(
    app,
    portal,
    activateService,
    ({ caller, body }) => activate(portal, caller, body.serviceId, body.planId),
    activations,
  );
}
