import type { IncomingMessage, ServerResponse } from 'node:http';
import { replayedHeader } from '#domain/metering.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';
import { rateLimitHeaderNames } from '#gateway/quota/rate-limit-headers.ts';

/** Lets the portal's pages, and no others, call the gateway from a browser. */
export interface Cors {
  /** Answers a preflight request; false when this is none. A preflight carries no key, so it neither asks for one nor counts. */
  answerPreflight: (req: IncomingMessage, res: ServerResponse, requestId: string) => boolean;
  /** The fields that let the page read this answer, as lines. */
  linesFor: (req: IncomingMessage) => string;
}

/** What a page may read of an answer beside the quotas and the few fields that every page may. */
const exposedFields = ['Retry-After', 'X-Request-Id', 'Content-Disposition', 'Octroi-Mode', replayedHeader];

export function allowOrigin(portalUrl: string): Cors {
  const { origin } = new URL(portalUrl);
  const exposed = [...rateLimitHeaderNames, ...exposedFields].join(', ');
  const allowed = formatHeaders([
    'Access-Control-Allow-Origin',
    origin,
    'Vary',
    'Origin',
    'Access-Control-Expose-Headers',
    exposed,
  ]);
  return {
    answerPreflight: (req, res, requestId) => {
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
    linesFor: (req) => (req.headers.origin === origin ? allowed : ''),
  };
}
