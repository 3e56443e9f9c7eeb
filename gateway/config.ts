import { join } from 'node:path';
import { z } from 'zod';
import type { Catalog } from '#catalog/catalog.ts';
import { onlyHttps, productionFaults, type ProductionRule } from '#platform/production-rules.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { type ConfigSource, readConfig } from '#platform/read-config.ts';
import {
  choice,
  networks,
  nodeEnv,
  port,
  secret,
  text,
  upstreamAddress,
  webAddress,
  wholeNumber,
} from '#platform/settings.ts';

export const gatewaySettings = z.object({
  gatewayPort: port(4100, 'Port of the gateway'),
  gatewayHost: text('Address the gateway listens on').default('127.0.0.1'),
  databaseUrl: secret('Address of the PostgreSQL database'),
  dataDir: text('Folder for everything that is kept').default('./data'),
  journalDir: text(
    "Folder of this gateway's journal; each gateway needs its own (default: journal in DATA_DIR)",
  ).optional(),
  catalogDir: text('Folder of the catalogue').default(projectFolder('catalog')),
  gatewayUrl: webAddress('Address under which API callers reach the gateway').default('http://localhost:4100'),
  portalUrl: webAddress('Address of the portal').default('http://localhost:4000'),
  maxBodyBytes: wholeNumber(1_048_576, 1024, 1_073_741_824, 'Largest body of a request to an API, in bytes'),
  upstreamTimeoutMs: wholeNumber(30_000, 100, 600_000, 'How long an API may take to answer'),
  trustedProxies: networks(
    'Proxies in front of the gateway, as addresses or networks with commas between; they are believed who called',
  ),
  testKeyRps: wholeNumber(20, 1, 10_000, 'Calls per second of all test keys that a customer has for one API'),
  upstreamConnections: wholeNumber(256, 1, 65_536, 'How many calls an API is sent at a time; more wait in fair turn'),
  upstreamPatienceMs: wholeNumber(1000, 10, 60_000, 'How long calls may wait for that before further ones are refused'),
  busyDelayMs: wholeNumber(
    1000,
    10,
    60_000,
    'How long a call may wait (ms) until the gateway begins with it; every second later one is refused',
  ),
  nodeShortcuts: choice(
    ['checked', 'off'],
    'checked',
    'What Node does not document: used where a check at the start finds that it works, or not at all (slower)',
  ),
  nodeEnv,
  logLevel: choice(['debug', 'info', 'warn', 'error'], 'info', 'Least important level that is logged'),
});

export type GatewayConfig = Omit<z.output<typeof gatewaySettings>, 'journalDir'> & { journalDir: string };

/** What a gateway refuses in production. */
export const gatewayProductionRules: readonly ProductionRule<typeof gatewaySettings>[] = [
  { setting: 'gatewayUrl', ...onlyHttps },
  { setting: 'portalUrl', ...onlyHttps },
];

/** Throws ConfigFaults with every fault at once. */
export function readGatewayConfig(source: ConfigSource): GatewayConfig {
  const config = readConfig(gatewaySettings, source, (read) =>
    productionFaults(gatewaySettings, gatewayProductionRules, read),
  );
  return { ...config, journalDir: config.journalDir ?? join(config.dataDir, 'journal') };
}

/** Where each product is forwarded to, by its id: UPSTREAM_TAX_LOOKUP_API overrides the catalogue. Throws ConfigFaults. */
export function readUpstreams(catalog: Catalog, source: ConfigSource): Map<string, string> {
  return readAddresses(
    'upstream',
    catalog.products.map(({ id, name, upstreamUrl }) => [id, name, upstreamUrl]),
    source,
  );
}

/** The same for calls of test keys, of products that have a sandbox: SANDBOX_TAX_LOOKUP_API overrides the catalogue. */
export function readSandboxes(catalog: Catalog, source: ConfigSource): Map<string, string> {
  return readAddresses(
    'sandbox',
    catalog.products.flatMap(({ id, name, sandbox }) =>
      sandbox === undefined ? [] : [[id, `test calls of ${name}`, sandbox.upstreamUrl]],
    ),
    source,
  );
}

function readAddresses(
  kind: 'upstream' | 'sandbox',
  defaults: readonly (readonly [id: string, what: string, address: string])[],
  source: ConfigSource,
): Map<string, string> {
  const shape = Object.fromEntries(
    defaults.map(([id, what, address]) => [
      settingName(kind, id),
      upstreamAddress(`Where the gateway forwards ${what} to`).default(address),
    ]),
  );
  const read = readConfig(z.object(shape), source);
  return new Map(defaults.map(([id, , address]) => [id, read[settingName(kind, id)] ?? address]));
}

/** `tax-lookup-api` → `upstreamTaxLookupApi`, in the environment UPSTREAM_TAX_LOOKUP_API. */
function settingName(kind: string, productId: string): string {
  return `${kind}${productId.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase())}`;
}
