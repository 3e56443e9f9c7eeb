import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { findPostmaster, isAlive } from '#shared/database/postmaster.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { ask, type TopologyDatabase, until } from './databases.ts';
import { respondsOk, supervise, untilGone } from './supervised.ts';

const root = join(homedir(), '.cache', 'octroi-debian-13');
const programs = ['postgresql-17', 'patroni', 'etcd-server', 'haproxy'];
/** The programs of PostgreSQL 17, as Debian 13 has them. */
const postgresBin = '/usr/lib/postgresql/17/bin';

/** Debian 13 in a folder with what runs a replicated PostgreSQL: the machine's own may be older than we need. For root on Debian alone. */
function debian(say: (line: string) => void): string {
  if (existsSync(join(root, postgresBin.slice(1), 'pg_rewind'))) return root;
  if (process.getuid?.() !== 0)
    throw new Error('A replicated PostgreSQL needs root: it is run in a folder with Debian 13.');
  if (spawnSync('debootstrap', ['--version']).error)
    throw new Error('Install debootstrap: apt-get install debootstrap.');
  say(`installing Debian 13 with ${programs.join(', ')} into ${root}: two minutes`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  execFileSync('debootstrap', ['--variant=minbase', `--include=${programs.join(',')}`, 'trixie', root], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return root;
}

/** A command in that folder, as its user `postgres`. Its processes are those of this machine. */
const inside = (folder: string, ...command: readonly string[]): [string, ...string[]] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" && shift && exec "$@"',
  'sh',
  folder,
  'chroot',
  '--userspec=postgres:postgres',
  folder,
  ...command,
];

interface Node {
  name: string;
  port: number;
  api: number;
  cluster: string;
  begin: () => void;
  /** kill -9 of Patroni and its PostgreSQL, as when the machine is gone. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}

/** What operators use: two PostgreSQL with Patroni, etcd and HAProxy, of which one follows the other synchronously. */
export const patroniPair =
  (say: (line: string) => void) =>
  async (logs: string): Promise<TopologyDatabase> => {
    const folder = debian(say);
    const base = mkdtempSync(join(folder, 'srv', 'octroi-'));
    const owner = ownerIn(folder);
    chownSync(base, owner.uid, owner.gid);
    const own = base.slice(folder.length);
    const password = randomBytes(18).toString('base64url');
    const [etcdPort = 0, peerPort = 0, front = 0, ...rest] = await freePorts(7);
    const etcd = await startEtcd({ folder, own, logs, etcdPort, peerPort });
    const nodes = [0, 1].map((at) =>
      nodeOf({
        name: `node-${at + 1}`,
        ports: [rest[at * 2] ?? 0, rest[at * 2 + 1] ?? 0],
        folder,
        own,
        logs,
        etcdPort,
        password,
      }),
    );
    for (const node of nodes) node.begin();
    const haproxy = await startHaproxy({ folder, own, logs, front, nodes });
    const stop = async (): Promise<void> => {
      await haproxy.stop();
      for (const node of nodes) await node.stop();
      await etcd.stop();
      rmSync(base, { recursive: true, force: true });
    };
    try {
      const databaseUrl = `postgres://octroi:${password}@127.0.0.1:${front}/octroi`;
      const admin = databaseUrl.replace(/octroi$/, 'postgres');
      await until(async () => (await ask(admin, 'select 1')).rowCount === 1);
      await ask(admin, 'create database octroi');
      await untilFollowed(nodes);
      return { databaseUrl, outages: outagesOf({ nodes, databaseUrl, folder, own }), stop };
    } catch (error) {
      await stop();
      throw error;
    }
  };

interface Place {
  folder: string;
  own: string;
  logs: string;
}

function ownerIn(folder: string): { uid: number; gid: number } {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync(join(folder, 'etc', 'passwd'), 'utf8')) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function startEtcd({ folder, own, logs, etcdPort, peerPort }: Place & { etcdPort: number; peerPort: number }) {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const args = {
    'data-dir': `${own}/etcd`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  return supervise({
    name: 'etcd',
    command: inside(folder, 'etcd', ...Object.entries(args).map(([name, value]) => `--${name}=${value}`)),
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
    logFile: join(logs, 'etcd.log'),
    graceMs: 10_000,
    isReady: () => respondsOk(`${client}/health`),
  });
}

function nodeOf(plan: Place & { name: string; ports: [number, number]; etcdPort: number; password: string }): Node {
  const { folder, own, logs, name, ports, etcdPort, password } = plan;
  const [port, api] = ports;
  const cluster = `${own}/${name}`;
  const settings = {
    scope: 'octroi',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 300, max_locks_per_transaction: 256 } },
      },
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C' },
        { 'locale-provider': 'builtin' },
        { 'builtin-locale': 'C.UTF-8' },
        'data-checksums',
      ],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: cluster,
      bin_dir: postgresBin,
      authentication: {
        superuser: { username: 'octroi', password },
        replication: { username: 'follower', password },
      },
      parameters: { unix_socket_directories: '', timezone: 'UTC', lc_messages: 'C' },
    },
  };
  const file = `${own}/${name}.yaml`;
  writeFileSync(join(folder, file), stringify(settings), { mode: 0o644 });
  const running: { child?: ChildProcess } = {};
  const killAll = (): number[] => {
    const pids = [running.child?.pid, findPostmaster(join(folder, cluster))?.pid]
      .flatMap((pid) => pid ?? [])
      .filter(isAlive);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    return pids;
  };
  return {
    name,
    port,
    api,
    cluster: join(folder, cluster),
    begin: () => {
      const log = openSync(join(logs, `${name}.log`), 'a');
      const [program, ...args] = inside(folder, 'patroni', file);
      running.child = spawn(program, args, {
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
        stdio: ['ignore', log, log],
        detached: true,
      });
      running.child.unref();
    },
    kill: async () => untilGone(killAll()),
    stop: async () => {
      running.child?.kill('SIGTERM');
      for (let waited = 0; running.child?.exitCode === null && waited < 200; waited += 1) await sleep(100);
      await untilGone(killAll());
    },
  };
}

