import { join } from 'node:path';
import { ZodError } from 'zod';
import { serveAssets } from '#ship/standins/assets.ts';
import { openAccounts } from '#ship/standins/google/accounts.ts';
import { addControlRoutes } from '#ship/standins/google/control-routes.ts';
import { signIdToken } from '#ship/standins/google/id-token.ts';
import { openKeys } from '#ship/standins/google/keys.ts';
import type { GoogleParts } from '#ship/standins/google/parts.ts';
import { addWireRoutes } from '#ship/standins/google/wire-routes.ts';
import { createLoopbackApp, listenOnLoopback } from '#ship/standins/loopback.ts';

export type GoogleSettings = {
  port: number;
  clientId: string;
  issuer: string;
  folder: string;
  publicUrl?: string | undefined;
};

/** Starts the stand-in for Google Identity Services. */
export async function startGoogle(settings: GoogleSettings, now: () => number) {
  const { clientId, issuer, folder } = settings;
  const accounts = openAccounts(join(folder, 'google-accounts.jsonl'));
  const keys = await openKeys(join(folder, 'google-keys.json'));
  let url = '';

  const parts: GoogleParts = {
    clientId,
    issuer,
    accounts,
    keys,
    url: () => url,
    sign: ({ account, nonce, claims = {}, clientId: audience = clientId, fault }) =>
      signIdToken(keys, {
        account,
        pictureUrl: `${url}/avatars/${account.id}.svg`,
        issuer,
        clientId: audience,
        nonce,
        claims,
        fault,
        nowMs: now(),
      }),
  };

  const app = createLoopbackApp();
  app.setErrorHandler(async (error, _request, reply) => {
    if (error instanceof ZodError) return reply.code(400).send({ message: 'The request is malformed.' });
    throw error;
  });
  serveAssets(app, {
    '/': 'google-home.html',
    '/google-home.js': 'google-home.js',
    '/page.css': 'page.css',
    '/gsi/client': 'gsi-client.js',
    '/gsi/style': 'gsi-style.css',
    '/gsi/select': 'chooser.html',
    '/gsi/chooser.js': 'chooser.js',
  });
  addWireRoutes(app, parts);
  addControlRoutes(app, parts);
  const listening = await listenOnLoopback(app, settings.port);
  url = settings.publicUrl ?? listening;
  return { url: listening, close: () => app.close() };
}
