import { z } from 'zod';

/** How the gateway serves a product, beyond its address. Everything is optional; a product without options costs nothing more per call. */

const nameOfHeader = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of an HTTP header')
  .refine(
    (name) => !framing.has(name.toLowerCase()),
    'is a header about the connection, which the gateway sets itself',
  );
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const headerValue = z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII');
const addedHeaders = z.record(nameOfHeader, headerValue).default({});
const headerNames = z.array(nameOfHeader).default([]);

/** The key of a call and the gateway's own headers never reach an upstream as the caller sent them. */
const neverPassed = /^(?:authorization|x[-_]api[-_]key|x[-_](?:octroi|forwarded)[-_].*)$/i;
const passedHeaders = z
  .array(nameOfHeader.refine((name) => !neverPassed.test(name), 'is a header that no upstream may see from a caller'))
  .default([]);

/** Of every variable that a catalogue may name. No setting of Octroi begins with it: a catalogue, which comes over HTTP too, must not read those. */
export const secretPrefix = 'CATALOG_SECRET_';
const secretName = z
  .string()
  .regex(/^CATALOG_SECRET_[A-Z0-9_]+$/, `must begin with ${secretPrefix}: a catalogue can read no other variable`);
/** Below one folder, which is chosen on the machine. */
const secretFile = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/,
    'must be a file in the folder CATALOG_SECRETS_DIR of the gateway, such as weather-key: a catalogue can read no other file',
  );

/** Where a secret comes from: the environment, or a file. A secret never stands in the catalogue. */
const secretSource = z.union(
  [z.strictObject({ env: secretName }), z.strictObject({ file: secretFile })],
  `must be { env: ${secretPrefix}… } or { file: name }, a file in the folder CATALOG_SECRETS_DIR of the gateway`,
);
export type SecretSource = z.output<typeof secretSource>;

const credentials = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), name: nameOfHeader, value: secretSource }),
  z.strictObject({ type: z.literal('bearer'), token: secretSource }),
  z.strictObject({ type: z.literal('basic'), user: headerValue.min(1), password: secretSource }),
  // RFC 9421 with hmac-sha256 over @method, @path and @query.
  z.strictObject({ type: z.literal('hmac'), keyId: headerValue.min(1), secret: secretSource }),
]);
/** How the gateway identifies itself to an upstream. */
export type Credentials = z.output<typeof credentials>;

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an origin such as https://app.example.com' })
  .refine((value) => URL.canParse(value) && new URL(value).origin === value, 'must be an origin, without a path');
const method = z.string().regex(/^[A-Z]{1,20}$/, 'must be an HTTP method in capital letters');

export const gatewayOptions = z.strictObject({
  /** `versioned`: /v1/… and /v2/… only; `any`: every path. */
  paths: z.enum(['versioned', 'any']).default('versioned'),
  /** Milliseconds without a response, or between two parts of one; default: UPSTREAM_TIMEOUT_MS. */
  timeoutMs: z.int().min(100).max(600_000).optional(),
  /** Bytes of a request body; default: MAX_BODY_BYTES. */
  maxBodyBytes: z.int().min(1024).max(1_073_741_824).optional(),
  /** Calls at the same time; default: UPSTREAM_CONNECTIONS. */
  connections: z.int().min(1).max(65_536).optional(),
  /** How often a GET or HEAD is sent again after a reset connection. */
  retries: z.int().min(0).max(3).default(1),
  credentials: z.array(credentials).default([]),
  requestHeaders: z
    .strictObject({
      add: addedHeaders,
      /** Pass although the gateway drops them by default, such as Cookie. */
      pass: passedHeaders,
      drop: headerNames,
    })
    .prefault({}),
  responseHeaders: z.strictObject({ add: addedHeaders, drop: headerNames }).prefault({}),
  cors: z
    .strictObject({
      /** Pages that may call from a browser: the portal's (always), those of a list, or all. */
      origins: z.union([z.enum(['portal', 'any']), z.array(origin).min(1)]).default('portal'),
      methods: z.array(method).min(1).default(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
      /** Request headers, besides the gateway's and those of conditional and range requests. */
      headers: headerNames,
      /** Response headers that pages may read, besides the gateway's and those of HTTP itself such as ETag. */
      expose: headerNames,
    })
    .prefault({}),
  /** For https upstreams. Files in PEM form, where secrets are. */
  tls: z
    .strictObject({
      ca: secretFile.optional(),
      certificate: secretFile.optional(),
      key: secretSource.optional(),
    })
    .refine(({ certificate, key }) => (certificate === undefined) === (key === undefined), {
      error: 'certificate and key must be given together',
    })
    .optional(),
  /** Asked regularly; a product that fails is reported by the gateway's /health and in its log. */
  health: z
    .strictObject({
      path: z.string().regex(/^\/[\x21-\x7e]*$/, 'must be a path that begins with /'),
      everySeconds: z.int().min(1).max(3600).default(15),
    })
    .optional(),
});

/** Names of the headers that the gateway adds to requests for a product; callers neither send nor see them. */
export function addedHeaderNames({ credentials: all, requestHeaders }: GatewayOptions): string[] {
  const identifying = all.flatMap((one) => {
    if (one.type === 'header') return [one.name];
    return one.type === 'hmac' ? ['Signature', 'Signature-Input'] : ['Authorization'];
  });
  return [...Object.keys(requestHeaders.add), ...identifying];
}

/** Names of the files with secrets; certificates are none. */
export function secretFiles({ credentials: all, tls }: GatewayOptions): string[] {
  const sources = all.map((one) => {
    if (one.type === 'header') return one.value;
    if (one.type === 'bearer') return one.token;
    return one.type === 'basic' ? one.password : one.secret;
  });
  return [...sources, tls?.key].flatMap((source) => (source !== undefined && 'file' in source ? [source.file] : []));
}

/** The gateway's options of a product. */
export type GatewayOptions = z.output<typeof gatewayOptions>;

/** What a product without options has. */
export const defaultGatewayOptions: GatewayOptions = gatewayOptions.parse({});
