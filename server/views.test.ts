import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Call, defineCall } from '#shared/contract/call.ts';
import { readView } from '#shared/contract/operator/view.ts';
import { requestCsvPath, requestStreamPath } from '#shared/contract/request-log.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { usageStreamPath } from '#shared/contract/usage.ts';
import { transaction } from '#shared/database/transaction.ts';
import { backendPath, createApp, viewPath } from './http/app.ts';
import { handle } from './http/handle.ts';
import { streamingRoutes } from './http/serve-file.ts';
import { viewRoutes } from './http/view-routes.ts';
import { actAsOperator } from './operator-calls.ts';
import type { Portal } from './portal.ts';
import { contentsOf } from './test/contents.ts';
import { testOperators, type TestOperators } from './test/operators.ts';
import { type Owned, ownEverything, validInput } from './test/owned.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';
import { testViews } from './test/views.ts';
import { viewPortalOf } from './view-portal.ts';

interface Route {
  method: string;
  url: string;
}

/** Every route of the server, as it was registered. */
const routes: Route[] = [];
const isMade = z.object({ fastify: z.custom<FastifyInstance>() });
const onMade = (message: unknown): void => {
  isMade.parse(message).fastify.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((each) => ({ method: each, url })));
  });
};

let world: TestPortal;
let operators: TestOperators;
let views: ReturnType<typeof testViews>;
let customer: string;
let customerId: string;
let own: Owned;
let stranger: string;
beforeAll(async () => {
  subscribe('fastify.initialization', onMade);
  world = await startTestPortal({ jobs: false });
  unsubscribe('fastify.initialization', onMade);
  operators = testOperators(world);
  views = testViews(world, operators);
  customer = await world.newCustomer();
  own = await ownEverything(world, customer, 'tax-lookup-api');
  stranger = await world.newCustomer();
  customerId = await views.customerOf(customer);
});
afterAll(() => world.close());

let email: string;
let session: string;
beforeEach(async () => {
  ({ email, session } = await views.signIn());
});

const cause = { actor: 'root', reason: 'A test' };
const contents = () => contentsOf(world.owner.db);

const see = (id = customerId) => views.see(session, id);
const send: typeof views.send = (...sent) => views.send(...sent);

/** The path of a valid call under a base, with its body. */
function requestOf(call: Call, base: string) {
  const { params, query, body } = validInput(call, own);
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return { path: `${base}${path}?${new URLSearchParams(query).toString()}`, body: call.body && body };
}

const ask = async (call: Call, token: string, base: string) => {
  const { path, body } = requestOf(call, base);
  return send(path, token, call.method, body);
};
const refused = { status: 403, body: { code: 'read_only_view' } };
const links = (body: unknown) => z.object({ downloadUrl: z.string() }).parse(body).downloadUrl;

/** Without what each response has of its own. */
const lasting = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/"(requestId|downloadUrl|asOf|previewedAt)":"[^"]*"/g, '"$1":""'));

const isLog = ({ name }: Call) => name === 'listMemberActions';
const isRead = ({ method, customerOnly }: Call) => method === 'GET' && customerOnly !== true;

