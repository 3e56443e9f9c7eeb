import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** States of /proc/net/tcp: established, and closed by the other side alone. */
const heldStates = new Set(['01', '08']);

/** An IPv4 address as in /proc/net/tcp. */
const inHex = (address: string): string =>
  Buffer.from(address.split('.').map(Number).toReversed()).toString('hex').toUpperCase();

/** The connections to an address that programs of this machine hold, by the inode of their socket. */
function connectionsTo(address: string): Set<string> {
  const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
  const held = lines.flatMap((line) => {
    const [, , to = '', state = '', , , , , , inode = ''] = line.trim().split(/ +/);
    return to.startsWith(`${inHex(address)}:`) && heldStates.has(state) ? [inode] : [];
  });
  return new Set(held);
}

/**
 * To be called at the moment when the program at this address has ended: resolves when the others have noticed, that is have closed every
 * connection to it that they hold now.
 */
export async function untilNoticed(address: string): Promise<void> {
  const before = connectionsTo(address);
  while ([...connectionsTo(address)].some((inode) => before.has(inode))) await sleep(10);
}
