import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readOpenApi } from '#catalog/read-openapi.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { readInvoice } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { giveProfile, signInCustomer } from '#ship/demo/portal-customer.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { createProvider, type Provider } from './provider.ts';
import { type DocumentServer, startDocumentServer } from './document-server.ts';

const maxCommands = 10;
const maxMinutes = 5;

let provider: Provider;
const servers: DocumentServer[] = [];
beforeAll(async () => {
  provider = await createProvider();
}, 300_000);
afterAll(async () => {
  await provider.remove();
  await Promise.all(servers.map((server) => server.close()));
});

/** Counts what an operator or a customer types, and the time that it takes. */
function stopwatch(name: string) {
  const began = Date.now();
  const done: string[] = [];
  const command = <Result>(what: string, act: () => Promise<Result>): Promise<Result> => {
    done.push(what);
    return act();
  };
  const finish = (): void => {
    const seconds = (Date.now() - began) / 1000;
    process.stdout.write(`  ${name}: ${done.length} commands, ${seconds.toFixed(1)} s: ${done.join(', ')}\n`);
    expect(done.length).toBeLessThanOrEqual(maxCommands);
    expect(seconds).toBeLessThan(maxMinutes * 60);
  };
  return { command, finish };
}

async function textOf(pdf: ArrayBuffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}

/** An API that somebody else described, with the operator's and the customer's part in it. */
interface Foreign {
  file: string;
  id: string;
  /** What its small server asks for. */
  authorization?: string;
  assignments: string[];
  /** Environment of `npm start`; without it, the portal runs already and the catalogue is applied. */
  start?: Record<string, string>;
  /** What its provider marks as internal in the document: nobody may call it. */
  internal: string;
  request: { path: string; method: string; headers?: Record<string, string>; body?: string };
  /** Checks the response to the request. */
  check: (response: Response, server: DocumentServer) => Promise<void>;
}

const bodyOf = async (response: Response): Promise<unknown> => response.json();

test.each<Foreign>([
  {
    file: '3.0/json/readme-legacy.json',
    id: 'legacy-api',
    authorization: `Basic ${Buffer.from('provider:its own secret').toString('base64')}`,
    assignments: ['gateway.credentials.0.user=provider', 'plans.starter.price=999'],
    start: { CATALOG_SECRET_LEGACY_API_PASSWORD: 'its own secret' },
    internal: '/api-registry/{uuid}',
    request: {
      path: '/owlbot/ask',
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'How far can owls turn their heads?', stream: true }),
    },
    check: async (response, server) => {
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const events: string[] = [];
      const stream = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      // The next event leaves the API only after this one has arrived.
      for await (const { data } of stream ?? []) {
        events.push(data);
        server.release();
      }
      expect(events.length).toBeGreaterThan(2);
      expect(events.join(' ')).toContain('Owls have extremely flexible necks');
    },
  },
  {
    file: '3.0/json/star-trek.json',
    id: 'stapi',
    assignments: ['plans.starter.price=249', 'tagline=Everything about Star Trek'],
    internal: '/astronomicalObject/search',
    request: { path: '/animal/search?pageSize=2', method: 'GET' },
    check: async (response) => {
      expect(await bodyOf(response)).toMatchObject({ page: { pageNumber: 0 }, animals: [{ name: 'string' }] });
    },
  },
  {
    file: '3.1/json/train-travel.json',
    id: 'train-travel-api',
    assignments: ['plans.starter.price=1499', 'plans.starter.dailyQuota=5000', 'plans.starter.monthlyQuota=100000'],
    internal: '/trips',
    request: { path: '/stations', method: 'GET' },
    check: async (response) => {
      expect(await bodyOf(response)).toMatchObject({
        data: [{ name: 'Berlin Hauptbahnhof' }, { name: 'Paris Gare du Nord' }],
      });
    },
  },
])(
  'the API of $file is imported, priced, sold, called and invoiced within 10 commands and 5 minutes',
  async (api) => {
    const { octroi, folder, place } = provider;
    const document = readOpenApi(
      readFileSync(projectFolder('node_modules', '@readme', 'oas-examples', api.file), 'utf8'),
    );
    expect(document.paths).toHaveProperty([api.internal]);
    document.paths[api.internal] = { ...document.paths[api.internal], 'x-internal': true };
    const source = join(folder, `${api.id}.json`);
    writeFileSync(source, JSON.stringify(document));
    const server = await startDocumentServer(
      document,
      api.authorization === undefined ? {} : { authorization: api.authorization },
    );
    servers.push(server);
    const { command, finish } = stopwatch(api.id);

    await command('import', () => octroi('catalog', 'import', source, '--upstream', server.url));
    await command('price', () => octroi('catalog', 'set', api.id, ...api.assignments));
    await (api.start === undefined
      ? command('apply', () => octroi('catalog', 'apply', '--reason', 'A new API', '--yes'))
      : command('start', () => provider.start(api.start ?? {})));

    const claims = { sub: `buyer-of-${api.id}`, name: 'Asha Rao', email: `${api.id}@example.com` };
    const customer = await command('sign in', () => signInCustomer(place, { claims }));
    const activated = await command('activate', () =>
      customer.send(activatePlan, { params: { id: api.id, planId: 'starter' } }),
    );
    const { activationId, billingCycleId = '' } = activated;
    await command('business details', () => giveProfile(customer));
    await command('pay', () => customer.pay(billingCycleId));
    const { apiKey } = await command('key', () =>
      customer.send(createApiKey, { params: { activationId }, body: { keyName: 'first', isTest: false } }),
    );
    const { path, ...sent } = api.request;
    await command('call', async () => {
      const response = await fetch(`${place.gatewayUrl}/${api.id}${path}`, {
        ...sent,
        headers: { ...sent.headers, 'x-api-key': apiKey },
      });
      expect([api.id, response.status]).toEqual([api.id, 200]);
      expect(response.headers.get('ratelimit')).toContain('"daily"');
      await api.check(response, server);
    });
    const internal = api.internal.replace('{uuid}', '1');
    const refused = await fetch(`${place.gatewayUrl}/${api.id}${internal}`, { headers: { 'x-api-key': apiKey } });
    expect([refused.status, await bodyOf(refused)]).toMatchObject([404, { code: 'path-unknown' }]);
    const invoice = await command('invoice', async () => {
      const { downloadUrl = '' } = await vi.waitUntil(
        () => customer.send(readInvoice, { params: { billingCycleId } }).catch(() => undefined),
        { timeout: 60_000, interval: 100 },
      );
      return (await fetch(new URL(downloadUrl, place.portalUrl))).arrayBuffer();
    });
    finish();

    const price = z.coerce.number().parse(api.assignments.find((each) => each.includes('price'))?.split('=')[1]);
    const text = await textOf(invoice);
    expect(text).toContain('Tax invoice');
    expect(text).toMatch(/IGST/);
    expect(text).toContain(new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(price));
    const reference = await fetch(`${place.gatewayUrl}/${api.id}/openapi.json`);
    expect(await bodyOf(reference)).toMatchObject({ servers: [{ url: `${place.gatewayUrl}/${api.id}` }] });
    expect(readFileSync(join(folder, 'catalog', `${api.id}.yaml`), 'utf8')).toContain('# To be confirmed');
  },
  maxMinutes * 60_000,
);
