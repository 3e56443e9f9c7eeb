import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';
import { createMetrics } from '#shared/platform/metrics.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** A catalogue of two products; the first needs a secret in the file `look-up-key`. */
function catalogWithSecret(): string {
  const folder = emptyCatalog();
  for (const name of ['tax-lookup-api.yaml', 'invoicing-system.yaml']) {
    const product: Record<string, unknown> = parse(
      readFileSync(projectFolder('ship', 'standins', 'catalog', name), 'utf8'),
    );
    const credentials = [{ type: 'header', name: 'X-Key', value: { file: 'look-up-key' } }];
    const gateway = name === 'tax-lookup-api.yaml' ? { credentials } : {};
    writeFileSync(
      join(folder, name),
      stringify({ ...product, upstreamUrl: harness.setup.productUrl, sandbox: undefined, gateway }),
    );
  }
  return folder;
}

test('a gateway without the secret of one product refuses its calls, serves the others, and takes it up once the secret is there', async () => {
  const { database, setup } = harness;
  const secrets = join(setup.dataDir, 'secrets');
  mkdirSync(secrets);
  const metrics = createMetrics();
  const gateway = await startTestGateway(
    { ...setup, dataDir: join(setup.dataDir, 'lacking') },
    { catalogFolder: catalogWithSecret(), env: { CATALOG_SECRETS_DIR: secrets }, metrics },
  );
  const lookUp = await createCustomer(database.pool, { daily: 2 });
  const invoicing = await createCustomer(database.pool, { service: 'invoicing-system' });
  const callLookUp = () => harness.call(lookUp.key, { url: gateway.url });
  const reported = async () => {
    const { rows } = await database.owner.pool.query<{ products_fault: string | null }>(
      'select products_fault from gateways where catalog_version = 1',
    );
    return rows.map((row) => row.products_fault);
  };
  const measured = async () =>
    (await metrics.metrics())
      .split('\n')
      .filter((line) => line.startsWith('octroi_product_set_up{'))
      .toSorted();

  const ofOther = await fetch(`${gateway.url}/gst-invoicing/v1/ok`, { headers: { 'x-api-key': invoicing.key } });
  expect(ofOther.status).toBe(200);
  // More calls than the plan has: none is counted.
  for (let call = 0; call < 4; call += 1)
    expect(await callLookUp()).toMatchObject({ status: 503, json: { code: 'api-not-set-up' } });
  const health = async (): Promise<unknown> => (await fetch(`${gateway.url}/health`)).json();
  expect(await health()).toEqual({ status: 'ok', failingProducts: ['tax-lookup-api'] });
  expect(await reported()).toEqual([
    `${join(secrets, 'look-up-key')} cannot be read; the catalogue file of tax-lookup-api needs it (there is no such file or folder).`,
  ]);
  expect(await measured()).toEqual([
    'octroi_product_set_up{product="invoicing-system"} 1',
    'octroi_product_set_up{product="tax-lookup-api"} 0',
  ]);

  writeFileSync(join(secrets, 'look-up-key'), 's3cret');
  await expect.poll(async () => (await callLookUp()).status, { timeout: 60_000, interval: 500 }).toBe(200);
  await expect.poll(reported, { timeout: 60_000 }).toEqual([null]);
  expect(await health()).toEqual({ status: 'ok' });
  expect(await measured()).toContain('octroi_product_set_up{product="tax-lookup-api"} 1');
  await gateway.close();
});
