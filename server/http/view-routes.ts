import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { endView, readView, viewPrefix } from '#shared/contract/operator/view.ts';
import { done } from '#shared/contract/values.ts';
import { noteCustomer } from '#shared/platform/work-context.ts';
import { deleteView } from '#server/auth/views.ts';
import type { Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { viewPortalOf } from '#server/view-portal.ts';
import { handle } from './handle.ts';
import { enterView, requireViewStill } from './viewing.ts';

/** How soon a download or a stream ends after its view. */
const watchMs = 1000;

/** Serves `features`, the calls of customers, to operators who see as one of them: everything needs a view, and nothing is written (decision 068). */
export async function viewRoutes(
  app: FastifyInstance,
  portal: Portal,
  features: readonly ((app: FastifyInstance, portal: Portal) => void)[],
): Promise<void> {
  const { viewDb } = portal;
  if (viewDb === undefined) return;

  await app.register(
    async (session) => {
      handle(session, portal, readView, async ({ view: { customer, operator, until } }) => ({
        customer,
        operator,
        until: until.toISOString(),
      }));
      handle(session, portal, endView, async ({ view }) => {
        await deleteView(portal.db, view.hash);
        return done;
      });
    },
    { prefix: viewPrefix },
  );

  await app.register(
    async (views) => {
      views.addHook('onRequest', async (request) => {
        const { customerId, operatorId } = await enterView(portal, request);
        noteCustomer(customerId);
        request.log.info({ operatorId }, 'seen as the customer');
        if (request.method !== 'GET' && request.method !== 'HEAD') throw refuse('read_only_view');
      });
      views.addHook('onSend', async (request, _reply, payload) => {
        // One that was closed before it could be sent closes no second time.
        if (!(payload instanceof Readable) || payload.destroyed) return;
        const timer = setInterval(() => {
          requireViewStill(request).catch(() => {
            clearInterval(timer);
            payload.destroy();
          });
        }, watchMs);
        timer.unref();
        payload.once('close', () => clearInterval(timer));
      });
      const seen = viewPortalOf(portal, viewDb);
      for (const routes of features) routes(views, seen);
    },
    { prefix: viewPrefix },
  );
}
