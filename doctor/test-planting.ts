import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { join } from 'node:path';
import { sql } from 'kysely';
import { generate } from 'selfsigned';
import { onTestFinished } from 'vitest';
import { readOwner } from '#backup/owner.ts';
import { listeningPort } from '#server/test/gateway.ts';
import type { HealthyInstallation } from './test-healthy.ts';
import { productionEnv } from './test-installation.ts';

export const nobody = 'http://127.0.0.1:10';

export async function serve(listener: RequestListener, maxHeaderSize = 16_384): Promise<string> {
  const server = createServer({ maxHeaderSize }, listener);
  const port = await listeningPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** The address of a server whose certificate nobody trusts. */
export async function serveUntrusted(): Promise<string> {
  const made = generate([{ name: 'commonName', value: '127.0.0.1' }], { days: 100, keySize: 2048 });
  const server = createHttps({ key: made.private, cert: made.cert }, (_req, res) => void res.end());
  const port = await listeningPort(server);
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${port}`;
}

interface ProxyLimits {
  maxBodyBytes?: number;
  maxHeadBytes?: number;
  readTimeoutMs?: number;
}

/** A proxy in front of another address. */
export function proxyOf(
  url: string,
  change: (headers: Headers) => void,
  own?: RequestListener,
  { maxBodyBytes = Infinity, maxHeadBytes, readTimeoutMs = 60_000 }: ProxyLimits = {},
): Promise<string> {
  const pass = (req: IncomingMessage, res: ServerResponse) => {
    const given = Object.entries(req.headers);
    const headers = new Headers(given.map(([name, value]): [string, string] => [name, String(value)]));
    headers.delete('host');
    headers.delete('connection');
    change(headers);
    const refuse = (status: number) => {
      if (!res.headersSent) res.writeHead(status, { 'content-type': 'text/html' }).end('<h1>the proxy says no</h1>');
    };
    if (Number(headers.get('content-length') ?? 0) > maxBodyBytes) return refuse(413);
    const { method = 'GET', url: path = '/' } = req;
    const behind = request(`${url}${path}`, { method, headers: Object.fromEntries(headers) }, (response) => {
      res.writeHead(response.statusCode ?? 502, { 'content-type': response.headers['content-type'] ?? 'text/plain' });
      response.pipe(res);
    });
    behind.setTimeout(readTimeoutMs, () => {
      refuse(504);
      behind.destroy();
    });
    behind.on('error', () => refuse(502));
    res.on('close', () => behind.destroy());
    req.pipe(behind);
  };
  return serve((req, res) => {
    if (own === undefined || req.url?.startsWith('/backend') === true) pass(req, res);
    else own(req, res);
  }, maxHeadBytes);
}

export const nameOfDatabase = ({ env }: HealthyInstallation) =>
  sql.id(new URL(env['DATABASE_URL'] ?? '').pathname.slice(1));

/** Changes rows that the rules of the product would not let change, until the test ends. */
export async function inDatabase(
  healthy: HealthyInstallation,
  plant: ReturnType<typeof sql>,
  undo: ReturnType<typeof sql>,
): Promise<void> {
  const { db } = healthy.portal.owner;
  const run = (statement: ReturnType<typeof sql>) =>
    db.connection().execute(async (session) => {
      // One that is opened meanwhile may have become read-only by what was planted.
      await sql`set default_transaction_read_only = off`.execute(session);
      await sql`set session_replication_role = replica`.execute(session);
      await statement.execute(session);
      await sql`set session_replication_role = default`.execute(session);
    });
  await run(plant);
  onTestFinished(() => run(undo));
}

/** A folder with a backup of this installation, or of another. */
export async function backupFolder(
  { folder: within, env }: HealthyInstallation,
  installation?: string,
): Promise<string> {
  const of = installation ?? (await readOwner(env['DATABASE_URL'] ?? '')).installation;
  const name = `octroi-2026-01-01T020000IST-${of}.tar.gz.age`;
  const folder = mkdtempSync(join(within, 'backups-'));
  writeFileSync(join(folder, name), 'x');
  const old = new Date(Date.now() - 3 * 86_400_000);
  utimesSync(join(folder, name), old, old);
  return folder;
}

/** A gateway that trusts what is on this machine, behind such a proxy. */
export async function behindProxy(
  healthy: HealthyInstallation,
  change: (headers: Headers) => void,
  limits: ProxyLimits = {},
): Promise<Record<string, string>> {
  return { GATEWAY_URL: await proxyOf(await healthy.trustingGateway(), change, undefined, limits) };
}

export async function anotherGateway(healthy: HealthyInstallation, env: Record<string, string>): Promise<object> {
  const gateway = await healthy.startGateway(env);
  onTestFinished(gateway.stop);
  return {};
}

/** Settings that are different from the healthy ones; a settings file goes by its own name, and `isSlow` is `octroi doctor --slow`. */
export type Planted = Record<string, string> & { envFile?: string; isSlow?: string };

export const plantedFile = ({ folder }: HealthyInstallation, text: string, mode = 0o600): string => {
  const file = join(mkdtempSync(join(folder, 'settings-')), 'octroi.env');
  writeFileSync(file, text, { mode });
  return file;
};

/** As stand-ins and trials may not be in production, only checks of settings make sense then. */
export const inProduction = (env: Planted): Planted => ({ ...productionEnv, ...env });

export type PlantedRow = [
  fault: string,
  plant: (healthy: HealthyInstallation) => Planted | object | Promise<Planted | object>,
  check: string,
  found: string,
  remedy: string,
];
