import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ZodError, z } from 'zod';
import { openKeys } from '#ship/standins/google/keys.ts';
import { type Behaviour, behaviourSchema } from '#ship/standins/gstn/behaviour.ts';
import { addEWayBillRoutes } from '#ship/standins/gstn/e-way-bill-routes.ts';
import { addInvoiceRoutes } from '#ship/standins/gstn/invoice-routes.ts';
import type { GstnParts } from '#ship/standins/gstn/parts.ts';
import { addProviderRoutes } from '#ship/standins/gstn/provider-routes.ts';
import { openRegistry } from '#ship/standins/gstn/registry.ts';
import { addSupplier, taxpayers, troubled } from '#ship/standins/gstn/taxpayers.ts';
import { createLoopbackApp, listenOnLoopback } from '#ship/standins/loopback.ts';

export type GstnSettings = {
  port: number;
  clientId: string;
  clientSecret: string;
  folder: string;
  supplier?: { gstin: string; name: string } | undefined;
};

const clockBody = z.strictObject({ advanceMs: z.number().min(0) });

/** Starts the stand-in for a GST Suvidha Provider: the GST portal's search of taxpayers, the invoice registration portal and the e-way bill system. */
export async function startGstn(settings: GstnSettings, now: () => number) {
  const { clientId, clientSecret, folder, supplier } = settings;
  if (supplier) addSupplier(supplier.gstin, supplier.name);
  const closing = new AbortController();
  let behaviour: Behaviour = behaviourSchema.parse({});
  let movedMs = 0;
  const parts: GstnParts = {
    clientId,
    clientSecret,
    behaviour: { get: () => behaviour, set: (next) => void (behaviour = next) },
    registry: openRegistry(join(folder, 'gstn.jsonl')),
    keys: await openKeys(join(folder, 'gstn-keys.json')),
    now: () => now() + movedMs,
    moveClock: (byMs) => void (movedMs += byMs),
    wait: (ms) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined),
  };

  const app = createLoopbackApp();
  app.setErrorHandler(async (error, _request, reply) => {
    if (error instanceof ZodError) return reply.code(400).send({ message: z.prettifyError(error) });
    throw error;
  });
  const { isKnown } = addProviderRoutes(app, parts);
  addInvoiceRoutes(app, parts, isKnown);
  addEWayBillRoutes(app, parts);
  app.get('/standin/about', async () => ({
    clientId,
    taxpayers: [...taxpayers.values()].map(({ gstin, sts, dty }) => ({ gstin, status: sts, type: dty })),
    troubled,
  }));
  app.get('/', async (_request, reply) => reply.redirect('/standin/about'));
  app.get('/standin/behaviour', async () => behaviour);
  app.put('/standin/behaviour', async (request) => {
    parts.behaviour.set(behaviourSchema.parse(request.body ?? {}));
    return behaviour;
  });
  app.post('/standin/clock', async (request) => {
    parts.moveClock(clockBody.parse(request.body).advanceMs);
    return { now: new Date(parts.now()).toISOString() };
  });
  app.get('/standin/keys', async () => ({ keys: parts.keys.publicKeys() }));

  const url = await listenOnLoopback(app, settings.port);
  return {
    url,
    close: async () => {
      closing.abort();
      await app.close();
    },
  };
}
