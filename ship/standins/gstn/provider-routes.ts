import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Behaviour } from '#ship/standins/gstn/behaviour.ts';
import type { GstnParts } from '#ship/standins/gstn/parts.ts';
import { taxpayers, troubled } from '#ship/standins/gstn/taxpayers.ts';

/** An error of the portal comes with status 200. */
const refuse = (errorCode: string, message: string) => ({ success: false, errorCode, message });

const tokenLifeSeconds = 6 * 3600;
const searchQuery = z.looseObject({ action: z.string().optional(), gstin: z.string().default('') });

/** Simulates a failure; false when the call is to succeed. */
export async function simulateFailure(
  parts: GstnParts,
  how: Behaviour['search'],
  reply: FastifyReply,
): Promise<boolean> {
  if (how === 'ok') return false;
  if (how === 'slow') await parts.wait(parts.behaviour.get().slowMs);
  if (how === 'slow') return false;
  if (how === 'unreadable') void reply.type('text/html').send('<html><body>Proxy error</body></html>');
  else if (how === 'error-500') void reply.code(500).send({ message: 'Internal error' });
  else void reply.code(503).send({ message: 'Service unavailable' });
  return true;
}

/** The provider's own API (a token for its customer's account), and the public search of taxpayers behind it. */
export function addProviderRoutes(
  app: FastifyInstance,
  parts: GstnParts,
): { isKnown: (authorization: string) => boolean } {
  const tokens = new Map<string, number>();
  const isKnown = (authorization: string) => (tokens.get(authorization.replace(/^Bearer /, '')) ?? 0) > parts.now();

  app.post('/gsp/authenticate', async (request, reply) => {
    const { gspappid, gspappsecret } = request.headers;
    if (
      gspappid !== parts.clientId ||
      gspappsecret !== parts.clientSecret ||
      parts.behaviour.get().login === 'refused'
    ) {
      return reply.code(401).send({ error: 'unauthorized', error_description: 'Invalid client id or secret' });
    }
    const token = randomBytes(24).toString('base64url');
    tokens.set(token, parts.now() + tokenLifeSeconds * 1000);
    return { access_token: token, token_type: 'bearer', expires_in: tokenLifeSeconds, scope: 'gsp' };
  });

  app.get('/commonapi/:version/search', async (request, reply) => {
    if (!isKnown(request.headers.authorization ?? '')) return reply.code(401).send({ error: 'invalid_token' });
    const { action, gstin } = searchQuery.parse(request.query);
    if (await simulateFailure(parts, troubled[gstin] ?? parts.behaviour.get().search, reply)) return reply;
    if (action !== 'TP') return refuse('SWEB_9000', 'Invalid action');
    if (!/^\d{2}[0-9A-Z]{13}$/.test(gstin)) return refuse('SWEB_9035', 'The GSTIN passed in the request is invalid.');
    const found = taxpayers.get(gstin);
    return found ?? refuse('FO8000', 'No records found for the provided GSTIN');
  });
  return { isKnown };
}
