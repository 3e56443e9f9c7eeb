import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { examineOnly, problem, productionEnv, settingsFile, temporaryFolder } from './test-installation.ts';

test('names settings that are missing, malformed or refused in production', async () => {
  const findings = await examineOnly('settings', {
    ...productionEnv,
    RAZORPAY_KEY_ID: 'rzp_test_LOCAL000000001',
    GOOGLE_CLIENT_ID: '',
    PORTAL_URL: 'portal.octroi.in',
    PDF_WORKERS: 'many',
    BACKUP_RECIPIENT: 'someone',
  });
  for (const found of [
    'RAZORPAY_KEY_ID must not begin with rzp_test_',
    'GOOGLE_CLIENT_ID (or --google-client-id) is not set',
    'PORTAL_URL (or --portal-url) must be an address',
    'PDF_WORKERS (or --pdf-workers) must be a whole number',
    'must be public keys of age',
  ])
    expect(findings).toContainEqual(problem(found, '.env.example'));
  expect(await examineOnly('settings', productionEnv)).toMatchObject([{ level: 'ok' }]);
});

test('names placeholders, names that nothing reads, and a public address outside production', async () => {
  const env = { ...productionEnv, RAZORPAY_KEY_SECRET: 'changeme', GOOGLE_CLIENT_ID: '<client id>' };
  const findings = await examineOnly('placeholders', env);
  expect(findings).toContainEqual(problem('RAZORPAY_KEY_SECRET looks like a placeholder', 'Set RAZORPAY_KEY_SECRET'));
  expect(findings).toContainEqual(problem('GOOGLE_CLIENT_ID looks like a placeholder', 'Set GOOGLE_CLIENT_ID'));
  const kept = { ...productionEnv, MAIL_FROM: '"Kaveri <billing@kaveri.in>"', SUPPLIER_NAME: "'Kaveri'" };
  const quoted = await examineOnly('placeholders', kept);
  expect(quoted).toContainEqual(problem('MAIL_FROM begins and ends with quotes', 'Write MAIL_FROM without them'));
  expect(quoted).toContainEqual(problem('SUPPLIER_NAME begins and ends with quotes', 'kubectl'));
  expect(
    await examineOnly('placeholders', { ...productionEnv, MAIL_FROM: '"Kaveri" <billing@kaveri.in>' }),
  ).toMatchObject([{ level: 'ok' }]);
  const envFile = settingsFile('TRUSTED_PROXYS=10.0.0.0/8\nPORTAL_URL=https://portal.octroi.in\n');
  expect(await examineOnly('unknown-settings', {}, { envFile })).toContainEqual(
    problem('Nothing reads TRUSTED_PROXYS', 'Correct', 'warning'),
  );
  const open = await examineOnly('mode', { ...productionEnv, NODE_ENV: 'development' });
  expect(open).toContainEqual(problem('NODE_ENV is not production', 'Set NODE_ENV=production'));
});

test('names faults of the brand and of the catalogue, and a secret that is not set', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'brand.yaml'), 'accent: green-ish\n');
  expect(await examineOnly('brand', { BRAND_DIR: folder })).toContainEqual(problem('accent', 'brand.md'));
  writeFileSync(join(folder, 'brand.yaml'), 'links: { terms: terms.md, contact: https://kaveri.in/contact }\n');
  writeFileSync(join(folder, 'terms.md'), '# Terms\n\nNone.\n');
  const off = { BRAND_DIR: folder, PUBLIC_PAGES: 'no' };
  expect(await examineOnly('brand', { BRAND_DIR: folder })).toMatchObject([{ level: 'ok' }]);
  expect(await examineOnly('brand', off)).toContainEqual(
    problem('links.terms of brand.yaml is a file', 'addresses', 'warning'),
  );
  const catalogDir = join(folder, 'catalog');
  cpSync(projectFolder('ship', 'standins', 'catalog'), catalogDir, { recursive: true });
  const fact = join(catalogDir, 'fact-service.yaml');
  const env = { CATALOG_DIR: catalogDir };
  expect(await examineOnly('catalogue', env)).toMatchObject([{ level: 'ok' }]);
  const text = readFileSync(fact, 'utf8');
  writeFileSync(
    fact,
    `${text}\ngateway: { credentials: [{ type: bearer, token: { env: CATALOG_SECRET_FACTS_TOKEN } }] }\n`,
  );
  expect(await examineOnly('catalogue', env)).toContainEqual(problem('CATALOG_SECRET_FACTS_TOKEN', 'Set the variable'));
  writeFileSync(fact, text.replace('sac: ', 'sack: '));
  expect(await examineOnly('catalogue', env)).toContainEqual(problem('fact-service.yaml', 'catalog check'));
});

test('names a port that a process uses twice', async () => {
  expect(await examineOnly('ports')).toMatchObject([{ level: 'ok' }]);
  for (const env of [{}, productionEnv])
    expect(await examineOnly('ports', { ...env, GATEWAY_METRICS_PORT: '4100' })).toEqual([
      problem('GATEWAY_PORT and GATEWAY_METRICS_PORT are both 4100', 'its own port'),
    ]);
});

