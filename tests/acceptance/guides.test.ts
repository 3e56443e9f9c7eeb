import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { addKey, type Customer } from '#gateway/test/world.ts';
import { webhookEventData } from '#shared/contract/webhook-events.ts';
import { gatewayAnswers } from '#shared/domain/metering.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildApp } from '#server/app.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { useLiveApis } from './live-apis.ts';
import { rendererOfSource } from './renderer-of-source.ts';

/** The guides that ship: what they say is run, or compared with what decides it. */

const live = useLiveApis();
const catalogDir = projectFolder('catalog');
const guides = readCatalog(catalogDir).guides.map(({ id, texts }) => ({ id, english: texts.en, hindi: texts.hi }));
const folder = mkdtempSync(join(tmpdir(), 'octroi-guides-'));
let portal: TestPortal;
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false, catalogDir, env: { GATEWAY_URL: live().gateway.url } });
  app = await buildApp(portal.portal, { publicPages: await rendererOfSource() });
});
afterAll(async () => {
  await app.close();
  await portal.close();
  rmSync(folder, { recursive: true });
});

interface Block {
  language: string;
  code: string;
}
const blocksIn = (body: string): Block[] =>
  [...body.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, language = '', code = '']) => ({ language, code }));
const textOf = (id: string): string => guides.find((guide) => guide.id === id)?.english.body ?? '';

const read = async (url: string) => (await app.inject({ url })).body;

test('each guide is there in both languages, with the same samples', () => {
  expect(guides.length).toBeGreaterThan(5);
  for (const { id, english, hindi } of guides)
    expect([id, blocksIn(hindi?.body ?? '')]).toEqual([id, blocksIn(english.body)]);
});

test.each(guides)(
  'the commands of $id work as they are written, with a test key, and respond as it says',
  async ({ english }) => {
    const { gateway, lookUp, invoicing, harness } = live();
    const keyOf = async ({ activationId }: Customer) =>
      (await addKey(harness.database.pool, activationId, { test: true })).key;
    const keys = { '/tax-lookup/': await keyOf(lookUp), '/gst-invoicing/': await keyOf(invoicing) };
    let printed = '';
    const told: { printed: unknown; shown: object }[] = [];
    for (const { language, code } of blocksIn(english.body)) {
      if (language === 'json') told.push({ printed: JSON.parse(printed), shown: JSON.parse(code) });
      if (language !== 'sh') continue;
      const [, key = ''] = Object.entries(keys).find(([path]) => code.includes(`{{gatewayUrl}}${path}`)) ?? [];
      expect(key).not.toBe('');
      const command = `curl() { command curl --silent --show-error "$@"; }\n${code.replaceAll('{{gatewayUrl}}', gateway.url)}`;
      const { stdout } = await promisify(execFile)('sh', ['-ec', command], {
        cwd: folder,
        env: { ...process.env, API_KEY: key },
      });
      printed = stdout;
    }
    expect(told.map((each) => each.printed)).toMatchObject(told.map(({ shown }) => shown));
  },
);

test('the last command of the guide to invoices prints a PDF', async () => {
  const { stdout } = await promisify(execFile)('head', ['-c', '5', join(folder, 'invoice.pdf')]);
  expect(stdout).toBe('%PDF-');
});

test('statuses and codes of refusals, types of events and the check of a signature are those of the product', () => {
  const rows = [...textOf('authentication').matchAll(/^\| (\d{3}) \| `([a-z-]+)` \|/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, status, code = ''] of rows)
    expect([code, Reflect.get(gatewayAnswers, code)]).toEqual([code, Number(status)]);
  const types = [...textOf('webhooks').matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, named = '']) =>
    named.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(types.toSorted()).toEqual(
    Object.keys(webhookEventData)
      .filter((type) => type !== 'webhook.test')
      .toSorted(),
  );
  // The portal shows the same program.
  const shown = readFileSync(projectFolder('web/features/webhooks/samples.ts'), 'utf8').replaceAll(/\\([`$])/g, '$1');
  const programs = blocksIn(textOf('webhooks')).filter(({ language }) => language === 'js');
  expect(programs.map(({ code }) => shown.includes(code))).toEqual([true]);
});

test('each link of a guide leads to a page, and no place for a value is left', async () => {
  await vi.waitUntil(async () => (await read('/sitemap.xml')).includes('/reference/printInvoice'), {
    timeout: 60_000,
    interval: 500,
  });
  const pages = new Set(
    [...(await read('/sitemap.xml')).matchAll(/<loc>https?:\/\/[^/]+([^<]+)<\/loc>/g)].map(([, url]) => url),
  );
  const wrong: string[] = [];
  for (const { id } of guides)
    for (const address of [`/docs/${id}`, `/hi/docs/${id}`]) {
      const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(await read(address)) ?? [];
      expect(main).not.toMatch(/\{\{/);
      for (const [, link = ''] of main.matchAll(/href="([^"#]+)/g))
        if (!pages.has(link) && link !== '/login' && link !== '/marketplace') wrong.push(`${address}: ${link}`);
    }
  expect(wrong).toEqual([]);
});
