import { createHash, X509Certificate } from 'node:crypto';
import { join, sep } from 'node:path';
import { createSecureContext } from 'node:tls';
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
  /** Why the product can't be served: what is missing, or can't be used. */
  faults: readonly string[];
}

/** Where secrets of a catalogue are, and nothing else: what it may read is decided on the machine. */
export interface SecretPlaces {
  /** Variables that are named for it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Its files lie below this one, an absolute path. */
  folder: string;
}

const maxSecretBytes = 1024 * 1024;

/** What a secret has to be: a reason why a text isn't that, without the text. */
type Unfit = (secret: string) => string | undefined;

type ReadSecret = (source: SecretSource, unfit?: Unfit) => string;

/** Reads the secrets of every product's options, by its id. */
export function readUpstreamOptions(products: readonly Product[], places: SecretPlaces): Map<string, UpstreamOptions> {
  return new Map(
    products.map(({ id, gateway }) => {
      const faults: string[] = [];
      const secrets = createHash('sha256');
      const usedBy = `the catalogue file of ${id}`;
      const read: ReadSecret = (source, unfit) => {
        const secret = readSecret(source, places, usedBy, faults);
        const why = secret === '' ? undefined : unfit?.(secret);
        if (why !== undefined) faults.push(`${placeOf(source, places)} ${why}; ${usedBy} needs it.`);
        secrets.update(JSON.stringify([source, secret]));
        return secret;
      };
      const changes = { ...headerChanges(gateway, read), tls: readTls(gateway, read) };
      return [id, { ...changes, secretsHash: secrets.digest('hex'), faults }] as const;
    }),
  );
}

/** Why products can't be served: all secrets that are missing or can't be used. */
export const faultsOf = (options: ReadonlyMap<string, UpstreamOptions>): string[] =>
  [...options.values()].flatMap(({ faults }) => faults);

/** Throws ConfigFaults, which lists them. */
export function requireSecrets(options: ReadonlyMap<string, UpstreamOptions>): void {
  const faults = faultsOf(options);
  if (faults.length > 0) throw new ConfigFaults(faults);
}

const placeOf = (source: SecretSource, { folder }: SecretPlaces): string =>
  'env' in source ? source.env : join(folder, source.file);

function readSecret(source: SecretSource, places: SecretPlaces, usedBy: string, faults: string[]): string {
  const place = placeOf(source, places);
  if ('env' in source) {
    const value = places.env[source.env];
    if (value !== undefined && value !== '') return value;
    faults.push(`${place} is not set; ${usedBy} needs it.`);
    return '';
  }
  if (!place.startsWith(`${places.folder}${sep}`)) {
    faults.push(`${source.file} is outside of ${places.folder} (CATALOG_SECRETS_DIR); ${usedBy} names it.`);
    return '';
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(place, maxSecretBytes)).trimEnd();
    if (text !== '') return text;
    faults.push(`${place} is empty; ${usedBy} needs it.`);
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not text in UTF-8' : fileReason(error);
    faults.push(`${place} cannot be read; ${usedBy} needs it (${reason}).`);
  }
  return '';
}

/** As HTTP has header values: one line, no control characters, and no letters beyond Latin-1 (RFC 9110 §5.5). */
const unfitForHeader: Unfit = (secret) => {
  if (/[\r\n]/.test(secret)) return 'has a line break, which no header can have';
  return /^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(secret) ? undefined : 'has a character that no header can have';
};

/** User and password of basic authentication have no control characters (RFC 7617 §2); other letters are encoded. */
const unfitForBasic: Unfit = (secret) =>
  /\p{Cc}/u.test(secret) ? 'has a line break or another control character, which no password can have' : undefined;

function headerChanges(gateway: GatewayOptions, read: ReadSecret): Pick<UpstreamOptions, 'request' | 'changeResponse'> {
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

function credentialHeaders(credentials: Credentials, read: ReadSecret): HeaderMaker {
  if (credentials.type === 'header') return always(credentials.name, read(credentials.value, unfitForHeader));
  if (credentials.type === 'bearer')
    return always('Authorization', `Bearer ${read(credentials.token, unfitForHeader)}`);
  if (credentials.type === 'basic') {
    const pair = Buffer.from(`${credentials.user}:${read(credentials.password, unfitForBasic)}`).toString('base64');
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
function readTls({ tls }: GatewayOptions, read: ReadSecret): UpstreamTls | undefined {
  if (tls === undefined) return undefined;
  const cert = tls.certificate === undefined ? undefined : read({ file: tls.certificate }, unfitAsCertificate);
  return {
    ...(tls.ca === undefined ? {} : { ca: read({ file: tls.ca }, unfitAsCertificate) }),
    ...(cert === undefined ? {} : { cert }),
    ...(tls.key === undefined ? {} : { key: read(tls.key, unfitAsKeyOf(cert)) }),
  };
}

const unfitAsCertificate: Unfit = (pem) =>
  fails(() => new X509Certificate(pem)) ? 'is not a certificate in PEM form' : undefined;

const unfitAsKeyOf =
  (cert = ''): Unfit =>
  (key) => {
    if (fails(() => createSecureContext({ key }))) return 'is not a private key in PEM form';
    if (cert === '' || unfitAsCertificate(cert) !== undefined) return undefined;
    return fails(() => createSecureContext({ key, cert })) ? 'is not the key of the certificate beside it' : undefined;
  };

function fails(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}
