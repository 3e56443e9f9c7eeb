import type { FastifyInstance } from 'fastify';
import { searchPages } from '#shared/contract/search.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';

/** What the palette lists. */
const most = 8;

/** Of pages that everybody may see: nothing of another customer, and no private plan. */
export function searchRoutes(app: FastifyInstance, portal: Portal): void {
  handle(
    app,
    portal,
    searchPages,
    async ({ query: { q, language } }) => ({ pages: (await portal.findPages?.(q, language, most)) ?? [] }),
    { perMinute: 240 },
  );
}
