import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

/** Addresses and networks, IPv4 and IPv6, of a key's allow-list or the list of trusted proxies. */
export type Networks = Pick<BlockList, 'check'>;

/** Reads `10.0.0.0/8`, `2001:db8::/32` or single addresses; undefined for an empty list. Throws on anything else. */
export function readNetworks(texts: readonly string[]): Networks | undefined {
  if (texts.length === 0) return undefined;
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/', 2);
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** True when an address is in one of the networks; false for text that is not an address. */
export function isWithin(networks: Networks, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, familyOf(address));
}

/** Link-local addresses, and those outside of them at which clouds give a machine its credentials (AWS with IPv6, Alibaba, Azure, Oracle). */
const linkLocal = readNetworks([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

/** True for an address at which no API may be; false for text that is not an address. */
export const isLinkLocal = (address: string): boolean => {
  const [plain = ''] = address.split('%');
  return linkLocal !== undefined && isWithin(linkLocal, plain);
};

/**
 * The client address. Behind trusted proxies it is the last entry of X-Forwarded-For that is not itself a trusted
 * proxy; entries further left come from the client and are ignored.
 */
export function callerAddress(req: IncomingMessage, proxies: Networks | undefined): string {
  let address = plainAddress(req.socket.remoteAddress ?? '');
  const forwarded = req.headers['x-forwarded-for'];
  if (proxies === undefined || typeof forwarded !== 'string') return address;
  for (const hop of forwarded.split(',').toReversed()) {
    if (!isWithin(proxies, address)) return address;
    address = plainAddress(withoutPort(hop.trim()));
  }
  return address;
}

/** Whether a trusted proxy opened a connection, on which it may send the requests of any caller. */
export function isFromProxy({ remoteAddress = '' }: Socket, proxies: Networks | undefined): boolean {
  return proxies !== undefined && isWithin(proxies, plainAddress(remoteAddress));
}

/** All addresses that one caller surely has: an IPv4 address alone, and the /64 of an IPv6 address, of which it may use any. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  while (groups.length + last.length < 8) groups.push('0');
  return [...groups, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Some proxies append the client's port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** An IPv4 address that came through an IPv6 socket is an IPv4 address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
