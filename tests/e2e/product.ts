import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, type Request, test as base } from '@playwright/test';
import { tooLateMs, untilDayLasts } from '#shared/database/test-day.ts';
import type { PortalPlace } from '#ship/demo/portal-customer.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';

/** The address of a running product, and its data. */
export interface ProductPlace extends PortalPlace {
  dataDir: string;
}

/** The whole product, started as `npm start` starts it, on free ports with its own data. */
export interface Product extends ProductPlace {
  /** All output of its processes so far. */
  logs: () => string;
  /** The launcher's terminal output since the last start. */
  terminal: () => string;
  /** Ctrl-C; returns the exit code. */
  stop: () => Promise<number | null>;
  /** Kills the launcher without warning. */
  kill9: () => Promise<void>;
  /** Starts again on the same data and ports. */
  restart: () => Promise<void>;
  /** Stops it when it runs, and removes its data. */
  remove: () => Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');
const portFlags = [
  'portal',
  'gateway',
  'tax-lookup',
  'invoicing',
  'standin-google',
  'standin-razorpay',
  'standin-gstn',
] as const;

export function logsOf(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/**
 * Starts a product of its own, for tests that stop, kill or configure it; others use the shared one from the fixture.
 * @param env further settings, by their names in the environment
 */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-e2e-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755);
  const ports = await freePorts(portFlags.length);
  const [portal, gateway, , , google, razorpay] = ports;
  const flags = portFlags.flatMap((name, index) => [`--${name}-port`, String(ports[index])]);
  const running: { child?: ChildProcess; ended?: Promise<number | null>; output: string } = { output: '' };

  const start = async (program: string): Promise<void> => {
    running.output = '';
    const child = fork(join(root, program), [...flags, '--data', dataDir], {
      cwd: root,
      // All browsers and customers of the tests come from one address.
      env: { ...process.env, SIGN_INS_PER_MINUTE: '1000', ...patientGateway, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (running.output += chunk.toString()));
    }
    running.child = child;
    running.ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    const isReady = await Promise.race([once(child, 'message').then(() => true), running.ended.then(() => false)]);
    if (!isReady) throw new Error(`The product did not start:\n${running.output}`);
  };
  const signal = async (name: NodeJS.Signals): Promise<number | null> => {
    running.child?.kill(name);
    const code = (await running.ended) ?? null;
    delete running.child;
    return code;
  };

  // What `npm start` runs: it builds first when something has changed. Later starts use that build.
  await start('ship/launch/start.mjs');
  const restart = () => start('build/launch.js');
  return {
    portalUrl: `http://localhost:${portal}`,
    gatewayUrl: `http://localhost:${gateway}`,
    googleUrl: `http://localhost:${google}`,
    razorpayUrl: `http://localhost:${razorpay}`,
    dataDir,
    logs: () => logsOf(dataDir),
    terminal: () => running.output,
    stop: () => signal('SIGINT'),
    kill9: async () => void (await signal('SIGKILL')),
    restart,
    remove: async () => {
      // A killed launcher left its PostgreSQL running; a start attaches to it, and a stop ends both.
      if (running.child === undefined) await restart();
      await signal('SIGINT');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The name under which the global set-up passes the shared product's address to the tests. */
export const sharedProductVariable = 'OCTROI_E2E_PRODUCT';

export function sharedProduct(): ProductPlace & { logs: () => string } {
  const place: ProductPlace = JSON.parse(process.env[sharedProductVariable] ?? 'null');
  return { ...place, logs: () => logsOf(place.dataDir) };
}

/** The calls of a page so far, with the time of each beginning and end. */
function noteCalls(page: Page): string[] {
  const calls: string[] = [];
  const note = (what: string) => (request: Request) => {
    if (request.url().includes('/backend/')) {
      calls.push(
        `${new Date().toISOString()} ${what} ${request.method()} ${request.url()} ${request.failure()?.errorText ?? ''}`,
      );
    }
  };
  page.on('request', note('begun'));
  page.on('requestfinished', note('ended'));
  page.on('requestfailed', note('failed'));
  page.on('response', (response) => note(String(response.status()))(response.request()));
  return calls;
}

/** Playwright's test with the shared product; relative addresses are the portal's. A failed test leaves the page's calls and the product's logs. */
export const test = base.extend<{ product: ProductPlace & { logs: () => string }; oneDay: void }>({
  oneDay: [
    async ({}, use) => {
      await untilDayLasts();
      await use();
    },
    { auto: true, timeout: tooLateMs + 60_000 },
  ],
  product: async ({}, use) => use(sharedProduct()),
  baseURL: async ({}, use) => use(sharedProduct().portalUrl),
  page: async ({ page, product }, use, info) => {
    const calls = noteCalls(page);
    await use(page);
    // A call that a route is fetching when the test has ended would fail the run.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (info.status === info.expectedStatus) return;
    writeFileSync(info.outputPath('calls.txt'), calls.join('\n'));
    writeFileSync(info.outputPath('product.log'), product.logs());
  },
});

export { expect } from '@playwright/test';
