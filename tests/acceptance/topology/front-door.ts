import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { accepts } from '#shared/platform/accepts.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { writeNginxFiles } from '#shared/platform/test-nginx.ts';
import { supervise, type Supervised, untilGone } from './supervised.ts';

export interface FrontDoor {
  nginx: Supervised;
  /** Ends one worker with kill -9; the master starts another at once. Resolves when it is gone. */
  killWorker: () => Promise<void>;
  /** Takes up the configuration again: new workers serve, the old ones finish their calls. Resolves when they are gone. */
  reload: () => Promise<void>;
  /** On a reload it keeps idle connections of callers open for a time (nginx 1.27.4 and later). */
  keepsCallers: boolean;
}

export interface FrontDoorPlan {
  folder: string;
  port: number;
  /** Its address on the network of the services. */
  address: string;
  addressOf: (service: string) => string;
  gateways: number;
}

/** A certificate for the two names of tls.conf and for localhost; returns its PEM text, which callers trust. */
export function makeCertificate(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const names = ['portal.example.in', 'api.example.in', 'localhost'];
  const made = generate([{ name: 'commonName', value: 'octroi topology' }], {
    days: 2,
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
    ],
  });
  writeFileSync(join(folder, 'fullchain.pem'), made.cert);
  writeFileSync(join(folder, 'privkey.pem'), made.private, { mode: 0o600 });
  return made.cert;
}

/** Starts nginx with ship/deploy/nginx/tls.conf. Only addresses, port and the folder of the certificate differ. */
export async function startFrontDoor(plan: FrontDoorPlan): Promise<FrontDoor> {
  const { folder, port } = plan;
  const keepsCallers = isAtLeast([1, 27, 4]);
  const args = writeNginxFiles({
    folder,
    shipped: { name: 'tls.conf', text: shippedConfig(plan) },
    main: `user ${userInfo().username}; worker_processes 2;`,
    http: [
      `proxy_bind ${plan.address};`,
      keepsCallers ? `include ${projectFolder('ship', 'deploy', 'nginx', 'keep-callers.conf')};` : '',
    ].join(' '),
  });
  const nginx = await supervise({
    name: 'nginx',
    command: ['nginx', ...args],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    logFile: join(folder, 'output.log'),
    graceMs: 20_000,
    isReady: () => accepts(port),
  });
  return {
    nginx,
    killWorker: async () => {
      const [worker] = workersOf(nginx.pid());
      if (worker === undefined) throw new Error('nginx has no worker');
      process.kill(worker, 'SIGKILL');
      await untilGone([worker]);
    },
    reload: async () => {
      const workers = workersOf(nginx.pid());
      process.kill(nginx.pid(), 'SIGHUP');
      await untilGone(workers);
    },
    keepsCallers,
  };
}

function shippedConfig({ folder, port, addressOf, gateways }: FrontDoorPlan): string {
  const shipped = readFileSync(projectFolder('ship', 'deploy', 'nginx', 'tls.conf'), 'utf8');
  const servers = Array.from({ length: gateways }, (_, at) => `  server gateway-${at + 1}:4100 max_fails=0;\n`);
  return shipped
    .replace(/(^ +server gateway-\d:4100 max_fails=0;\n)+/m, servers.join(''))
    .replaceAll(/^( +server )([\w-]+)(:\d+ )/gm, (_, before: string, name: string, after: string) => {
      return `${before}${addressOf(name)}${after}`;
    })
    .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('/etc/nginx/tls/', `${join(folder, 'tls')}/`);
}

function isAtLeast(least: readonly number[]): boolean {
  const [, text = ''] = /nginx\/([\d.]+)/.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr) ?? [];
  const version = text.split('.').map(Number);
  const differs = least.findIndex((number, at) => version[at] !== number);
  return differs < 0 || (version[differs] ?? 0) > (least[differs] ?? 0);
}

function workersOf(master: number): number[] {
  return readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
