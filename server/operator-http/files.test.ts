import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { dayOf } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
let token: string;
let month: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  token = await operators.signedIn('finance@kaveri.example', 'finance');
  const buyer = await newBuyer(world, { gstin: '29ZZZCA0001A1Z0' });
  await buyer.buy(0);
  const [document] = await buyer.documents();
  await buyer.download(document?.id ?? '');
  month = monthOf(dayOf(world.portal.clock()));
});
afterAll(() => world.close());

const read = (name: string, query: string, as = token) =>
  fetch(`${world.portalUrl}/backend/operator/files/${name}?${query}`, { headers: { authorization: `Bearer ${as}` } });
const statusOf = async (query: string, as?: string) => {
  const response = await read('exportMonthPack', query, as);
  await response.arrayBuffer();
  return response.status;
};
const exportNames = Object.values(operatorCalls).flatMap((call) => ('file' in call ? [call.name] : []));

test('each file is a ZIP under its own name, and the audit log has who asked for it', async () => {
  expect(exportNames.length).toBeGreaterThan(3);
  for (const name of exportNames) {
    const response = await read(name, name === 'exportBooks' ? `period=${month}` : `month=${month}`);
    expect(response.headers.get('content-type'), name).toBe('application/zip');
    const file = /^attachment; filename="([\w-]+\.zip)"$/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    const names = Object.keys(unzipSync(Buffer.from(await response.arrayBuffer())));
    expect(names.length, name).toBeGreaterThan(1);
    const [action] = await listActions(world.portal.db, { limit: 1 });
    expect(action).toMatchObject({
      action: 'files.export',
      actor: 'finance@kaveri.example',
      target: file,
      customerId: null,
      effect: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  }
});

test('a file is refused to roles without the call, to customers and for a month that is none, has no HEAD, and nothing is recorded', async () => {
  const [before] = await listActions(world.portal.db, { limit: 1 });
  const support = await operators.signedIn('support@kaveri.example', 'support');
  const customer = await world.newCustomer();
  expect(await statusOf(`month=${month}`, support)).toBe(403);
  expect(await statusOf(`month=${month}`, customer)).toBe(401);
  expect(await statusOf(`month=${month}`, 'nonsense')).toBe(401);
  expect(await statusOf('month=2026-13')).toBe(400);
  expect(await statusOf(`month=${month}&all=yes`)).toBe(400);
  const url = `${world.portalUrl}/backend/operator/files/exportMonthPack?month=${month}`;
  const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
  expect(head.status).toBe(404);
  const [after] = await listActions(world.portal.db, { limit: 5 }).then((all) =>
    all.filter(({ action }) => action === 'files.export'),
  );
  expect(after?.position).toBe(before?.position);
});

test('an operator who is removed while the file is sent gets no further part of it', async () => {
  const leaving = await operators.signedIn('leaving@kaveri.example', 'finance');
  const { documentFiles } = world.portal;
  const original = documentFiles.read.bind(documentFiles);
  const spied = vi.spyOn(documentFiles, 'read').mockImplementation(async (stored) => {
    const cause = { actor: 'root', reason: 'Left' };
    await actAsOperator(world.portal, 'owner', 'removeOperator', { email: 'leaving@kaveri.example' }, cause);
    return original(stored);
  });
  const response = await read('exportMonthPack', `month=${month}`, leaving);
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  expect(spied).toHaveBeenCalledOnce();
  spied.mockRestore();
  expect((await read('exportGstr1', `month=${month}`, leaving)).status).toBe(401);
});

test('the OpenAPI document names each file', async () => {
  const document: unknown = await (await fetch(`${world.portalUrl}/backend/operator/openapi.json`)).json();
  for (const name of exportNames)
    expect(document).toMatchObject({
      paths: {
        [`/operator/files/${name}`]: {
          get: { operationId: `${name}File`, responses: { 200: { content: { 'application/zip': {} } } } },
        },
      },
    });
});
