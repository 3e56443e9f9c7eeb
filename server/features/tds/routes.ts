import type { FastifyInstance } from 'fastify';
import { maxLetterChars } from '#shared/contract/tax-claims.ts';
import * as calls from '#shared/contract/tds.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { declareTds, readTdsCertificate } from './tds.ts';

/** The certificate in base64, and the rest of the body. */
const bodyLimit = maxLetterChars + 4096;

export function tdsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(
    app,
    portal,
    calls.declareTds,
    ({ owner, params, body }) => declareTds(portal, owner, params.billingCycleId, body),
    { perMinute: 10, bodyLimit },
  );

  handle(app, portal, calls.readTdsCertificate, ({ owner, params }) =>
    readTdsCertificate(portal, owner, params.billingCycleId),
  );
}
