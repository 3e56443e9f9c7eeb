import { BlockList, isIP } from 'node:net';

/**
 * IPv4 blocks that are not on the public internet (IANA's registry of special-purpose addresses), and Azure's platform
 * address, which looks public.
 */
const inwardIpv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Inside global unicast (2000::/3): protocols, documentation, and 6to4, which wraps an IPv4 address. */
const inwardIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const inward = new BlockList();
for (const [net, prefix] of inwardIpv4) inward.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of inwardIpv6) inward.addSubnet(net, prefix, 'ipv6');

/** All other IPv6 addresses are loopback, mapped IPv4, NAT64, local, link-local, multicast or unassigned: not public. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Is this IP address on the public internet? False for every special-purpose address, and for text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inward.check(address, 'ipv4');
  // Only link-local addresses have a zone (fe80::1%eth0).
  if (family !== 6 || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !inward.check(address, 'ipv6');
}

/** Is it this machine? */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
