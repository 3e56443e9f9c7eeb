import type { IncomingMessage, ServerResponse } from 'node:http';
import { replayedHeader } from '#domain/metering.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';
import { rateLimitHeaderNames } from '#gateway/quota/rate-limit-headers.ts';

/** Allows browser calls from the portal's pages only. */
export interface Cors {
  /** Responds to a preflight request; returns false for other requests. Preflights carry no key and are never counted. */
  handlePreflight: (req: IncomingMessage, res: ServerResponse, requestId: string) => boolean;
  /** The CORS headers of a response, formatted. */
  headerLinesFor: (req: IncomingMessage) => string;
}

/** Response headers that pages may read, besides the rate-limit headers. */
const exposedHeaders = ['Retry-After', 'X-Request-Id', 'Content-Disposition', 'Octroi-Mode', replayedHeader];

export function allowOrigin(portalUrl: string): Cors {
  const { origin } = new URL(portalUrl);
  const exposed = [...rateLimitHeaderNames, ...exposedHeaders].join(', ');
  const allowed = formatHeaders([
    'Access-Control-Allow-Origin',
    origin,
    'Vary',
    'Origin',
    'Access-Control-Expose-Headers',
    exposed,
  ]);
  return {
    handlePreflight: (req, res, requestId) => {
      if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;
      const granted = [
        'Access-Control-Allow-Origin',
        origin,
        'Access-Control-Allow-Methods',
        'GET, HEAD, POST, PUT, PATCH, DELETE',
        'Access-Control-Allow-Headers',
        'Authorization, Content-Type, X-API-Key, Idempotency-Key, Irp-Username, Irp-Password',
        'Access-Control-Max-Age',
        '600',
      ];
      res.writeHead(204, [
        'Vary',
        'Origin',
        'X-Request-Id',
        requestId,
        ...(req.headers.origin === origin ? granted : []),
      ]);
      res.end();
      return true;
    },
    headerLinesFor: (req) => (req.headers.origin === origin ? allowed : ''),
  };
}
