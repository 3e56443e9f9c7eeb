import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { replayedHeader, replayOfHeader } from '#shared/domain/metering.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { callerOf, customerOf } from '#products/http/gateway-headers.ts';
import { Refusal } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { type Store, storeOrRefuse } from '#products/store/store.ts';
import {
  type KeyedRequest,
  type StorageLimits,
  storageLimits,
  claimKey,
  storeResponse,
  releaseKey,
} from './stored-responses.ts';

const idempotencyKey = z
  .string()
  .regex(/^"?[\x21\x23-\x7e]{1,200}"?$/, 'An Idempotency-Key has 1 to 200 printable characters without spaces.')
  .describe(
    'A unique text of your choice for this call, such as a UUID. A retry with the same key and body gets the first response again, with `Octroi-Replayed: true`, for 24 hours or until 1,000 newer responses or 16 MB of yours have replaced it; the work is not repeated and the retry is not counted.',
  )
  .meta({ examples: ['7c1f4b8e-6f0d-4c8b-9d53-0e9d4b7f6a21'] });

/** The headers of a call that can safely be repeated. */
export const repeatable = z.looseObject({ 'idempotency-key': idempotencyKey.optional() });
/** The same where the key is required, because repeating the call would have an effect. */
export const repeatableOnly = z.looseObject({ 'idempotency-key': idempotencyKey });

/** The key without the quotes of the IETF draft; undefined when the caller sent none. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key.replaceAll('"', '') : undefined;
}

/**
 * Makes every POST of a product support Idempotency-Key: same key and body, same response; same key and another body,
 * 422; first call still running, 409. Only successful responses are stored: after a refusal or an error the key is free
 * again.
 */
export function honourIdempotency(
  server: ProductServer,
  store: Store | undefined,
  now: Clock,
  limits: StorageLimits = storageLimits,
): void {
  const claims = new WeakMap<FastifyRequest, { keyedRequest: KeyedRequest; startedAt: Date }>();

  server.addHook('preHandler', async (request, reply) => {
    const key = idempotencyKeyOf(request);
    // Where there is no route, nothing has checked the key, and there is nothing to repeat.
    if (request.method !== 'POST' || request.is404 || key === undefined) return undefined;
    const text = JSON.stringify([request.url, request.body]);
    const requestHash = createHash('sha256').update(text).digest('hex');
    const requestId = String(request.headers['x-request-id'] ?? '');
    const keyedRequest = { caller: callerOf(request), customer: customerOf(request), key, requestHash, requestId };
    const claim = await claimKey(storeOrRefuse(store), keyedRequest, now());
    if (claim.state === 'running') {
      const running = 'The first call with this Idempotency-Key is still running.';
      throw new Refusal(409, running, 'idempotency-key-in-use');
    }
    if (claim.state === 'other-request') {
      const reused = 'This Idempotency-Key was used for a different request; use a new one.';
      throw new Refusal(422, reused, 'idempotency-key-reused');
    }
    if (claim.state === 'claimed') {
      claims.set(request, { keyedRequest, startedAt: claim.startedAt });
      return undefined;
    }
    const { status, contentType, contentDisposition, body, firstRequestId } = claim.response;
    reply.code(status).type(contentType).header(replayedHeader, 'true');
    if (contentDisposition !== undefined) reply.header('content-disposition', contentDisposition);
    if (firstRequestId !== '') reply.header(replayOfHeader, firstRequestId);
    return reply.send(body);
  });

  server.addHook('onSend', async (request, reply, payload) => {
    const claim = claims.get(request);
    if (claim === undefined || store === undefined) return;
    claims.delete(request);
    const { keyedRequest, startedAt } = claim;
    const good = reply.statusCode < 300 && (typeof payload === 'string' || Buffer.isBuffer(payload));
    try {
      if (!good) return await releaseKey(store, keyedRequest, startedAt);
      const contentType = String(reply.getHeader('content-type'));
      const contentDisposition = reply.getHeader('content-disposition')?.toString();
      const response = { status: reply.statusCode, contentType, contentDisposition, body: Buffer.from(payload) };
      await storeResponse(store, keyedRequest, startedAt, response, now(), limits);
    } catch (error) {
      // The work is done, so the caller gets the response. Without a stored response, a retry gets 409 for a while and
      // then does the work again.
      request.log.error({ err: error }, 'could not store a response for retries');
    }
  });
}
