import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type EmbeddedServer, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { gatewayCore, pin, type Program, startProgram, untilItResponds } from './processes.ts';

/** The gateway of this product as it ships: one bundle, Node's own flags, its PostgreSQL with synchronous commits. */

let bundle: Promise<string> | undefined;

async function bundleGateway(): Promise<string> {
  const outfile = projectFolder('node_modules', '.cache', 'octroi-bench', 'gateway.mjs');
  await build({
    entryPoints: [projectFolder('gateway', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return outfile;
}

export interface GatewaySettings {
  port: number;
  productPort: number;
  databaseUrl: string;
  dataDir: string;
  env?: Record<string, string>;
}

export async function startGatewayProgram(settings: GatewaySettings): Promise<Program> {
  const program = startProgram(gatewayCore, process.execPath, [await (bundle ??= bundleGateway())], {
    NODE_ENV: 'production',
    PORTAL_URL: 'https://portal.example',
    GATEWAY_URL: 'https://gateway.example',
    LOG_LEVEL: 'error',
    GATEWAY_PORT: String(settings.port),
    // The tests' catalogue: the numbers don't depend on what this installation sells.
    CATALOG_DIR: projectFolder('ship', 'standins', 'catalog'),
    DATABASE_URL: settings.databaseUrl,
    DATA_DIR: settings.dataDir,
    UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${settings.productPort}`,
    ...settings.env,
  });
  await untilItResponds(`http://127.0.0.1:${settings.port}/health`);
  return program;
}

/** A PostgreSQL on the core of the gateways, with the product's tables. */
export async function startDatabase(folder: string): Promise<EmbeddedServer> {
  mkdirSync(folder, { recursive: true });
  const server = await startEmbedded({ dataDir: folder, logFile: join(folder, 'postgres.log') });
  pin(gatewayCore, server.pid);
  await migrate(server.databaseUrl);
  return server;
}
