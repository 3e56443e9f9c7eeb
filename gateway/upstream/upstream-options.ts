import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import type { Product } from '#catalog/catalog.ts';
import {
  addedHeaderNames,
  type Credentials,
  type GatewayOptions,
  type SecretSource,
} from '#catalog/gateway-options.ts';
import { createHeaderFilter } from '#gateway/http/header-rules.ts';
import { fileReason } from '#shared/platform/file-reason.ts';
import { ConfigFaults } from '#shared/platform/read-config.ts';
import { readRegularFile } from '#shared/platform/read-regular-file.ts';
import { signRequest } from './message-signature.ts';

/** Which headers an upstream receives, besides those of every product. */
export interface RequestChanges {
  passes: (name: string) => boolean;
  /** Added headers and credentials, as a flat list. */
  headersFor: (method: string, target: string) => string[];
}

/** TLS to an upstream: PEM texts. */
export interface UpstreamTls {
  ca?: string;
  cert?: string;
  key?: string;
}

/** The options of a product with its secrets read. */
export interface UpstreamOptions {
  request: RequestChanges | undefined;
  /** Changes the headers of a response, a flat list. */
  changeResponse: ((head: string[]) => string[]) | undefined;
  tls: UpstreamTls | undefined;
  /** Differs when a secret does. */
  secretsHash: string;
}

/** Where secrets of a catalogue are, and nothing else: what it may read is decided on the machine. */
export interface SecretPlaces {
  /** Variables that are named for it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Its files lie below this one, an absolute path. */
  folder: string;
}

const maxSecretBytes = 1024 * 1024;

/** Reads the secrets of every product's options, by its id. Throws ConfigFaults listing each one that is missing. */
export function readUpstreamOptions(products: readonly Product[], places: SecretPlaces): Map<string, UpstreamOptions> {
  const faults: string[] = [];
  const options = new Map(
    products.map(({ id, gateway }) => {
      const secrets = createHash('sha256');
      const read = (source: SecretSource): string => {
        const secret = readSecret(source, places, `the catalogue file of ${id}`, faults);
        secrets.update(JSON.stringify([source, secret]));
        return secret;
      };
      const changes = { ...headerChanges(gateway, read), tls: readTls(gateway, read) };
      return [id, { ...changes, secretsHash: secrets.digest('hex') }] as const;
    }),
  );
  if (faults.length > 0) throw new ConfigFaults(faults);
  return options;
}

function readSecret(source: SecretSource, { env, folder }: SecretPlaces, usedBy: string, faults: string[]): string {
  if ('env' in source) {
    const value = env[source.env];
    if (value !== undefined && value !== '') return value;
    faults.push(`${source.env} is not set; ${usedBy} needs it.`);
    return '';
  }
  return readTextFile(source.file, folder, usedBy, faults);
}

function readTextFile(name: string, folder: string, usedBy: string, faults: string[]): string {
  const path = join(folder, name);
  if (!path.startsWith(`${folder}${sep}`)) {
    faults.push(`${name} is outside of ${folder} (CATALOG_SECRETS_DIR); ${usedBy} names it.`);
    return '';
  }
  try {
    const text = readRegularFile(path, maxSecretBytes).toString().trimEnd();
    if (text !== '') return text;
    faults.push(`${path} is empty; ${usedBy} needs it.`);
  } catch (error) {
    faults.push(`${path} cannot be read; ${usedBy} needs it (${fileReason(error)}).`);
  }
  return '';
}

function headerChanges(
  gateway: GatewayOptions,
  read: (source: SecretSource) => string,
): Pick<UpstreamOptions, 'request' | 'changeResponse'> {
  const { credentials, requestHeaders, responseHeaders } = gateway;
  const { add, pass, drop } = requestHeaders;
  const fixed = Object.entries(add).flat();
  const makers = credentials.map((one) => credentialHeaders(one, read));
  const changesRequest = fixed.length > 0 || pass.length > 0 || drop.length > 0 || makers.length > 0;
  return {
    request: changesRequest
      ? {
          // A header that the gateway adds is dropped from the caller's: nobody can forge it.
          passes: createHeaderFilter(pass, [...drop, ...addedHeaderNames(gateway)]),
          headersFor: (method, target) => [...fixed, ...makers.flatMap((make) => make(method, target))],
        }
      : undefined,
    changeResponse: responseChanges(responseHeaders),
  };
}

type HeaderMaker = (method: string, target: string) => string[];

const always =
  (name: string, value: string): HeaderMaker =>
  () => [name, value];

function credentialHeaders(credentials: Credentials, read: (source: SecretSource) => string): HeaderMaker {
  if (credentials.type === 'header') return always(credentials.name, read(credentials.value));
  if (credentials.type === 'bearer') return always('Authorization', `Bearer ${read(credentials.token)}`);
  if (credentials.type === 'basic') {
    const pair = Buffer.from(`${credentials.user}:${read(credentials.password)}`).toString('base64');
    return always('Authorization', `Basic ${pair}`);
  }
  const { keyId } = credentials;
  const secret = Buffer.from(read(credentials.secret));
  return (method, target) => signRequest(method, target, keyId, secret);
}

function responseChanges({ add, drop }: GatewayOptions['responseHeaders']): ((head: string[]) => string[]) | undefined {
  const added = Object.entries(add).flat();
  const removed = new Set([...drop, ...Object.keys(add)].map((name) => name.toLowerCase()));
  if (removed.size === 0) return undefined;
  return (head) => {
    const kept = head.filter((_part, index) => !removed.has(head[index - (index % 2)]?.toLowerCase() ?? ''));
    return [...kept, ...added];
  };
}

/** Files are read when the gateway starts and with each new version of the catalogue. */
function readTls({ tls }: GatewayOptions, read: (source: SecretSource) => string): UpstreamTls | undefined {
  if (tls === undefined) return undefined;
  return {
    ...(tls.ca === undefined ? {} : { ca: read({ file: tls.ca }) }),
    ...(tls.certificate === undefined ? {} : { cert: read({ file: tls.certificate }) }),
    ...(tls.key === undefined ? {} : { key: read(tls.key) }),
  };
}
