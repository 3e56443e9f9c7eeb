import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PortalPlace } from '#ship/demo/portal-customer.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** A provider with a fresh folder: an empty catalogue, no data, and the programs of a build. */
export interface Provider {
  folder: string;
  place: PortalPlace;
  /** Runs `octroi` as a process; returns its output, or rejects with it. */
  octroi: (...words: string[]) => Promise<string>;
  /** `npm start` with further settings in the environment; resolves when everything runs. */
  start: (env: Record<string, string>) => Promise<void>;
  remove: () => Promise<void>;
}

const run = promisify(execFile);
const portFlags = [
  'portal',
  'gateway',
  'standin-google',
  'standin-razorpay',
  'standin-gstn',
  'tax-lookup',
  'invoicing',
];

export async function createProvider(): Promise<Provider> {
  // As `npm start` builds: vitest's own NODE_ENV would make development pages.
  const { NODE_ENV: _test, ...outside } = process.env;
  await run(process.execPath, [projectFolder('ship', 'launch', 'build.mjs')], { env: outside });
  const folder = mkdtempSync(join(tmpdir(), 'octroi-provider-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    CATALOG_DIR: join(folder, 'catalog'),
    DATA_DIR: join(folder, 'data'),
  };
  const ports = await freePorts(portFlags.length);
  const [portalUrl = '', gatewayUrl = '', googleUrl = '', razorpayUrl = ''] = ports.map(
    (port) => `http://localhost:${port}`,
  );
  let launcher: ChildProcess | undefined;
  return {
    folder,
    place: { portalUrl, gatewayUrl, googleUrl, razorpayUrl },
    octroi: async (...words) =>
      (await run(process.execPath, [projectFolder('build', 'octroi.js'), ...words], { cwd: folder, env })).stdout,
    start: async (settings) => {
      const flags = portFlags.flatMap((name, index) => [`--${name}-port`, String(ports[index])]);
      launcher = fork(projectFolder('build', 'launch.js'), flags, {
        cwd: folder,
        env: { ...env, ...settings },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      let output = '';
      for (const stream of [launcher.stdout, launcher.stderr])
        stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const isReady = await Promise.race([
        once(launcher, 'message').then(() => true),
        once(launcher, 'exit').then(() => false),
      ]);
      if (!isReady) throw new Error(`npm start ended: ${output}`);
    },
    remove: async () => {
      if (launcher !== undefined && launcher.exitCode === null) {
        launcher.kill('SIGTERM');
        await once(launcher, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
