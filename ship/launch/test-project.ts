import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { freePorts } from '#shared/platform/free-ports.ts';

/**
 * A small process in place of each real one: it responds to health checks, writes a line of each level, and shuts down
 * cleanly. `/crash` ends it, `/write?n=` stores a row, `FAIL_<NAME>` in the environment keeps it from starting.
 */
const tinyProcess = (name: string, ports: string[]) => `
import { createServer } from 'node:http';
import { Client } from 'pg';
const log = (level, msg) => console.log(JSON.stringify({ level, time: new Date().toISOString(), name: '${name}', msg }));
if (process.env.FAIL_${name.toUpperCase()}) { log('fatal', 'the ${name} cannot start like this'); process.exit(1); }
const db = new Client({ connectionString: process.env.DATABASE_URL });
db.on('error', () => {});
await db.connect();
if ('${name}' === 'portal') await db.query('create table if not exists tiny (n int)');
const servers = ${JSON.stringify(ports)}.map((setting) => createServer(async (request, answer) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/crash') process.exit(3);
  if (url.pathname === '/write') await db.query('insert into tiny values ($1)', [url.searchParams.get('n')]);
  if (url.pathname === '/rows') return answer.end(String((await db.query('select count(*) as n from tiny')).rows[0].n));
  answer.end(JSON.stringify(process.env));
}).listen(Number(process.env[setting]), '127.0.0.1'));
log('info', 'quiet words of ${name}'); log('warn', 'loud words of ${name}');
const stop = async () => { log('info', '${name} stops'); await db.end(); process.exit(0); };
process.on('SIGTERM', stop); process.on('disconnect', stop);
`;

export interface TestProject {
  folder: string;
  /** Flags for free ports and a data folder of its own. */
  flags: string[];
  ports: Record<string, number>;
  remove: () => void;
}

/** A project folder with the real launcher, bundled as the build bundles it, and tiny processes. */
export async function createTestProject(): Promise<TestProject> {
  const folder = mkdtempSync(join(tmpdir(), 'launch-'));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type":"module","version":"0.0.0"}');
  symlinkSync(projectFolder('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'shared', 'database'), { recursive: true });
  for (const name of ['changes', 'schema'])
    cpSync(projectFolder('shared', 'database', name), join(folder, 'shared', 'database', name), { recursive: true });
  cpSync(
    projectFolder('shared', 'database', 'fingerprints.txt'),
    join(folder, 'shared', 'database', 'fingerprints.txt'),
  );
  for (const room of ['catalog']) cpSync(projectFolder(room), join(folder, room), { recursive: true });
  await build({
    entryPoints: { launch: projectFolder('ship', 'launch', 'main.ts') },
    outdir: join(folder, 'build'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const processes: Record<string, string[]> = {
    portal: ['PORTAL_PORT'],
    gateway: ['GATEWAY_PORT'],
    products: ['TAX_LOOKUP_PORT', 'INVOICING_PORT'],
    standins: ['STANDIN_GOOGLE_PORT', 'STANDIN_RAZORPAY_PORT', 'STANDIN_GSTN_PORT'],
  };
  const ports: Record<string, number> = {};
  const free = await freePorts(Object.values(processes).flat().length);
  for (const [name, settings] of Object.entries(processes)) {
    writeFileSync(join(folder, 'build', `${name}.js`), tinyProcess(name, settings));
    for (const setting of settings) ports[setting] = free.shift() ?? 0;
  }
  const flags = Object.entries(ports).flatMap(([name, port]) => [
    `--${name.toLowerCase().replaceAll('_', '-')}`,
    String(port),
  ]);
  return {
    folder,
    ports,
    flags: [...flags, '--data', join(folder, 'data')],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Launched {
  child: ChildProcess;
  output: () => string;
  /** Resolves when it reports that it is ready, or has ended. */
  settled: Promise<void>;
  ended: Promise<number | null>;
}

/** Starts the launcher of a test project. */
export function launch(project: TestProject, flags = project.flags, env: Record<string, string> = {}): Launched {
  const child = fork(join(project.folder, 'build', 'launch.js'), flags, {
    cwd: project.folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const ready = new Promise<void>((resolve) => child.once('message', () => resolve()));
  return { child, output: () => output, ended, settled: Promise.race([ready, ended]).then(() => undefined) };
}
