import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createCustomer } from '#gateway/test/world.ts';
import { type RunningProgram, spawnProgram } from '#ship/launch/test-programs.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';
import { startCollector } from '#ship/standins/collector/collector.ts';

/** The real gateway and the real products, each in its own process, and a collector. */

const folder = mkdtempSync(join(tmpdir(), 'octroi-traces-'));
const programs: RunningProgram[] = [];
let database: TestDatabase;
let collector: Awaited<ReturnType<typeof startCollector>>;
let gatewayUrl = '';

const isUp = (url: string) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

beforeAll(async () => {
  [database, collector] = await Promise.all([createTestDatabase(), startCollector()]);
  const [gateway, taxLookup, invoicing] = await freePorts(3);
  gatewayUrl = `http://127.0.0.1:${gateway}`;
  const taxLookupUrl = `http://127.0.0.1:${taxLookup}`;
  const env = {
    DATABASE_URL: database.databaseUrl,
    CATALOG_DIR: projectFolder('ship', 'standins', 'catalog'),
    DATA_DIR: folder,
    GATEWAY_PORT: String(gateway),
    TAX_LOOKUP_PORT: String(taxLookup),
    INVOICING_PORT: String(invoicing),
    UPSTREAM_TAX_LOOKUP_API: taxLookupUrl,
    ...patientGateway,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  for (const name of ['products', 'gateway']) programs.push(spawnProgram(builtProgram(name), env));
  await vi.waitUntil(async () => (await isUp(gatewayUrl)) && (await isUp(taxLookupUrl)), { timeout: 60_000 });
});

afterAll(async () => {
  for (const { child, ended } of programs) {
    child.kill('SIGKILL');
    await ended;
  }
  await collector.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const callersTrace = '0af7651916cd43dd8448eb211c80319c';
const callersSpan = 'b7ad6b7169203331';

test('a call continues the trace of its caller through the gateway into the API, with request id and customer and without secrets', async () => {
  const { key, activationId } = await createCustomer(database.pool);
  const response = await fetch(`${gatewayUrl}/tax-lookup/v1/gstin/27AAPFU0939F1ZV`, {
    headers: { 'x-api-key': key, traceparent: `00-${callersTrace}-${callersSpan}-01` },
  });
  expect(response.status).toBe(200);
  const requestId = response.headers.get('x-request-id');
  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === callersTrace);
  await vi.waitUntil(() => ofTrace().length >= 4, { timeout: 60_000 });
  const called = ofTrace().find(({ name }) => name === 'GET gateway');
  const lookup = ofTrace().find(({ name }) => name === 'read key and quota');
  const upstream = ofTrace().find(({ name }) => name === 'GET tax-lookup-api');
  const served = ofTrace().find(({ service }) => service === 'octroi-products');
  expect(called).toMatchObject({
    service: 'octroi-gateway',
    parentSpanId: callersSpan,
    failed: false,
    attributes: {
      'octroi.request_id': requestId,
      'octroi.customer': expect.stringMatching(/^CUS-/),
      'octroi.activation': activationId,
      'octroi.outcome': 'answered',
      'octroi.units': 1,
      'http.response.status_code': 200,
    },
  });
  expect(lookup).toMatchObject({ service: 'octroi-gateway', parentSpanId: called?.spanId });
  expect(upstream).toMatchObject({ service: 'octroi-gateway', parentSpanId: called?.spanId });
  expect(served).toMatchObject({
    parentSpanId: upstream?.spanId,
    attributes: { 'octroi.request_id': requestId, 'http.route': '/v1/gstin/:gstin' },
  });
  expect(collector.received()).not.toContain(key);
  expect(collector.received()).not.toContain('AAPFU0939F');
});

test('a refused call is a trace of its own, and a wrong key never appears in it', async () => {
  const key = 'gstk_live_0000000000000000000000000000002C8GjS';
  const response = await fetch(`${gatewayUrl}/tax-lookup/v1/states`, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(401);
  const requestId = response.headers.get('x-request-id');
  await vi.waitUntil(() => collector.spans.some(({ attributes }) => attributes['octroi.request_id'] === requestId), {
    timeout: 60_000,
  });
  const refused = collector.spans.find(({ attributes }) => attributes['octroi.request_id'] === requestId);
  expect(refused).toMatchObject({ parentSpanId: '', attributes: { 'http.response.status_code': 401 } });
  expect(collector.received()).not.toContain(key.slice(10, 30));
});
