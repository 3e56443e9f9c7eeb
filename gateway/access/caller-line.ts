import type { IncomingMessage } from 'node:http';
import type { CallerLine } from '#gateway/http/request-queue.ts';
import { callerAddress, networkOf, type Networks } from '#platform/addresses.ts';
import type { AccessCache } from './access-cache.ts';
import { readKey } from './admit.ts';

/**
 * The line in which a request waits: that of its key if the gateway knows the key to be in use, otherwise that of its address (the /64 of
 * IPv6), because anyone can make up keys. Looks nothing up.
 */
export function createCallerLines(
  cache: Pick<AccessCache, 'isInUse'>,
  proxies: Networks | undefined,
): (req: IncomingMessage) => CallerLine {
  return (req) => {
    const key = readKey(req.headers);
    return typeof key === 'string' && cache.isInUse(key)
      ? { known: true, caller: key }
      : { known: false, caller: networkOf(callerAddress(req, proxies)) };
  };
}
