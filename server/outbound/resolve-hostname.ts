import { Resolver } from 'node:dns/promises';

export interface Address {
  address: string;
  /** 4 or 6. */
  family: number;
}

/** Per nameserver and try; the second try waits twice as long. */
const queryTimeoutMs = 2000;
const tries = 2;

/** For the whole resolution, however many nameservers the machine has. */
const defaultDeadlineMs = 5000;

const loopback: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves a hostname that a customer entered to its IPv4 and IPv6 addresses, within `deadlineMs`. Empty when it has none, or when the
 * nameservers fail or are silent; never rejects. `servers`: nameservers (`host:port`); default: the machine's.
 *
 * It queries the nameservers itself. `dns.lookup` would hold one of libuv's four threads while a customer's nameserver is silent, and the
 * names of Razorpay, the mail server and the database would wait for that thread. So names of /etc/hosts and search domains are not found;
 * `localhost` is this machine, as RFC 6761 requires.
 */
export async function resolveHostname(
  hostname: string,
  { servers, deadlineMs = defaultDeadlineMs }: { servers?: string[]; deadlineMs?: number } = {},
): Promise<Address[]> {
  if (/(^|\.)localhost\.?$/.test(hostname)) return loopback;
  // One for each name: it reads the machine's current nameservers, and cancelling it cancels nothing else.
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
  const [ipv4, ipv6] = await Promise.all([
    resolver.resolve4(hostname).catch(() => []),
    resolver.resolve6(hostname).catch(() => []),
  ]);
  clearTimeout(deadline);
  return [...ipv4.map((address) => ({ address, family: 4 })), ...ipv6.map((address) => ({ address, family: 6 }))];
}
