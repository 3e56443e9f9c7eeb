import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { compare } from './comparison.ts';
import { makeKeys, measureGrowth } from './growth.ts';
import { installPeers } from './install.ts';
import { startUpstream } from './nginx.ts';
import type { Peer } from './peer.ts';
import { nginxLuaRedis } from './peers/nginx-lua-redis.ts';
import { nginxPlain } from './peers/nginx-plain.ts';
import { bareResponse, plainProxy, quickProxy } from './peers/node-programs.ts';
import { measureOverload } from './overload.ts';
import { octroi, octroiAllTraced, octroiInside, octroiLogged, octroiTraced, octroiWatched } from './peers/octroi.ts';
import { loadCore } from './processes.ts';

/**
 * `npm run bench:gateway`: compares the gateway with common alternatives on this machine, and measures how it scales.
 * `--write` puts the tables into docs/performance.md; `--only comparison`, `overload` or `growth` measures one of them;
 * `--flood` is the seconds of overload. `--against ../before` adds the gateway of another checkout, which needs its own node_modules.
 * `--peers proxied,traced` compares only programs with these words in their names: here with traces on and off.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    keys: { type: 'string', default: '1000000' },
    peers: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    against: { type: 'string', multiple: true, default: [] },
    flood: { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
  },
});

const everyPeer: readonly Peer[] = [
  nginxPlain,
  nginxLuaRedis,
  bareResponse,
  plainProxy,
  quickProxy,
  octroi,
  octroiInside,
  octroiWatched,
  octroiLogged,
  octroiTraced,
  octroiAllTraced,
];
const productPort = 4900;
const firstPort = 4901;
const quota = 500;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const wants = (what: string): boolean => options.only === '' || options.only === what;

/** The gateway of another checkout, with its own bundle and tables. */
async function octroiOf(checkout: string): Promise<Peer[]> {
  const { href } = pathToFileURL(resolve(checkout, 'tests', 'bench', 'gateway', 'peers', 'octroi.ts'));
  const other: { octroi: Peer; octroiInside: Peer } = await import(href);
  return [other.octroi, other.octroiInside].map((peer) => ({ ...peer, name: `${peer.name} (${checkout})` }));
}

function writeTable(name: string, table: string): void {
  const file = projectFolder('docs', 'performance.md');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}

async function main(): Promise<void> {
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'octroi-bench-'));
  // nginx runs its workers as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  // Everything that was started has ended before.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const upstream = await startUpstream(join(folder, 'upstream'), productPort, loadCore);
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  const busy = loadavg()[0] ?? 0;
  const where = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${rounds} rounds of ${seconds} s; ${busy.toFixed(1)} other programs were waiting for a core at the start.`;
  const finish = (name: string, table: string): void => {
    const text = `${where}\n\n${table}`;
    process.stdout.write(`\n${text}\n`);
    if (options.write) writeTable(name, text);
  };
  try {
    const place = { productPort, openKeys: makeKeys(10), limitedKeys: makeKeys(2), quota };
    const others = (await Promise.all(options.against.map(octroiOf))).flat();
    const peers = [...everyPeer, ...others].filter(({ name }) =>
      options.peers.split(',').some((part) => name.includes(part)),
    );
    const yardsticks = [nginxLuaRedis.name, plainProxy.name, bareResponse.name];
    if (wants('comparison')) {
      finish('comparison', await compare({ peers, rounds, seconds, place, folder, firstPort, yardsticks, say }));
    }
    if (wants('overload')) {
      finish(
        'overload',
        await measureOverload({
          seconds,
          floodSeconds: Number(options.flood),
          productPort,
          folder,
          port: firstPort,
          say,
        }),
      );
    }
    if (wants('growth')) {
      const mostKeys = Number(options.keys);
      finish('growth', await measureGrowth({ rounds, seconds, productPort, folder, firstPort, mostKeys, say }));
    }
  } finally {
    await upstream.end();
  }
}

await main();
