import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect as openSocket, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { findBinaries } from '#shared/database/embedded-binaries.ts';
import { findClusterPlace, sharedPlace } from '#shared/database/embedded-place.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { ask, type Outage, type TopologyDatabase, until } from './databases.ts';
import { untilGone } from './supervised.ts';

/**
 * Two of the embedded PostgreSQL: the second follows the first synchronously, and takes over when that is killed. Nothing decides here
 * but this test; `patroni.ts` has what operators use.
 */
export async function pairOfServers(folder: string): Promise<TopologyDatabase> {
  const dataDir = join(folder, 'postgres');
  const options = { dataDir, logFile: join(folder, 'postgres.log'), durable: true };
  mkdirSync(dataDir);
  await (await startEmbedded(options)).stop();
  const place = findClusterPlace(dataDir, () => {});
  const standby = join(place.folder, 'standby');
  // With owner and rights, which PostgreSQL looks at.
  execFileSync('cp', ['-a', place.cluster, standby]);
  const first = await startEmbedded(options);
  const undo = [() => removeEmbedded(dataDir)];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const follower = await follow({
      standby,
      firstUrl: first.databaseUrl,
      place,
      logFile: join(folder, 'standby.log'),
    });
    undo.push(follower.stop);
    const front = await forwardTo(first.port);
    undo.push(front.close);
    await ask(first.databaseUrl, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
    await untilFollowed(first.databaseUrl);
    const failOver: Outage = {
      begin: async () => {
        process.kill(first.pid, 'SIGKILL');
        await untilGone([first.pid]);
      },
      end: async () => {
        await ask(follower.url, 'select pg_promote()');
        front.leadTo(follower.port);
      },
    };
    return {
      databaseUrl: withPort(first.databaseUrl, front.port),
      outages: new Map([['fail over PostgreSQL', failOver]]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Following {
  standby: string;
  firstUrl: string;
  place: ReturnType<typeof findClusterPlace>;
  logFile: string;
}

/** Starts a server that follows the first, on a copy of it that was made while it stood still. */
async function follow({ standby, firstUrl, place, logFile }: Following) {
  const { port, password } = new URL(firstUrl);
  const [own = 0] = await freePorts(1);
  writeFileSync(join(standby, 'standby.signal'), '');
  appendFileSync(
    join(standby, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=octroi password=${password} application_name=standby'\n`,
  );
  const { ids } = place.user;
  const { postgres } = findBinaries(place.user, process.getuid?.() === 0 ? sharedPlace : place.folder);
  const settings = [
    `port=${own}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    // At least as many as the first has, or it doesn't start.
    'max_locks_per_transaction=256',
  ];
  const log = openSync(logFile, 'a');
  const child = spawn(postgres, ['-D', standby, ...settings.flatMap((setting) => ['-c', setting])], {
    ...ids,
    cwd: place.folder,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const end = (): boolean => child.kill('SIGQUIT');
  process.on('exit', end);
  const url = withPort(firstUrl, String(own));
  await until(async () => (await ask(url, 'select 1')).rowCount === 1);
  return {
    url,
    port: own,
    stop: async () => {
      process.off('exit', end);
      await endOf(child);
    },
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}

/** An address that leads to one server and later to another; connections to the one before end, as they do at HAProxy. */
async function forwardTo(first: number) {
  const lead = { port: first };
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const onward = openSocket(lead.port, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  return {
    port: String(typeof bound === 'object' ? bound?.port : ''),
    leadTo: (port: number): void => {
      lead.port = port;
      for (const socket of open) socket.destroy();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

function withPort(databaseUrl: string, port: string): string {
  const url = new URL(databaseUrl);
  url.port = port;
  return url.href;
}

/** Until the other server follows synchronously: only then does nothing get lost when this one goes. */
const untilFollowed = (databaseUrl: string): Promise<void> =>
  until(
    async () => (await ask(databaseUrl, `select 1 from pg_stat_replication where sync_state = 'sync'`)).rowCount === 1,
  );
