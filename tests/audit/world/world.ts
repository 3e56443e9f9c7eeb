import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { PortalPlace } from '#ship/demo/portal-customer.ts';
import { startChild } from '#ship/launch/child.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { planProcesses, sharedEnv } from '#ship/launch/processes.ts';
import { readLaunch } from '#ship/launch/read-launch.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type Day, dayAt, noonOf } from '#tests/audit/sums/arithmetic.ts';
import { type DatabaseServer, rowsOf } from './server.ts';
import { octroiScript } from './programs.ts';
import { send } from './wire.ts';

/** A running portal with its stand-ins and a database of its own. */
export interface World {
  place: PortalPlace;
  gstnUrl: string;
  databaseUrl: string;
  razorpayKeys: { id: string; secret: string };
  /** Calls the stand-in for Razorpay. */
  razorpay: (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<unknown>;
  /** Calls the stand-in for the GST systems. */
  gstn: (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<unknown>;
  rows: <Row extends z.ZodType>(row: Row, text: string, values?: unknown[]) => Promise<z.output<Row>[]>;
  /** Runs the operator's command, `octroi …`; returns its exit code and output. */
  octroi: (...args: string[]) => Promise<{ code: number; output: string }>;
  today: () => Promise<Day>;
  /** Moves the clocks of portal and stand-ins. */
  advance: (ms: number) => Promise<void>;
  /** Starts the gateway and the products behind it, once; `place` has its address. Most stories make no calls. */
  startGateway: () => Promise<void>;
  /** Kills the portal without warning and waits until its next life responds. */
  killPortal: () => Promise<void>;
  restartDatabase: () => Promise<void>;
  /** The log of the portal. */
  log: () => string;
  stop: () => Promise<void>;
}

export interface WorldOptions {
  name: string;
  from: Day;
  settings?: Record<string, string>;
  catalog?: readonly (readonly [from: string, to: string])[];
}

const anyRow = z.unknown();
const clockRow = z.object({ offset_ms: z.number() });
const portNames = [
  'PORTAL_PORT',
  'STANDIN_GOOGLE_PORT',
  'STANDIN_RAZORPAY_PORT',
  'STANDIN_GSTN_PORT',
  'GATEWAY_PORT',
  'TAX_LOOKUP_PORT',
  'INVOICING_PORT',
] as const;

export async function startWorld(server: DatabaseServer, options: WorldOptions): Promise<World> {
  const databaseUrl = await server.create(options.name);
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-audit-world-'));
  const offsetMs = noonOf(options.from) - Date.now();
  await rowsOf(databaseUrl, anyRow, 'update clock set offset_ms = $1, reached_day = null', [Math.round(offsetMs)]);
  const ports = await freePorts(portNames.length);
  const launch = readLaunch([], {
    PATH: process.env['PATH'],
    ...Object.fromEntries(portNames.map((name, index) => [name, String(ports[index])])),
    CATALOG_DIR: catalogWith(dataDir, options.catalog ?? []),
    DATA_DIR: dataDir,
    SIGN_INS_PER_MINUTE: '100000',
    LOG_LEVEL: 'warn',
    ...options.settings,
  });
  const env = sharedEnv(launch.settings, launch.env, databaseUrl);
  const plans = planProcesses(launch.settings, env);
  const lines: string[] = [];
  const watcher = { line: (_name: string, text: string) => void lines.push(text), tell: () => {}, changed: () => {} };
  const start = (name: string) => {
    const plan = plans.find((one) => one.name === name);
    if (plan === undefined) throw new Error(`the launcher starts no ${name}`);
    return { child: startChild(plan, watcher), healthUrls: plan.healthUrls };
  };
  const standins = start('standins');
  await standins.child.ready;
  const [portalUrl, googleUrl, razorpayUrl, gstnUrl, gatewayUrl] = ports.map((port) => `http://127.0.0.1:${port}`);
  const place = {
    portalUrl: portalUrl ?? '',
    gatewayUrl: gatewayUrl ?? '',
    googleUrl: googleUrl ?? '',
    razorpayUrl: razorpayUrl ?? '',
  };
  await send('POST', `${place.razorpayUrl}/standin/clock`, { advanceMs: Math.round(offsetMs) });
  const portal = start('portal');
  await portal.child.ready;
  const forCalls: ReturnType<typeof start>['child'][] = [];
  const offset = async () => (await rowsOf(databaseUrl, clockRow, 'select offset_ms from clock'))[0]?.offset_ms ?? 0;
  const respondsAgain = () => untilReady(portal.healthUrls);
  return {
    place,
    gstnUrl: gstnUrl ?? '',
    databaseUrl,
    razorpayKeys: { id: env['RAZORPAY_KEY_ID'] ?? '', secret: env['RAZORPAY_KEY_SECRET'] ?? '' },
    razorpay: (method, path, body) => send(method, `${place.razorpayUrl}${path}`, body),
    gstn: (method, path, body) => send(method, `${gstnUrl}${path}`, body),
    rows: (row, text, values) => rowsOf(databaseUrl, row, text, values),
    octroi: (...args) => runOctroi(args, { ...env, DATABASE_URL: databaseUrl }),
    today: async () => dayAt(Date.now() + (await offset())),
    advance: async (ms) => void (await send('POST', `${place.razorpayUrl}/standin/product-clock`, { advanceMs: ms })),
    startGateway: async () => {
      if (forCalls.length > 0) return;
      for (const name of ['products', 'gateway']) {
        const { child } = start(name);
        forCalls.unshift(child);
        await child.ready;
      }
    },
    killPortal: async () => {
      const pid = portal.child.pid();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await respondsAgain();
    },
    restartDatabase: async () => {
      await server.restart();
      await respondsAgain();
    },
    log: () => lines.join('\n'),
    stop: async () => {
      for (const child of forCalls) await child.stop();
      await portal.child.stop();
      await standins.child.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The catalogue, with changes to the invoicing system's file. */
function catalogWith(dataDir: string, changes: readonly (readonly [string, string])[]): string {
  if (changes.length === 0) return projectFolder('ship', 'standins', 'catalog');
  const folder = join(dataDir, 'catalog');
  cpSync(projectFolder('ship', 'standins', 'catalog'), folder, { recursive: true });
  const file = join(folder, 'invoicing-system.yaml');
  for (const [from, to] of changes) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`the catalogue does not contain ${from}`);
    writeFileSync(file, text.replace(from, to));
  }
  return folder;
}

const run = promisify(execFile);

async function runOctroi(args: string[], env: Record<string, string>) {
  try {
    const { stdout, stderr } = await run(process.execPath, [octroiScript(), ...args], {
      cwd: projectFolder(),
      env,
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    return failureOf(error);
  }
}

const commandFailure = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

function failureOf(error: unknown): { code: number; output: string } {
  const failed = commandFailure.safeParse(error);
  if (!failed.success) throw error;
  return { code: failed.data.code, output: failed.data.stdout + failed.data.stderr };
}

async function untilReady(urls: readonly string[]): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (const url of urls) {
    while (!(await isReady(url))) {
      if (Date.now() > deadline) throw new Error(`${url} did not respond again`);
      await sleep(100);
    }
  }
}

const isReady = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
