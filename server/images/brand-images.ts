import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Brand } from '#server/brand/brand.ts';
import { brandImages } from '#server/brand/brand-page.ts';
import { servePublic } from '#server/http/serve-file.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { sendImage } from './product-images.ts';

/** Serves the files of the brand. Mail programs and the login page ask for them without a session. */
export function brandRoutes(app: FastifyInstance, brand: Brand): void {
  const params = z.object({ file: z.enum(['logo-light', 'logo-dark', 'logo-mail', 'favicon']) });
  const query = z.object({ v: z.string() }).catch({ v: '' });
  servePublic(app, '/brand/:file', params, async ({ params: { file }, request, reply }) => {
    const image = brandImages[file](brand);
    if (image === undefined) throw refuse('not_found');
    // Mail programs show it on pages of their own.
    if (file === 'logo-mail') reply.header('cross-origin-resource-policy', 'cross-origin');
    return sendImage(reply, image, query.parse(request.query).v === image.hash);
  });
}