describe('through a view', () => {
  const reads = calls.filter((call) => call.auth === 'session' && isRead(call));
  const refusedCalls = calls.filter((call) => !isRead(call));

  test('every read answers as it does the customer, every other call is refused, and not a row changes', async () => {
    // First: the customer reads of it.
    const token = await see();
    const toCustomer = new Map<string, unknown>();
    // Last the log, which has the customer’s own downloads.
    for (const call of [...reads.filter((each) => !isLog(each)), ...reads.filter(isLog)]) {
      const { status, body } = await ask(call, customer, backendPath);
      toCustomer.set(call.name, { status, body: lasting(body) });
    }
    const before = await contents();
    for (const call of reads) {
      const { status, body } = await ask(call, token, viewPath);
      expect({ status, body: lasting(body) }, call.name).toEqual(toCustomer.get(call.name));
    }
    for (const call of refusedCalls) expect(await ask(call, token, viewPath), call.name).toMatchObject(refused);
    expect(await contents()).toEqual(before);
    expect(reads.length).toBeGreaterThan(25);
  });

  test('every route needs a view, and takes nothing but GET and HEAD', async () => {
    const token = await see();
    const served = routes.filter(({ url }) => url.startsWith(`${viewPath}/`) && url !== viewPath + readView.path);
    const paths = served.map(({ method, url }) => ({ method, path: url.replaceAll(/:\w+/g, 'x') }));
    expect(paths.length).toBeGreaterThan(calls.length);
    const before = await contents();
    for (const { method, path } of paths)
      for (const none of ['', 'x'.repeat(43), customer, session])
        expect((await send(path, none, method)).status, `${method} ${path}`).toBe(401);
    for (const { method, path } of paths.filter((each) => !['GET', 'HEAD'].includes(each.method)))
      expect(await send(path, token, method), `${method} ${path}`).toMatchObject(refused);
    expect(await contents()).toEqual(before);
  });

  test('each download that a read leads to is the customer’s, and only in the view', async () => {
    const token = await see();
    const other = await see(await views.customerOf(stranger));
    const linking = reads.filter(({ reply }) => reply instanceof z.ZodObject && 'downloadUrl' in reply.shape);
    const tried: string[] = [];
    // The customer's log keeps who downloads; a view leaves nothing.
    const ofCustomer = new Map<string, string>();
    for (const call of linking) ofCustomer.set(call.name, links((await ask(call, customer, backendPath)).body));
    const before = await contents();
    for (const call of linking) {
      const { status, body } = await ask(call, token, viewPath);
      if (status !== 200) continue;
      const url = links(body);
      if (!url.startsWith('http')) continue;
      tried.push(call.name);
      expect(url, call.name).toContain(`${viewPath}/`);
      expect((await send(url, token)).status, call.name).toBe(200);
      expect((await send(url, '')).status, call.name).toBe(401);
      expect((await send(url, other)).status, call.name).toBe(404);
      expect((await send(url.replace(viewPath, backendPath), customer)).status, call.name).toBe(404);
      const customers = ofCustomer.get(call.name) ?? '';
      expect((await send(customers.replace(backendPath, viewPath), token)).status, call.name).toBe(404);
    }
    expect(tried.toSorted()).toEqual([
      'readDocument',
      'readInvoice',
      'readMonthPack',
      'readPurchaseRegister',
      'readStatementPaper',
    ]);
    expect(await contents()).toEqual(before);
  });

  test('every stream is one of those that are tried here', () => {
    const tried = [requestCsvPath, requestStreamPath, usageStreamPath, '/billing/packs/:customerId/:month/file'];
    // Their links are never given to a view.
    const unlinked = ['/account/exports/:customerId/file', '/accountants/:accountantId/packs/:month/file'];
    const streams = [...streamingRoutes(world.app)].filter((path) => path.startsWith(viewPath));
    expect(streams.toSorted()).toEqual([...tried, ...unlinked].map((path) => viewPath + path).toSorted());
  });

  test.each([requestStreamPath, usageStreamPath])('the stream %s ends when the operator is removed', async (path) => {
    const token = await see();
    const url = `${world.portalUrl}${viewPath}${path.replace(':activationId', own.activation)}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    await actAsOperator(world.portal, 'owner', 'removeOperator', { email }, cause);
    // Until the end of the stream.
    await response.text().catch(() => undefined);
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  });

  test('a file of calls is read and nothing is written', async () => {
    const token = await see();
    const before = await contents();
    const file = await send(`${viewPath}${requestCsvPath.replace(':activationId', own.activation)}`, token);
    expect(file).toMatchObject({ status: 200, body: expect.stringContaining(',') });
    expect(await contents()).toEqual(before);
  });

  test('a document without a PDF is not made', async () => {
    const buyer = await world.newCustomer();
    const { document } = await ownEverything(world, buyer, 'tax-lookup-api');
    const token = await see(await views.customerOf(buyer));
    const before = await contents();
    expect(await send(`${viewPath}/billing/documents/${document}`, token)).toMatchObject({
      status: 503,
      body: { code: 'document_delayed' },
    });
    expect(await contents()).toEqual(before);
  });

  test('a read that writes is refused, and writes nothing', async () => {
    const call = defineCall({
      name: 'readAndWrite',
      summary: 'A read that writes',
      method: 'GET',
      path: '/things',
      auth: 'session',
      reply: z.object({}),
      refusals: [],
    });
    const planted = (app: FastifyInstance, portal: Portal) =>
      handle(app, portal, call, async ({ owner }) => {
        await portal.db.updateTable('customers').set({ name: 'x' }).where('id', '=', owner.customerId).execute();
        return {};
      });
    const app = await createApp(world.portal);
    onTestFinished(() => app.close());
    await app.register((backend) => viewRoutes(backend, world.portal, [planted]), { prefix: backendPath });
    const headers = { authorization: `Bearer ${await see()}` };
    const before = await contents();
    const response = await app.inject({ method: 'GET', url: `${viewPath}/things`, headers });
    expect({ status: response.statusCode, body: response.json() }).toMatchObject(refused);
    expect(await contents()).toEqual(before);
  });

  test('nothing is within reach that writes or is outside', async () => {
    const { viewDb } = world.portal;
    if (!viewDb) throw new Error('no connection for views');
    const seen = viewPortalOf(world.portal, viewDb);
    await expect(seen.db.deleteFrom('sessions').execute()).rejects.toMatchObject({ code: '25006' });
    const writes = transaction(seen.db, (tx) => tx.updateTable('customers').set({ name: 'x' }).execute());
    await expect(writes).rejects.toMatchObject({ code: '25006' });
    const outside = [
      () => seen.razorpay.createOrder,
      () => seen.outbound.post,
      () => seen.jobs.send,
      () => seen.documentFiles.open('database').put,
    ];
    for (const reach of outside) expect(reach).toThrow('Only the customer can do this');
    await expect(seen.documentFiles.store(Buffer.from('x'))).rejects.toThrow('Only the customer can do this');
  });
});
