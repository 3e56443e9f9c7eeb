import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Pool } from 'pg';
import { processName } from '#shared/database/process-name.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';
import type { GatewaySetup } from './world.ts';

export interface GatewayProcess {
  url: string;
  child: ChildProcess;
  kill: () => Promise<void>;
  stop: () => Promise<number | null>;
}

let bundle: Promise<string> | undefined;

/** Bundles the program with its packages, which starts three times faster. */
async function bundleGateway(): Promise<string> {
  const outfile = projectFolder('node_modules', '.cache', 'octroi', `gateway-${process.pid}.mjs`);
  await build({
    entryPoints: [projectFolder('gateway', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    // Bundled CommonJS packages expect these globals.
    banner: {
      js: [
        `import { createRequire as requireFrom } from 'node:module';`,
        `const require = requireFrom(import.meta.url);`,
        `const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];`,
      ].join('\n'),
    },
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

/** Starts the real program in a separate process; `onSpawn` gets the child before it is ready, for example to kill it. */
export async function spawnGateway(
  setup: GatewaySetup,
  port: number,
  onSpawn: (child: ChildProcess) => void = () => {},
  settings: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [await (bundle ??= bundleGateway())], {
    cwd: projectFolder(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GATEWAY_PORT: String(port),
      DATABASE_URL: setup.databaseUrl,
      DATA_DIR: setup.dataDir,
      UPSTREAM_TAX_LOOKUP_API: setup.productUrl,
      SANDBOX_TAX_LOOKUP_API: setup.productUrl,
      ...patientGateway,
      ...settings,
    },
  });
  const exit = once(child, 'close');
  onSpawn(child);
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /"url":"([^"]+)"/.exec(output);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.on('close', () => reject(new Error(`the gateway did not start: ${output}`)));
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    await exit;
    return child.exitCode;
  };
  return { url, child, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
}

/** Like a process supervisor, starts a gateway again if it fails because PostgreSQL is too slow. Throws the error of the tenth attempt. */
export async function spawnWithRetries(setup: GatewaySetup, port: number): Promise<GatewayProcess> {
  for (let attempt = 1; attempt < 10; attempt += 1) {
    const gateway = await spawnGateway(setup, port).catch(() => undefined);
    if (gateway !== undefined) return gateway;
  }
  return spawnGateway(setup, port);
}

/** Ends statements that killed gateways have left running in the database, which would still commit. */
export async function endStatementsOfKilled(pool: Pool): Promise<void> {
  const end = async (): Promise<boolean> => {
    const { rowCount } = await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
      [processName('gateway')],
    );
    return rowCount === 0;
  };
  while (!(await end())) await sleep(10);
}
