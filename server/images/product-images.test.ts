import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { activatePlan, listProducts } from '#shared/contract/marketplace.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const attack = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24" onload="alert(1)">
  <script>alert(1)</script><foreignObject><iframe src="https://evil.example"/></foreignObject>
  <a href="javascript:alert(1)"><circle cx="12" cy="12" r="8" fill="#0a7" onclick="alert(1)"/></a>
  <use xlink:href="https://evil.example/x.svg#a"/><rect width="4" height="4" fill="url(https://evil.example/)"/>
</svg>`;

let portal: TestPortal;
let id: string;
let planId: string;
beforeAll(async () => {
  const catalogDir = emptyCatalog();
  const shipped = projectFolder('ship', 'standins', 'catalog');
  const file = readdirSync(shipped).find((name) => name.endsWith('.yaml')) ?? '';
  const yaml = readFileSync(join(shipped, file), 'utf8');
  const withoutLook = yaml.replaceAll(/^(icon|picture|claims):.*\n(?: .*\n)*/gm, '');
  const name = join(catalogDir, file);
  writeFileSync(name, `${withoutLook.trimEnd()}\nicon: { file: icon.svg }\npicture: { file: picture.png }\n`);
  writeFileSync(join(catalogDir, 'icon.svg'), attack);
  cpSync(projectFolder('docs', 'pictures', 'usage.png'), join(catalogDir, 'picture.png'));
  portal = await startTestPortal({ jobs: false, catalogDir });
  const [product] = portal.portal.catalog.products;
  id = product?.id ?? '';
  planId = product?.plans[0]?.planId ?? '';
});
afterAll(() => portal.close());

test('an icon from the catalogue is on the wire and served as an image and nothing else', async () => {
  const token = await portal.newCustomer();
  await portal.ask(activatePlan, { params: { id, planId } }, token);
  const [product] = await portal.ask(listProducts, {}, token);
  const { activations } = await portal.ask(listActivations, {}, token);
  expect(activations[0]?.service.mark).toEqual(product?.mark);
  const mark = product?.mark;
  if (mark === null || mark === undefined || !('image' in mark)) throw new Error('no image');
  const response = await fetch(portal.portalUrl + mark.image);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toContain('immutable');
  const drawing = await response.text();
  expect(drawing).toContain('<circle cx="12" cy="12" r="8" fill="#0a7"');
  expect(drawing).not.toMatch(/script|foreignObject|iframe|onload|onclick|javascript|evil/i);
});

const at = (path: string) => fetch(`${portal.portalUrl}/backend/marketplace/${path}`);

test('a picture from the catalogue has its content type; other images and products are not found', async () => {
  const picture = await at(`${id}/images/picture`);
  expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual([
    200,
    'image/png',
    'no-cache',
  ]);
  expect((await at(`${id}/images/other`)).status).toBe(404);
  expect((await at('no-such-product/images/icon')).status).toBe(404);
});
