import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { moveClock, readClock } from './clock.ts';
import { parseJson } from '#shared/platform/parse-json.ts';

const dayMs = 86_400_000;
/** An empty body only reads the clock. */
const moveSchema = z.strictObject({
  offsetMs: z
    .int()
    .min(-4000 * dayMs)
    .max(4000 * dayMs)
    .optional(),
});

/**
 * The call by which the stand-ins' page reads and moves the product's clock. It does not exist in production, nor when payments go to a
 * real account. It is signed with the secret that portal and stand-in share, so that no page of another site can move the
 * clock.
 */
export function clockRoutes(app: FastifyInstance, portal: Portal): void {
  const { movedClock, settings } = portal;
  if (!settings.standins || !settings.razorpayKeyId.startsWith('rzp_test_') || !movedClock) return;

  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, body, done) => done(null, body));
    raw.post('/standins/clock', { schema: { hide: true } }, async (request) => {
      const signature = request.headers['x-standin-signature'];
      const { body } = request;
      if (typeof body !== 'string' || typeof signature !== 'string') throw refuse('unauthorized');
      const secrets = settings.razorpayWebhookSecret.split(',');
      if (!secrets.some((secret) => sameBytes(hmacHex(secret, body), signature))) throw refuse('unauthorized');
      const asked = moveSchema.safeParse(parseJson(body));
      if (!asked.success) throw refuse('invalid_request');
      if (asked.data.offsetMs !== undefined) await moveClock(portal, movedClock, asked.data.offsetMs);
      return readClock(portal, movedClock);
    });
  });
}
