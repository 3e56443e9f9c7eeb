import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const historyName = /^([0-9A-F]{8})\.history\.gz$/;
const segmentName = /^([0-9A-F]{8})[0-9A-F]{16}\.gz$/;

/** Where a base backup begins, as `backup_label` of PostgreSQL says. */
interface Start {
  timeline: number;
  position: bigint;
}

/**
 * The timeline that was archived last, of those that go on from a base backup. A history alone says nothing: a restore that was only tried
 * leaves one too, while the installation goes on along the timeline before.
 * `archive`: the folder of the cluster's log, with the times at which its files were archived.
 */
export async function lastTimeline(archive: string, label: string): Promise<number> {
  const names = (await readdir(archive)).toSorted();
  const start = startOf(label);
  const reachable = new Set([start.timeline]);
  for (const name of names) {
    const timeline = numberIn(historyName, name);
    if (timeline !== undefined && comesFrom(start, gunzipSync(await readFile(join(archive, name))).toString()))
      reachable.add(timeline);
  }
  let last = { timeline: start.timeline, at: 0 };
  for (const name of names) {
    const timeline = numberIn(segmentName, name);
    if (timeline === undefined || !reachable.has(timeline)) continue;
    const { mtimeMs: at } = await stat(join(archive, name));
    if (at >= last.at) last = { timeline, at };
  }
  return last.timeline;
}

function startOf(label: string): Start {
  const [, position = '0/0'] = /^START WAL LOCATION: ([0-9A-F]+\/[0-9A-F]+)/m.exec(label) ?? [];
  const [, timeline = '1'] = /^START TIMELINE: (\d+)/m.exec(label) ?? [];
  return { timeline: Number(timeline), position: positionOf(position) };
}

/** A history has a line for each timeline before: its number, and where it was left. */
function comesFrom({ timeline, position }: Start, history: string): boolean {
  return [...history.matchAll(/^(\d+)\t([0-9A-F]+\/[0-9A-F]+)/gm)].some(
    ([, number, left = '0/0']) => Number(number) === timeline && positionOf(left) > position,
  );
}

function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`);
}

function numberIn(pattern: RegExp, name: string): number | undefined {
  const digits = pattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
