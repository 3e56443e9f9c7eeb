import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GoogleParts } from '#ship/standins/google/parts.ts';
import { tokenFaultSchema } from '#ship/standins/google/id-token.ts';
import { describeAccount } from '#ship/standins/google/wire-routes.ts';

const tokenBody = z.strictObject({
  account: z.string().optional(),
  claims: z.record(z.string(), z.unknown()).optional(),
  nonce: z.string().optional(),
  clientId: z.string().optional(),
  fault: tokenFaultSchema.optional(),
});
const rotateBody = z.strictObject({ dropOld: z.boolean().default(false) }).default({ dropOld: false });

/** Controls for scripts and tests: a token without a browser, new keys, the list of people. */
export function addControlRoutes(app: FastifyInstance, parts: GoogleParts): void {
  app.get('/standin/about', async () => ({
    clientId: parts.clientId,
    issuer: parts.issuer,
    accounts: parts.accounts.all().map((account) => describeAccount(account, parts.url())),
    faults: tokenFaultSchema.options,
    keys: parts.keys.publicKeys().map((key) => key.kid),
  }));

  app.post('/standin/token', async (request, reply) => {
    const body = tokenBody.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) });
    const { account: key = 'asha', claims, nonce, clientId, fault } = body.data;
    const account = parts.accounts.find(key);
    if (!account) return reply.code(404).send({ message: `There is no account ${key}; see /standin/about.` });
    return { credential: await parts.sign({ account, nonce, claims, clientId, fault }) };
  });

  app.post('/standin/keys/rotate', async (request, reply) => {
    const body = rotateBody.safeParse(request.body ?? undefined);
    if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) });
    return { kid: await parts.keys.rotate(body.data.dropOld) };
  });
}
