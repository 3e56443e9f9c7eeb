import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { withoutHidden } from '#shared/domain/hidden-characters.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** Google does not limit the length of names; longer ones are cut between characters. */
const maxNameLength = 200;
const shownText = z
  .string()
  .default('')
  .transform((name) =>
    Array.from(withoutHidden(name).replaceAll(/\p{Cc}+/gu, ' '))
      .slice(0, maxNameLength)
      .join(''),
  );

/** Google's tokens are valid for an hour. */
const maxTokenAgeSeconds = 3600;

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string().min(1).max(200),
  // The address goes into mail headers: a line break would start another header.
  email: z
    .string()
    .min(3)
    .max(320)
    .regex(/^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u),
  // Boolean only: "true" as a string is not what Google sends.
  email_verified: z.literal(true),
  name: shownText,
  given_name: shownText,
  family_name: shownText,
  picture: z
    .string()
    .default('')
    .transform((address) => (address.length <= 2000 && /^https?:\/\//i.test(address) ? address : '')),
  azp: z.string().optional(),
  hd: z.string().max(200).toLowerCase().optional(),
});

/** The person in a verified token. `sub` is the identity; the e-mail address is only shown. */
export interface Identity {
  sub: string;
  nonce: string;
  email: string;
  name: string;
  givenName: string;
  familyName: string;
  picture: string;
  /** The Google Workspace that the account belongs to; personal accounts have none. */
  domain: string | undefined;
}

/** Returns the identity of a token, or undefined when the token is invalid. Throws when Google's keys cannot be fetched. */
export type VerifyIdToken = (token: string) => Promise<Identity | undefined>;

/**
 * Verifies Google ID tokens: RS256 signature by Google's current keys, issuer, audience, expiry, nonce present,
 * e-mail verified. The caller checks that the nonce is ours and unused.
 */
export function createIdTokenVerifier(options: {
  jwksUrl: string;
  issuers: string[];
  clientId: string;
  machineClock: Clock;
}): VerifyIdToken {
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), { timeoutDuration: 5000, cooldownDuration: 60_000 });
  return async (token) => {
    const payload = await verified(token, keys, options);
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return undefined;
    const { data } = claims;
    if (data.azp !== undefined && data.azp !== options.clientId) return undefined;
    return {
      sub: data.sub,
      nonce: data.nonce,
      email: data.email,
      name: data.name || data.email,
      givenName: data.given_name,
      familyName: data.family_name,
      picture: data.picture,
      domain: data.hd,
    };
  };
}

async function verified(
  token: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  options: { issuers: string[]; clientId: string; machineClock: Clock },
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: options.issuers,
      audience: options.clientId,
      algorithms: ['RS256'],
      clockTolerance: 30,
      // Also rejects a token issued in the future.
      maxTokenAge: maxTokenAgeSeconds,
      currentDate: new Date(options.machineClock()),
      requiredClaims: ['sub', 'exp', 'iat', 'nonce', 'email'],
    });
    // The audience may be a list; we accept only tokens issued for us alone.
    return payload.aud === options.clientId ? payload : undefined;
  } catch (error) {
    const unreachable = error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError);
    if (unreachable) throw error;
    return undefined;
  }
}
