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
  handle(app, portal, listProductsCall, ({ owner }) => listProducts(portal, owner));

  handle(app, portal, listPlansCall, ({ owner, params }) => listPlans(portal, owner, params.productId));

  handle(
    app,
    portal,
    activatePlan,
    ({ owner, params }) => activate(portal, owner, params.id, params.planId),
    activations,
  );

  handle(app, portal, activateProduct, ({ owner, params }) => activate(portal, owner, params.id), activations);

  handle(
    app,
    portal,
    activateService,
    ({ owner, body }) => activate(portal, owner, body.serviceId, body.planId),
    activations,
  );
}
