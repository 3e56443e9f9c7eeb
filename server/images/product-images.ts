import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Product as CatalogProduct } from '#catalog/catalog.ts';
import type { SafeImage } from '#catalog/safe-image.ts';
import type { Product } from '#shared/contract/marketplace.ts';
import type { ProductMarkOf } from '#shared/contract/values.ts';
import { ids } from '#shared/contract/ids.ts';
import { backendPath } from '#server/http/app.ts';
import { servePublic } from '#server/http/serve-file.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';

/** The mark of a product; its initials for one that has been removed from the catalogue. */
export function markOf(product: CatalogProduct | undefined): ProductMarkOf {
  if (product?.images.icon !== undefined) return { image: addressOf(product.id, 'icon', product.images.icon) };
  return typeof product?.icon === 'string' ? { icon: product.icon } : null;
}

/** The picture of a product; null: its mark is shown instead. */
export function pictureOf({ id, picture, images }: CatalogProduct): Product['picture'] {
  if (images.picture !== undefined) return { image: addressOf(id, 'picture', images.picture) };
  if (picture === undefined || 'file' in picture) return null;
  if ('lines' in picture) return picture;
  return { parts: picture.parts.map(({ text, label }) => ({ text, label: label ?? null })) };
}

/** An address changes with its image, which browsers may therefore keep. */
function addressOf(productId: string, kind: 'icon' | 'picture', { hash }: SafeImage): string {
  return `${backendPath}/marketplace/${productId}/images/${kind}?v=${hash}`;
}

const params = z.object({ productId: ids.product, kind: z.enum(['icon', 'picture']) });

/** Images of the catalogue. An <img> sends no session, and what is for sale is no secret. */
export function productImageRoutes(app: FastifyInstance, portal: Portal): void {
  servePublic(app, '/marketplace/:productId/images/:kind', params, async ({ params: asked, request, reply }) => {
    const image = portal.catalog.find(asked.productId)?.images[asked.kind];
    if (image === undefined) throw refuse('not_found');
    const { v } = z.object({ v: z.string() }).catch({ v: '' }).parse(request.query);
    return sendImage(reply, image, v === image.hash);
  });
}

/** Sends an image that stays an image when it is opened on its own. */
export function sendImage(reply: FastifyReply, { type, content, hash }: SafeImage, isForEver: boolean): FastifyReply {
  return reply
    .type(type)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
    .header('cache-control', isForEver ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', `"${hash}"`)
    .send(content);
}
