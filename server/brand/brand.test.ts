import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrder } from '#shared/contract/payments.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { portalConfigSchema } from '#shared/contract/portal-config.ts';
import { renderPdf } from '#shared/paper/render.ts';
import { testPaper } from '#shared/paper/test-paper.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildApp } from '#server/app.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { BrandFaults, brandOf, readBrand } from './brand.ts';
import { brandConfig, paperBrandOf } from './brand-page.ts';

const sample = projectFolder('ship', 'standins', 'brand');
const folder = mkdtempSync(join(tmpdir(), 'octroi-brand-'));
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ env: { BRAND_DIR: sample, PROVIDER_NAME: 'Kites & Co' } });
});
afterAll(async () => {
  await portal.close();
  rmSync(folder, { recursive: true });
});

/** A copy of the sample with another brand.yaml. */
function brandWith(yaml: string): string {
  const copy = mkdtempSync(join(folder, 'brand-'));
  cpSync(sample, copy, { recursive: true });
  writeFileSync(join(copy, 'brand.yaml'), yaml);
  return copy;
}

function faultsOf(path: string): readonly string[] {
  try {
    readBrand(path);
  } catch (error) {
    if (error instanceof BrandFaults) return error.faults;
    throw error;
  }
  return [];
}

test.each([
  ['acent: red\n', [/^brand\.yaml:1: .*acent/]],
  ['showName: false\naccent: reddish\n', [/^brand\.yaml:2: accent: must be a colour such as '#0b57d0'/]],
  ['links:\n  terms: kites.example/terms\n', [/^brand\.yaml:2: links\.terms: must be an address such as https:/]],
  ['links:\n  terms: ../terms.md\n', [/^brand\.yaml:2: links\.terms: must be an address .*, or a Markdown file/]],
  ['links:\n  terms: missing.md\n', [/^missing\.md: can't be read/]],
  ['links:\n  terms: javascript:alert(1)\n', [/^brand\.yaml:2: links\.terms: must be an address/]],
  [
    'logo: { light: ../logo.svg }\n',
    [/^brand\.yaml:1: logo\.light: must be an SVG, PNG or WebP file in the same folder/],
  ],
  ['logo: { light: logo.svg, mail: logo.svg }\n', [/logo\.mail: must be a PNG file .* mail programs/]],
  ['favicon: missing.svg\n', [/^brand\.yaml:1: favicon: there is no file .*missing\.svg/]],
  ['login:\n  heading: { hi: पतंग }\n', [/^brand\.yaml:2: login\.heading\.en: /]],
  ['accent: [\n', [/^brand\.yaml:\d: /]],
  ['accent: nope\nlinks: { terms: nope }\n', [/:1: accent/, /:2: links\.terms/]],
])('a bad brand (%j) is refused with file, line and remedy', (yaml, wanted) => {
  const faults = faultsOf(brandWith(yaml));
  expect(faults).toHaveLength(wanted.length);
  for (const [index, pattern] of wanted.entries()) expect(faults[index]).toMatch(pattern);
});

test('a folder without brand.yaml is refused; an empty one changes nothing but the name beside PORTAL', () => {
  expect(faultsOf(folder)).toEqual([expect.stringMatching(/brand\.yaml: there is no such file\. Create it/)]);
  expect(readBrand(brandWith('# nothing yet\n{}\n'))).toEqual({ ...brandOf({}), showsName: true });
});

test('the page has the brand: logo, icon, colours and links, under the same strict policy', async () => {
  const html = '<head><link rel="icon" href="/mark.svg" type="image/svg+xml" /><!--portal-config--></head>';
  writeFileSync(join(folder, 'index.html'), html);
  const app = await buildApp(portal.portal, { pagesFolder: folder });
  const at = (url: string) => app.inject({ url });
  const { body, headers } = await at('/login');
  const config = portalConfigSchema.parse(JSON.parse(/id="portal-config">(.*?)<\/script>/s.exec(body)?.[1] ?? ''));
  expect(config.brand).toMatchObject({
    showsName: true,
    login: { heading: 'Every kite in the sky', claims: ['Support on working days'] },
    links: { terms: '/terms', privacy: '/privacy', refunds: '/refunds', contact: '/contact' },
    hindi: { 'Every kite in the sky': 'आसमान की हर पतंग' },
  });
  expect(body).not.toContain('mark.svg');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'self'");
  expect(/script-src [^;]*/.exec(policy)?.[0]).not.toContain('unsafe');
  // In the page, which waits for no style sheet before it shows.
  expect(body).not.toContain('rel="stylesheet"');
  expect(body).toMatch(new RegExp(`<style>[^<]*--mantine-color-brand-7:${config.brand.accent};`));
  for (const address of [config.brand.logo?.light, config.brand.logo?.dark, '/brand/logo-mail', '/brand/favicon']) {
    const image = await at(address ?? '');
    expect(image.statusCode, address).toBe(200);
    expect(String(image.headers['content-security-policy'])).toContain('sandbox');
  }
  expect((await at('/brand/brand.yaml')).statusCode).toBe(404);
  await app.close();
});

test('texts lie elsewhere, are pages of the portal, or have no link', () => {
  const elsewhere = 'links: { terms: https://kites.example/terms, contact: mailto:hello@kites.example }\n';
  const given = readBrand(brandWith(elsewhere));
  const none = { terms: null, privacy: null, refunds: null, contact: null };
  expect(brandConfig(given, false).links).toEqual({
    ...none,
    terms: 'https://kites.example/terms',
    contact: 'mailto:hello@kites.example',
  });
  const own = readBrand(brandWith('links: { refunds: refunds.md, contact: contact.md }\n'));
  expect(brandConfig(own, true).links).toEqual({ ...none, refunds: '/refunds', contact: '/contact' });
  expect(own.texts.refunds).toMatchObject({ en: { title: 'Sample refund policy' } });
  expect(own.texts.contact).toMatchObject({ en: { title: 'Sample contact' }, hi: { title: 'नमूना संपर्क' } });
  // Without public pages they have no page to lead to.
  expect(brandConfig(own, false).links).toEqual(none);
});

test('mails and PDFs have the brand at their head', async () => {
  const token = await portal.newCustomer();
  const { plans = [] } = portal.portal.catalog.products[0] ?? {};
  const paid = plans.find(({ pricePaise }) => pricePaise > 0)?.planId ?? '';
  const id = portal.portal.catalog.products[0]?.id ?? '';
  const { billingCycleId } = await portal.ask(activatePlan, { params: { id, planId: paid } }, token);
  const { orderId } = await portal.ask(createOrder, { params: { id: billingCycleId ?? '' } }, token);
  await portal.pay(orderId);
  const mail = await expect
    .poll(() =>
      portal.portal.db.selectFrom('mails').select(['body_html', 'body_text']).orderBy('created_at').executeTakeFirst(),
    )
    .toBeDefined()
    .then(() => portal.portal.db.selectFrom('mails').select(['body_html', 'body_text']).executeTakeFirstOrThrow());
  expect(mail.body_html).toMatch(
    /<img src="http:[^"]+\/brand\/logo-mail\?v=[0-9a-f]{16}" width="32" height="32" alt=""[^>]*>&nbsp; Kites &amp; Co</,
  );
  const { portalUrl } = portal.portal.settings;
  expect(mail.body_html).toContain(`<a href="${portalUrl}/terms"`);
  expect(mail.body_html).not.toContain('#106641');
  expect(mail.body_text).toContain(`Privacy: ${portalUrl}/privacy`);

  const brand = paperBrandOf(readBrand(sample));
  const png = { ...brand, logo: [...readFileSync(join(sample, 'logo.png'))] };
  const plain = await renderPdf(JSON.stringify(testPaper));
  for (const each of [brand, png]) {
    const pdf = await renderPdf(JSON.stringify({ ...testPaper, brand: each }));
    expect(pdf.includes('pdfaid')).toBe(true);
    expect(pdf.equals(plain)).toBe(false);
  }
});
