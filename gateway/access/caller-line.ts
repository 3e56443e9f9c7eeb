import type { IncomingMessage } from 'node:http';
import type { CallerLine } from '#gateway/http/request-queue.ts';
import { callerAddress, isWithin, networkOf, type Networks } from '#shared/platform/addresses.ts';
import type { AccessCache } from './access-cache.ts';
import { readKey } from './admit.ts';

/**
 * The line in which a request waits: that of the customer if the gateway knows its key to be in use and it may be used from here, otherwise
 * that of its address (the /64 of IPv6), because anyone can make up keys. Looks nothing up. `nowMs`: epoch milliseconds.
 */
export function createCallerLines(
  cache: Pick<AccessCache, 'usable'>,
  proxies: Networks | undefined,
  nowMs: () => number,
): (req: IncomingMessage) => CallerLine {
  return (req) => {
    const key = readKey(req.headers);
    const access = typeof key === 'string' ? cache.usable(key, nowMs()) : undefined;
    if (access !== undefined && access.allowedIps === undefined) return { known: true, caller: access.customerId };
    const address = callerAddress(req, proxies);
    return access?.allowedIps !== undefined && isWithin(access.allowedIps, address)
      ? { known: true, caller: access.customerId }
      : { known: false, caller: networkOf(address) };
  };
}
