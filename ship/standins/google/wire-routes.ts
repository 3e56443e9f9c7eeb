import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Account } from '#ship/standins/google/accounts.ts';
import { avatarSvg } from '#ship/standins/google/avatar.ts';
import type { GoogleParts } from '#ship/standins/google/parts.ts';
import { localOriginPattern } from '#ship/standins/loopback.ts';

const sessionQuery = z.object({ client_id: z.string().default(''), origin: z.string().default('') });
const credentialBody = z.object({
  client_id: z.string(),
  origin: z.string(),
  account: z.string(),
  nonce: z.string().max(500).optional(),
});
const newAccountBody = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(80),
  email: z.email('Enter a valid email').max(254),
});

/** The public data of a person, for the chooser and the tests. */
export function describeAccount(account: Account, baseUrl: string) {
  return { ...account, picture: `${baseUrl}/avatars/${account.id}.svg` };
}

/** Google's own errors for a sign-in request. */
function refusalOf(parts: GoogleParts, clientId: string, origin: string): string | null {
  if (clientId !== parts.clientId) return 'Error 401: invalid_client. The OAuth client was not found.';
  if (!localOriginPattern.test(origin))
    return 'Error 400: origin_mismatch. The given origin is not allowed for the given client ID.';
  return null;
}

/** Discovery, keys, pictures, and the calls of the account chooser. */
export function addWireRoutes(app: FastifyInstance, parts: GoogleParts): void {
  const { accounts, keys } = parts;

  app.get('/.well-known/openid-configuration', async () => ({
    issuer: parts.issuer,
    authorization_endpoint: `${parts.url()}/gsi/select`,
    jwks_uri: `${parts.url()}/oauth2/v3/certs`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    claims_supported: 'aud email email_verified exp family_name given_name hd iat iss name nonce picture sub'.split(
      ' ',
    ),
  }));

  app.get('/oauth2/v3/certs', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60, must-revalidate');
    return { keys: keys.publicKeys() };
  });

  app.get<{ Params: { file: string } }>('/avatars/:file', async (request, reply) => {
    const account = accounts.find(request.params.file.replace(/\.svg$/, ''));
    if (!account) return reply.code(404).send({ message: 'There is no such person.' });
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=3600');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    return avatarSvg(account.id, account.name);
  });

  app.get('/gsi/session', async (request, reply) => {
    const { client_id: clientId, origin } = sessionQuery.parse(request.query);
    const refusal = refusalOf(parts, clientId, origin);
    if (refusal) return reply.code(400).send({ message: refusal });
    return { accounts: accounts.all().map((account) => describeAccount(account, parts.url())) };
  });

  app.post('/gsi/accounts', async (request, reply) => {
    const body = newAccountBody.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: body.error.issues[0]?.message });
    return describeAccount(accounts.add(body.data.name, body.data.email), parts.url());
  });

  app.post('/gsi/credential', async (request, reply) => {
    const body = credentialBody.parse(request.body);
    const refusal = refusalOf(parts, body.client_id, body.origin);
    if (refusal) return reply.code(400).send({ message: refusal });
    const account = accounts.find(body.account);
    if (!account) return reply.code(404).send({ message: 'There is no such account.' });
    return { credential: await parts.sign({ account, nonce: body.nonce }) };
  });

  // The client script calls this from the relying party's page, hence the CORS header.
  app.post('/gsi/revoke', async (request, reply) => {
    reply.header('access-control-allow-origin', request.headers.origin ?? 'null');
    const hint = z.object({ hint: z.string() }).safeParse(request.query);
    const isKnown = hint.success && accounts.find(hint.data.hint) !== undefined;
    return isKnown ? { successful: true } : { successful: false, error: 'Account not found.' };
  });
}
