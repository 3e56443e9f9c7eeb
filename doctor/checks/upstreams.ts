import { existsSync } from 'node:fs';
import type { Catalog } from '#catalog/catalog.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';
import { runningGateways } from '#doctor/probe.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { readSandboxes, readUpstreams, secretPlaces } from '#gateway/config.ts';
import { readUpstreamOptions, type UpstreamTls } from '#gateway/upstream/upstream-options.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { examineCalls } from './calls.ts';
import {
  askUpstream,
  certificateFault,
  comesBack,
  perhapsComesBack,
  trustItsCertificate,
  whereSet,
} from './upstream-address.ts';

export const upstreams: Check = {
  name: 'upstreams',
  about:
    'does a call with a key reach every API through each gateway and GATEWAY_URL, and come back? Does what is in front tell the caller’s address, and take bodies and headers as large as Octroi does (with --slow: wait as long)?',
  examine: async (installation) => {
    const { catalog, db } = installation;
    if (catalog === undefined) return [unchecked('There is no catalogue to read.')];
    const running = db === undefined ? [] : await runningGateways(db);
    const ids = running.map(({ id }) => id);
    // A gateway knows where it sends calls, and whether it gets there; without one, the settings here are all there is.
    return ids.length > 0 ? examineCalls(installation, catalog, ids) : askFromHere(installation, catalog);
  },
};

async function askFromHere({ env, gateway }: Installation, catalog: Catalog): Promise<Finding[]> {
  const options = readUpstreamOptions(catalog.products, secretPlaces({ env }));
  const addresses = [...readUpstreams(catalog, { env }), ...readSandboxes(catalog, { env })];
  const asked = groupBy(addresses, ([, url]) => url);
  return Promise.all(
    [...asked].map(async ([url, uses]) => {
      const ids = [...new Set(uses.map(([productId]) => productId))];
      if (isGatewayItself(url, gateway)) return comesBack(url, ids);
      const path = catalog.find(ids[0] ?? '')?.gateway.health?.path ?? '/';
      const isBelow = gateway.gatewayUrl !== undefined && new URL(gateway.gatewayUrl).origin === new URL(url).origin;
      return examineUpstream({ url, path, ids, isBelow, tls: options.get(ids[0] ?? '')?.tls });
    }),
  );
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** On this machine by its port; elsewhere by GATEWAY_URL. A proxy may serve what lies below from elsewhere, so its reply tells. */
function isGatewayItself(url: string, { gatewayPort, gatewayUrl }: Installation['gateway']): boolean {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  if (loopback.has(hostname) && Number(port || (protocol === 'https:' ? 443 : 80)) === gatewayPort) return true;
  if (gatewayUrl === undefined) return false;
  const own = new URL(gatewayUrl);
  return origin === own.origin && withoutSlash(pathname) === withoutSlash(own.pathname);
}

interface Upstream {
  url: string;
  /** Asked to learn whether it is well. */
  path: string;
  ids: readonly string[];
  /** On the host of GATEWAY_URL. */
  isBelow: boolean;
  tls: UpstreamTls | undefined;
}

async function examineUpstream({ url, path, ids, isBelow, tls }: Upstream): Promise<Finding> {
  const names = ids.join(' and ');
  const means = `Calls of ${names} get 502 or 503, and are not counted.`;
  const at = `${url}${path}`;
  if (url.startsWith('file:')) {
    const file = url.slice('file:'.length);
    if (existsSync(file)) return fine(`${names} runs inside the gateway.`);
    return fault(`The module ${file} of ${names} does not exist.`, means, 'Run npm run build, or correct the setting.');
  }
  try {
    const { status, isGateway } = await askUpstream(at, tls);
    // A gateway has a /health of its own; an API need not answer elsewhere.
    const root = path === '/' ? undefined : await askUpstream(`${url}/`, tls).catch(() => undefined);
    if (isGateway || root?.isGateway) return (isBelow ? comesBack : perhapsComesBack)(url, ids);
    if (status < 500) return fine(`${names} answers at ${at}.`);
    return warning(`${names} answers at ${at} with ${status}.`, means, 'Look at the log of that API.');
  } catch (error) {
    return fault(
      `${names} cannot be reached at ${at}: ${reasonOf(error)}.`,
      means,
      certificateFault(error) === undefined
        ? `Start that API, or correct its address: ${whereSet(ids)}.`
        : trustItsCertificate,
    );
  }
}
