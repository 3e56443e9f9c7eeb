import { Agent, request } from 'undici';
import { type Peer, type Place, pathOfCalls, type Running } from './peer.ts';

export interface Exactness {
  /** How many calls were admitted of twice a quota of N, 50 at a time. */
  underLoad: number;
  /** The same when every process was killed with kill -9 after three fifths of N. */
  afterKill: number;
}

const atATime = 50;

/** Counts how many calls a peer admits with a key whose quota is known. */
export async function measureExactness(peer: Peer, place: Place, running: Running): Promise<Exactness | undefined> {
  const [first, second] = place.limitedKeys;
  if (!peer.hasQuota || first === undefined || second === undefined) return undefined;
  const { quota } = place;
  const url = `http://127.0.0.1:${place.port}${pathOfCalls}`;
  const count = (key: string, calls: number) => countAccepted(url, key, calls);
  const underLoad = await count(first, quota * 2);
  const before = await count(second, Math.floor(quota * 0.6));
  await running.crash();
  const after = await count(second, quota * 2);
  return { underLoad, afterKill: before + after };
}

async function countAccepted(url: string, key: string, calls: number): Promise<number> {
  const agent = new Agent({ connections: atATime, headersTimeout: 10_000 });
  let left = calls;
  let accepted = 0;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const response = await request(url, { headers: { 'x-api-key': key }, dispatcher: agent }).catch(() => undefined);
      await response?.body.dump();
      if (response?.statusCode === 200) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, caller));
  await agent.close();
  return accepted;
}
