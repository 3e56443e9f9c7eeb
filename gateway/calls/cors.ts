import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { replayedHeader } from '#shared/domain/metering.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';
import { rateLimitHeaderNames, unitsHeader } from '#gateway/quota/rate-limit-headers.ts';

/** Allows calls from browsers: from the portal's pages, and from those that a product allows. */
export interface Cors {
  /** Responds to a preflight request; returns false for other requests. Preflights carry no key and are never counted. */
  handlePreflight: (req: IncomingMessage, res: ServerResponse, requestId: string) => boolean;
  /** The CORS headers of a response, formatted. */
  headerLinesFor: (req: IncomingMessage) => string;
}

/** Response headers that pages may read, besides the rate-limit headers. */
const exposedHeaders = [
  'Retry-After',
  'X-Request-Id',
  'ETag',
  'Location',
  'Allow',
  'WWW-Authenticate',
  'Accept-Ranges',
  'Content-Range',
  'Content-Encoding',
  'Content-Disposition',
  'Octroi-Mode',
  'Deprecation',
  'Sunset',
  'Link',
  unitsHeader,
  replayedHeader,
];
/** Request headers that pages may send: those of the gateway, and the conditions and ranges of HTTP itself (RFC 9110 §13 and §14). */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'X-API-Key',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Range',
];

/** What pages of allowed origins may do. */
interface Policy {
  /** Whether every origin is allowed. */
  any: boolean;
  origins: ReadonlySet<string>;
  methods: string;
  headers: string;
  exposed: string;
}

function policyOf(portalOrigin: string, cors?: Product['gateway']['cors']): Policy {
  const listed = Array.isArray(cors?.origins) ? cors.origins : [];
  return {
    any: cors?.origins === 'any',
    origins: new Set([portalOrigin, ...listed]),
    methods: (cors?.methods ?? ['GET', 'HEAD']).join(', '),
    headers: [...requestHeaders, ...(cors?.headers ?? [])].join(', '),
    exposed: [...rateLimitHeaderNames, ...exposedHeaders, ...(cors?.expose ?? [])].join(', '),
  };
}

/** The value of Access-Control-Allow-Origin; undefined for an origin that is not allowed. */
const allowed = (policy: Policy, origin: string): string | undefined => {
  // The portal's own origin first: its responses name it, whatever else a product allows.
  if (policy.origins.has(origin)) return origin;
  return policy.any ? '*' : undefined;
};

export function createCors(portalUrl: string, { products }: Catalog): Cors {
  const { origin: portalOrigin } = new URL(portalUrl);
  const own = policyOf(portalOrigin);
  const byPath = new Map(
    products.map(({ gatewayPath, gateway }) => [gatewayPath, policyOf(portalOrigin, gateway.cors)]),
  );
  const policyFor = ({ url = '' }: IncomingMessage): Policy => byPath.get(url.split(/[/?]/, 2)[1] ?? '') ?? own;

  return {
    handlePreflight: (req, res, requestId) => {
      if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;
      const policy = policyFor(req);
      const origin = allowed(policy, req.headers.origin ?? '');
      const granted =
        origin === undefined
          ? []
          : [
              'Access-Control-Allow-Origin',
              origin,
              'Access-Control-Allow-Methods',
              policy.methods,
              'Access-Control-Allow-Headers',
              policy.headers,
              'Access-Control-Max-Age',
              '600',
            ];
      res.writeHead(204, ['Vary', 'Origin', 'X-Request-Id', requestId, ...granted]);
      res.end();
      return true;
    },
    headerLinesFor: (req) => {
      const { origin } = req.headers;
      if (origin === undefined) return '';
      const policy = policyFor(req);
      const value = allowed(policy, origin);
      if (value === undefined) return '';
      return formatHeaders([
        'Access-Control-Allow-Origin',
        value,
        'Vary',
        'Origin',
        'Access-Control-Expose-Headers',
        policy.exposed,
      ]);
    },
  };
}