test('names a port that several processes use, unless each has a machine or an address of its own', async () => {
  const metrics = { GATEWAY_METRICS_PORT: '9464', PORTAL_METRICS_PORT: '9464', PRODUCTS_METRICS_PORT: '9464' };
  const all = 'PRODUCTS_METRICS_PORT, GATEWAY_METRICS_PORT and PORTAL_METRICS_PORT are all 9464';
  expect(await examineOnly('ports', metrics)).toEqual([problem(all, 'its own port')]);
  expect(await examineOnly('ports', { ...productionEnv, ...metrics })).toEqual([
    problem(all, 'unless each has a machine or container of its own', 'warning'),
  ]);
  const both = { GATEWAY_PORT: '8080', PORTAL_PORT: '8080' };
  const named = problem('GATEWAY_PORT and PORTAL_PORT are both 8080', 'its own port');
  expect(await examineOnly('ports', both)).toEqual([named]);
  expect(await examineOnly('ports', { ...both, PORTAL_HOST: 'localhost' })).toEqual([named]);
  expect(await examineOnly('ports', { ...both, PORTAL_HOST: '0.0.0.0' })).toEqual([named]);
  expect(await examineOnly('ports', { ...both, PORTAL_HOST: '10.0.0.7' })).toMatchObject([{ level: 'ok' }]);
  const standin = { PORTAL_PORT: '4301' };
  expect(await examineOnly('ports', standin)).toEqual([
    problem('PORTAL_PORT and STANDIN_GOOGLE_PORT are both 4301', 'its own port'),
  ]);
  expect(await examineOnly('ports', { ...productionEnv, ...standin })).toMatchObject([{ level: 'ok' }]);
});

test('names equal ports of the two APIs once', async () => {
  const env = { TAX_LOOKUP_PORT: '4300', INVOICING_PORT: '4300' };
  const findings = [...(await examineOnly('settings', env)), ...(await examineOnly('ports', env))];
  expect(findings).toEqual([
    problem('TAX_LOOKUP_PORT and INVOICING_PORT must differ', '.env.example'),
    expect.objectContaining({ level: 'unchecked' }),
  ]);
});

test('names PDFs that take longer than the gateway waits for the invoicing API', async () => {
  const catalogDir = join(temporaryFolder(), 'catalog');
  cpSync(projectFolder('ship', 'standins', 'catalog'), catalogDir, { recursive: true });
  const file = join(catalogDir, 'invoicing-system.yaml');
  const text = readFileSync(file, 'utf8');
  const timeouts = (UPSTREAM_TIMEOUT_MS?: string) =>
    examineOnly('timeouts', { CATALOG_DIR: catalogDir, ...(UPSTREAM_TIMEOUT_MS && { UPSTREAM_TIMEOUT_MS }) });
  expect(await timeouts()).toMatchObject([{ level: 'ok' }]);
  expect(await timeouts('20000')).toEqual([
    problem('gives up after UPSTREAM_TIMEOUT_MS, 20000 ms', 'Set UPSTREAM_TIMEOUT_MS above the sum', 'warning'),
  ]);
  // The product's own timeout wins, in both directions.
  const setOwn = (timeoutMs: number) =>
    writeFileSync(file, text.replace('\ngateway: { ', `\ngateway: { timeoutMs: ${timeoutMs}, `));
  setOwn(60_000);
  expect(await timeouts('20000')).toMatchObject([{ level: 'ok' }]);
  setOwn(10_000);
  expect(await timeouts('60000')).toEqual([
    problem('gateway.timeoutMs of invoicing-system, 10000 ms', 'Set gateway.timeoutMs of invoicing-system', 'warning'),
  ]);
  // Whatever its name, it is the API at the port.
  writeFileSync(file, text.replace('id: invoicing-system', 'id: kaveri-invoices'));
  expect(await timeouts('20000')).toMatchObject([{ level: 'warning' }]);
  // Two at one port: each by its own timeout.
  const second = join(catalogDir, 'second.yaml');
  setOwn(60_000);
  const names = [
    'id: invoicing-system',
    'aliases: [gst-invoicing]',
    'position: 2',
    'name: Invoicing System',
    'gatewayPath: gst-invoicing',
  ];
  const others = ['id: kaveri-invoices', 'aliases: []', 'position: 9', 'name: Kaveri Invoices', 'gatewayPath: kaveri'];
  writeFileSync(
    second,
    names.reduce((made, name, index) => made.replace(name, others[index] ?? ''), text),
  );
  const short = { level: 'warning', found: expect.stringContaining('after UPSTREAM_TIMEOUT_MS, 20000 ms') };
  expect(await timeouts('20000')).toMatchObject([short]);
  rmSync(second);
  rmSync(file);
  expect(await timeouts('20000')).toMatchObject([{ level: 'unchecked' }]);
});
