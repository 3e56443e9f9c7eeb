import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/tax-claims.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { declareTaxClaim, readTaxClaim, readTaxLetter, withdrawTaxClaim } from './tax-claims.ts';

/** The letter in base64, and the rest of the body. */
const bodyLimit = calls.maxLetterChars + 4096;

export function taxClaimsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readTaxClaim, ({ owner }) => readTaxClaim(portal, owner));

  handle(app, portal, calls.declareTaxClaim, ({ owner, body }) => declareTaxClaim(portal, owner, body), {
    perMinute: 10,
    bodyLimit,
  });

  handle(app, portal, calls.withdrawTaxClaim, async ({ owner }) => {
    await withdrawTaxClaim(portal, owner);
    return done;
  });

  handle(app, portal, calls.readTaxLetter, ({ owner }) => readTaxLetter(portal, owner));
}