function startHaproxy({ folder, own, logs, front, nodes }: Place & { front: number; nodes: readonly Node[] }) {
  const servers = nodes.map(
    ({ name, port, api }) =>
      `  server ${name} 127.0.0.1:${port} check port ${api} inter 500 fall 2 rise 1 on-marked-down shutdown-sessions`,
  );
  const text = `defaults
  mode tcp
  timeout connect 2s
  timeout client 1d
  timeout server 1d
  timeout check 2s
listen postgres
  bind 127.0.0.1:${front}
  option httpchk GET /primary
${servers.join('\n')}
`;
  writeFileSync(join(folder, `${own}/haproxy.cfg`), text);
  return supervise({
    name: 'haproxy',
    command: inside(folder, '/usr/sbin/haproxy', '-f', `${own}/haproxy.cfg`, '-db'),
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
    logFile: join(logs, 'haproxy.log'),
    graceMs: 10_000,
    isReady: async () => true,
  });
}

function outagesOf(plan: { nodes: readonly Node[]; databaseUrl: string; folder: string; own: string }) {
  const { nodes, databaseUrl, folder, own } = plan;
  const leader = async (): Promise<Node> => {
    for (const node of nodes) if (await respondsOk(`http://127.0.0.1:${node.api}/primary`)) return node;
    throw new Error('no PostgreSQL leads');
  };
  const lead = { before: '' };
  const untilAnotherLeads = () =>
    until(async () => (await leader()).name !== lead.before && (await isServed(databaseUrl)));
  const mend = () => untilFollowed(nodes);
  return new Map([
    [
      'fail over PostgreSQL',
      {
        begin: async () => {
          const node = await leader();
          lead.before = node.name;
          await node.kill();
        },
        end: untilAnotherLeads,
        mend: async () => {
          nodes.find(({ name }) => name === lead.before)?.begin();
          await mend();
        },
      },
    ],
    [
      'switch over PostgreSQL',
      {
        begin: async () => {
          lead.before = (await leader()).name;
          const [program, ...args] = inside(
            folder,
            'patronictl',
            '-c',
            `${own}/${lead.before}.yaml`,
            'switchover',
            '--force',
            '--primary',
            lead.before,
            'octroi',
          );
          execFileSync(program, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' } });
        },
        end: untilAnotherLeads,
        mend,
      },
    ],
  ]);
}

const isServed = (databaseUrl: string): Promise<boolean> =>
  ask(databaseUrl, 'select 1 where not pg_is_in_recovery()').then(({ rowCount }) => rowCount === 1);

/** Until Patroni counts a server as one that follows synchronously: no other may take over. */
const untilFollowed = (nodes: readonly Node[]): Promise<void> =>
  until(async () => {
    for (const { api } of nodes) if (await respondsOk(`http://127.0.0.1:${api}/synchronous`)) return true;
    return false;
  });
