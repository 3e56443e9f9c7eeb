import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { listActivations } from '#shared/contract/activations.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { findChromium } from '#ship/launch/chromium.mjs';
import { freePorts } from '#shared/platform/free-ports.ts';
import { serveBarePage } from './bare-page.ts';
import { installBeside } from './beside.ts';
import { fillWithDemo } from './documentation-pictures.ts';
import { startProduct } from './product.ts';
import { keepSession } from './signed-in.ts';
import { serveZudokuSite, zudokuVersion } from './zudoku-site.ts';

/**
 * `npm run bench:web`: Lighthouse of the pages where visits start, of a zudoku site of the same OpenAPI document, and of a React page that does
 * nothing, in turns on this machine. `-- --write` puts the table into docs/first-load.md.
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, write: { type: 'boolean', default: false } },
});

const lighthouseVersion = '12.8.2';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.looseObject({
    'first-contentful-paint': z.object({ numericValue: z.number() }),
    'largest-contentful-paint': z.object({ numericValue: z.number() }),
    'total-blocking-time': z.object({ numericValue: z.number() }),
    'cumulative-layout-shift': z.object({ numericValue: z.number() }),
    'network-requests': z.object({
      details: z.object({ items: z.array(z.object({ resourceType: z.string(), transferSize: z.number() })) }),
    }),
  }),
});
type Report = z.infer<typeof reportSchema>;
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: unknown } | undefined>;

async function lighthouse(): Promise<Lighthouse> {
  const folder = await installBeside([`lighthouse@${lighthouseVersion}`]);
  const main = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js');
  const { default: found }: { default: Lighthouse } = await import(pathToFileURL(main).href);
  return found;
}

const audit = (name: string) => (report: Report) =>
  z.object({ numericValue: z.number() }).parse(report.audits[name]).numericValue;
const score = (name: string) => (report: Report) => Math.round((report.categories[name]?.score ?? 0) * 100);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** The columns of the table. */
const columns = [
  { name: 'performance', of: score('performance'), shown: String },
  { name: 'accessibility', of: score('accessibility'), shown: String },
  { name: 'best practices', of: score('best-practices'), shown: String },
  { name: 'first paint', of: audit('first-contentful-paint'), shown: seconds },
  { name: 'largest text', of: audit('largest-contentful-paint'), shown: seconds },
  { name: 'blocking', of: audit('total-blocking-time'), shown: (ms: number) => `${Math.round(ms)} ms` },
  { name: 'layout shift', of: audit('cumulative-layout-shift'), shown: (sum: number) => sum.toFixed(3) },
  {
    name: 'scripts',
    of: ({ audits }: Report) =>
      audits['network-requests'].details.items
        .filter(({ resourceType }) => resourceType === 'Script')
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
    shown: (bytes: number) => `${Math.round(bytes / 1000)} KB`,
  },
];

/** The median, and the range where it is wider than what is shown. */
function cell(values: readonly number[], shown: (value: number) => string): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [least = 0, middle = 0, most = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return shown(least) === shown(most) ? shown(middle) : `${shown(middle)} (${shown(least)} to ${shown(most)})`;
}

/** Measures a first visit: each browser is new, since a service worker, too, would keep files for the next. */
async function measure(check: Lighthouse, url: string, portalUrl: string, token: string | null): Promise<Report> {
  const profile = mkdtempSync(join(tmpdir(), 'octroi-bench-web-'));
  const [port = 0] = await freePorts(1);
  const executablePath = findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  });
  try {
    const [page = await context.newPage()] = context.pages();
    if (token !== null) await keepSession(page, token, portalUrl);
    const result = await check(url, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
      // The session of the customer is in the storage.
      disableStorageReset: true,
    });
    return reportSchema.parse(result?.lhr);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

function write(rows: readonly string[]): void {
  const file = join(import.meta.dirname, '..', '..', 'docs', 'first-load.md');
  const [begin, end] = ['<!-- bench:web begins -->', '<!-- bench:web ends -->'];
  const text = readFileSync(file, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  writeFileSync(file, `${before}${begin}\n\n${rows.join('\n')}\n\n${end}${rest.split(end)[1] ?? '\n'}`);
}

async function main(): Promise<void> {
  const check = await lighthouse();
  const product = await startProduct();
  const bare = await serveBarePage();
  const stops = [bare.stop];
  try {
    await fillWithDemo(product);
    const customer = await signInCustomer(product, { account: 'asha' });
    const { activations } = await customer.send(listActivations, {});
    const { id = '', service } = activations[0] ?? {};
    const openapi = await (await fetch(`${service?.baseUrl}/openapi.json`)).text();
    const zudoku = await serveZudokuSite(openapi);
    stops.push(zudoku.stop);
    const ofApi = `/apis/${service?.id}`;
    const pages = [
      ...['/login', '/apis', ofApi, `${ofApi}/reference`].map((path) => ({ path, isOpen: true })),
      ...['/marketplace', `/api/${id}`].map((path) => ({ path, isOpen: false })),
    ].map(({ path, isOpen }) => ({
      name: path.replace(id, '{id}').replace(service?.id ?? '', '{id}'),
      url: product.portalUrl + path,
      isOpen,
    }));
    const all = [
      ...pages,
      { name: `zudoku ${zudokuVersion}, operations of one tag`, url: zudoku.url, isOpen: true },
      { name: 'a React page of one button', url: bare.url, isOpen: true },
    ];
    // A page is rendered when it is first asked for; it is fast for those after that.
    for (const { url } of all) await (await fetch(url)).text();
    const reports = new Map<string, Report[]>(all.map(({ name }) => [name, []]));
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const { name, url, isOpen } of all) {
        const report = await measure(check, url, product.portalUrl, isOpen ? null : customer.token);
        reports.get(name)?.push(report);
        say(`${name}: ${columns.map(({ name: column, of, shown }) => `${column} ${shown(of(report))}`).join(', ')}`);
      }
    const rows = [
      `Lighthouse ${lighthouseVersion}, mobile profile, ${options.rounds} rounds, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${new Date().toISOString().slice(0, 10)}: medians, and ranges in brackets.`,
      '',
      `| page | ${columns.map(({ name }) => name).join(' | ')} |`,
      `|---|${columns.map(() => '---:').join('|')}|`,
      ...all.map(
        ({ name }) =>
          `| ${name} | ${columns.map(({ of, shown }) => cell((reports.get(name) ?? []).map(of), shown)).join(' | ')} |`,
      ),
    ];
    say(`\n${rows.join('\n')}`);
    if (options.write) write(rows);
  } finally {
    for (const stop of stops) await stop();
    await product.remove();
  }
}

await main();
