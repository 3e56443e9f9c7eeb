import type { FastifyReply, FastifyRequest } from 'fastify';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isAccepted } from '#shared/platform/negotiation.ts';

/** A text that never changes, as it is and in each encoding that the portal sends. Buffers: readers who wait share them. */
export interface Precompressed {
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** Higher ones take ten times as long for a few percent. */
const brotliQuality = 9;

export function precompress(text: string): Precompressed {
  const br = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  return { identity: Buffer.from(text), br, gzip: gzipSync(text) };
}

/** Sends the smallest form that the client reads. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { identity, ...encoded }: Precompressed,
  vary = 'accept-encoding',
): FastifyReply {
  // A shared cache must not give a compressed response to a client that cannot read it.
  reply.header('vary', vary);
  const accepted = request.headers['accept-encoding'];
  const encoding = (['br', 'gzip'] as const).find((each) => isAccepted(accepted, each));
  if (encoding === undefined) return reply.send(identity);
  return reply.header('content-encoding', encoding).send(encoded[encoding]);
}
