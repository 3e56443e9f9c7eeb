import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePorts } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

mkdirSync(projectFolder('build'), { recursive: true });
const folder = mkdtempSync(join(projectFolder('build'), 'test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parties = {
  supplier: {
    gstin: '27ZZZCA0001A1Z4',
    name: 'Zenith Sample Private Limited',
    address: { line1: '1 MG Road', city: 'Mumbai', pin: '400053' },
  },
  recipient: { stateCode: '27' },
};

test('the built command becomes the products, which start their render worker and produce a PDF', async () => {
  const bundle = `import(${JSON.stringify(projectFolder('ship', 'launch', 'build.mjs'))}).then((m) => m.bundlePrograms(${JSON.stringify(projectFolder())}, ${JSON.stringify(folder)}))`;
  expect(spawnSync(process.execPath, ['-e', bundle], { encoding: 'utf8' }).status).toBe(0);
  const [taxLookupPort, invoicingPort] = await freePorts(2);
  const ports = ['--tax-lookup-port', `${taxLookupPort}`, '--invoicing-port', `${invoicingPort}`];
  const products = fork(join(folder, 'octroi.js'), ['products', ...ports], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: process.env,
  });
  const url = `http://127.0.0.1:${invoicingPort}`;
  const answers = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(answers).toBe(true);
  const items = [{ description: 'API access', hsn: '998319', unitPrice: 1000, gstRate: 18 }];
  const reply = await fetch(`${url}/v1/invoices/pdf`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...parties, document: { number: 'A1', date: '2026-11-02' }, items }),
  });
  expect([reply.status, (await reply.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
  products.disconnect();
  expect((await once(products, 'exit'))[0]).toBe(0);
}, 180_000);
