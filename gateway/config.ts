import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Catalog } from '#catalog/catalog.ts';
import { secretPrefix } from '#catalog/gateway-options.ts';
import type { SecretPlaces } from '#gateway/upstream/upstream-options.ts';
import { onlyHttps, onThisMachine, productionFaults, type ProductionRule } from '#shared/platform/production-rules.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type ConfigSource, readConfig } from '#shared/platform/read-config.ts';
import {
  choice,
  logLevel,
  metricsHost,
  metricsPort,
  networks,
  nodeEnv,
  port,
  rehearsal,
  secret,
  text,
  upstreamAddress,
  webAddress,
  wholeNumber,
} from '#shared/platform/settings.ts';
import { requestLogUrl } from '#shared/request-log/settings.ts';
import { tracingSettings } from '#shared/platform/tracing-settings.ts';

export const gatewaySettings = z.object({
  gatewayPort: port(4100, 'Port of the gateway'),
  gatewayHost: text('Address the gateway listens on').default('127.0.0.1'),
  databaseUrl: secret('Address of the PostgreSQL database'),
  requestLogUrl: requestLogUrl(),
  dataDir: text('Folder for everything that must be kept: the database, journals, logs').default('./data'),
  journalDir: text(
    "Folder of this gateway's journal; each gateway needs a separate one (default: journal in DATA_DIR)",
  ).optional(),
  catalogDir: text('Folder of the catalogue: octroi catalog apply puts it on sale').default(projectFolder('catalog')),
  catalogSecretsDir: text(
    'Folder of the files that a catalogue may name as secrets, keys and certificates of APIs (default: catalog-secrets in DATA_DIR)',
  ).optional(),
  gatewayUrl: webAddress('Public address of the gateway').default('http://localhost:4100'),
  portalUrl: webAddress('Address of the portal').default('http://localhost:4000'),
  maxBodyBytes: wholeNumber(1_048_576, 1024, 1_073_741_824, 'Maximum size (bytes) of a request body'),
  maxHeadBytes: wholeNumber(
    16_384,
    8192,
    1_048_576,
    'Maximum size (bytes) of the headers of a request, with its request line, and of a response of an API',
  ),
  upstreamTimeoutMs: wholeNumber(30_000, 100, 600_000, 'Timeout (ms) for responses of an API'),
  trustedProxies: networks(
    'Proxies in front of the gateway whose X-Forwarded-For is trusted: addresses or networks, separated by commas',
  ),
  testKeyRps: wholeNumber(20, 1, 10_000, 'Calls per second of all test keys of a customer together, per API'),
  upstreamConnections: wholeNumber(
    256,
    1,
    65_536,
    'Maximum concurrent calls to an API; further calls are queued, fairly by customer',
  ),
  upstreamQueueTimeoutMs: wholeNumber(
    1000,
    10,
    60_000,
    'Maximum age (ms) of the oldest queued call; while it is exceeded, new calls are refused',
  ),
  callerTimeoutMs: wholeNumber(
    30_000,
    100,
    600_000,
    'Time (ms) after which a caller that takes nothing of its response, or sends nothing of its request, is treated as disconnected',
  ),
  busyDelayMs: wholeNumber(
    1000,
    10,
    60_000,
    'Maximum time (ms) a call may wait before the gateway starts it; of the calls that waited longer, half are refused',
  ),
  databaseTimeoutMs: wholeNumber(
    2000,
    10,
    60_000,
    'Maximum time (ms) a call waits for the database, for its key or its quota; then it is refused and not counted',
  ),
  nodeShortcuts: choice(
    ['checked', 'off'],
    'checked',
    'Undocumented features of Node: used if they pass a check at start-up (checked), or not at all (off, slower)',
  ),
  accessLog: text(
    'File for one line of JSON per call, such as /var/log/octroi/access.log or /dev/stdout; each gateway needs a separate one, and without it none is written',
  ).optional(),
  ...tracingSettings,
  gatewayMetricsPort: metricsPort('the gateway'),
  metricsHost,
  nodeEnv,
  rehearsal,
  logLevel,
});

export type GatewayConfig = Omit<z.output<typeof gatewaySettings>, 'journalDir'> & { journalDir: string };

/** Settings that a gateway refuses in production. */
export const gatewayProductionRules: readonly ProductionRule<typeof gatewaySettings>[] = [
  { setting: 'gatewayUrl', ...onlyHttps },
  { setting: 'portalUrl', ...onlyHttps },
  { setting: 'gatewayUrl', ...onThisMachine },
  { setting: 'portalUrl', ...onThisMachine },
];

/** Throws ConfigFaults, which lists all invalid settings. */
export function readGatewayConfig(source: ConfigSource): GatewayConfig {
  const config = readConfig(gatewaySettings, source, (read) =>
    productionFaults(gatewaySettings, gatewayProductionRules, read),
  );
  return { ...config, journalDir: config.journalDir ?? join(config.dataDir, 'journal') };
}

/** What a catalogue may read on this machine: variables that are named for it, and the files of one folder. */
export function secretPlaces(source: ConfigSource): SecretPlaces {
  const { catalogSecretsDir, dataDir } = readConfig(
    gatewaySettings.pick({ catalogSecretsDir: true, dataDir: true }),
    source,
  );
  const named = Object.entries(source.env).filter(([name]) => name.startsWith(secretPrefix));
  return { env: Object.fromEntries(named), folder: resolve(catalogSecretsDir ?? join(dataDir, 'catalog-secrets')) };
}

/** The upstream address of each product, by its id; UPSTREAM_TAX_LOOKUP_API overrides the catalogue. Throws ConfigFaults. */
export function readUpstreams(catalog: Catalog, source: ConfigSource): Map<string, string> {
  return readAddresses(
    'upstream',
    catalog.products.map(({ id, name, upstreamUrl }) => [id, name, upstreamUrl]),
    source,
  );
}

/** The sandbox address of each product that has one, by its id; SANDBOX_TAX_LOOKUP_API overrides the catalogue. Throws ConfigFaults. */
export function readSandboxes(catalog: Catalog, source: ConfigSource): Map<string, string> {
  return readAddresses(
    'sandbox',
    catalog.products.flatMap(({ id, name, sandbox }) =>
      sandbox === undefined ? [] : [[id, `the sandbox of ${name}`, sandbox.upstreamUrl]],
    ),
    source,
  );
}

function readAddresses(
  kind: 'upstream' | 'sandbox',
  defaults: readonly (readonly [id: string, name: string, address: string])[],
  source: ConfigSource,
): Map<string, string> {
  const shape = Object.fromEntries(
    defaults.map(([id, name, address]) => [
      settingName(kind, id),
      upstreamAddress(`Upstream address of ${name}`).default(address),
    ]),
  );
  const read = readConfig(z.object(shape), source);
  return new Map(defaults.map(([id, , address]) => [id, read[settingName(kind, id)] ?? address]));
}

/** `tax-lookup-api` → `upstreamTaxLookupApi`, which is UPSTREAM_TAX_LOOKUP_API in the environment. */
export function settingName(kind: 'upstream' | 'sandbox', productId: string): string {
  return `${kind}${productId.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase())}`;
}
