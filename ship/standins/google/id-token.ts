import { randomBytes } from 'node:crypto';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { z } from 'zod';
import type { Account } from '#ship/standins/google/accounts.ts';
import type { SigningKeys } from '#ship/standins/google/keys.ts';

/** Faults that a token can have on request; a relying party must refuse every one of them. */
export const tokenFaultSchema = z.enum([
  'wrong-aud',
  'wrong-iss',
  'expired',
  'issued-in-future',
  'bad-signature',
  'changed-payload',
  'unknown-kid',
  'alg-none',
  'hs256-public-key',
  'missing-nonce',
  'wrong-nonce',
  'unverified-email',
  'missing-email',
  'missing-sub',
]);
export type TokenFault = z.infer<typeof tokenFaultSchema>;

export type TokenRequest = {
  account: Account;
  pictureUrl: string;
  issuer: string;
  clientId: string;
  nonce: string | undefined;
  /** Claims that override the defaults. */
  claims: Record<string, unknown>;
  fault: TokenFault | undefined;
  nowMs: number;
};

const lifetimeS = 3600;

function usualClaims(request: TokenRequest): JWTPayload {
  const { account } = request;
  const issuedAt = Math.floor(request.nowMs / 1000);
  return {
    iss: request.issuer,
    azp: request.clientId,
    aud: request.clientId,
    sub: account.sub,
    ...(account.hostedDomain === null ? {} : { hd: account.hostedDomain }),
    email: account.email,
    email_verified: account.emailVerified,
    ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
    nbf: issuedAt - 300,
    name: account.name,
    picture: request.pictureUrl,
    given_name: account.givenName,
    ...(account.familyName === '' ? {} : { family_name: account.familyName }),
    iat: issuedAt,
    exp: issuedAt + lifetimeS,
    jti: randomBytes(20).toString('hex'),
    ...request.claims,
  };
}

const faultyClaims: Partial<Record<TokenFault, (claims: JWTPayload, nowS: number) => JWTPayload>> = {
  'wrong-aud': (c) => ({
    ...c,
    aud: 'another-app.apps.googleusercontent.com',
    azp: 'another-app.apps.googleusercontent.com',
  }),
  'wrong-iss': (c) => ({ ...c, iss: 'https://accounts.example.com' }),
  expired: (c, nowS) => ({ ...c, nbf: nowS - 2 * lifetimeS - 300, iat: nowS - 2 * lifetimeS, exp: nowS - lifetimeS }),
  'issued-in-future': (c, nowS) => ({ ...c, nbf: nowS + lifetimeS, iat: nowS + lifetimeS, exp: nowS + 2 * lifetimeS }),
  'missing-nonce': ({ nonce: _nonce, ...c }) => c,
  'wrong-nonce': (c) => ({ ...c, nonce: randomBytes(16).toString('hex') }),
  'unverified-email': (c) => ({ ...c, email_verified: false }),
  'missing-email': ({ email: _email, email_verified: _verified, ...c }) => c,
  'missing-sub': ({ sub: _sub, ...c }) => c,
};

/** Flips one bit in the middle of the signature. */
function flipBit(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return [header, payload, bytes.toString('base64url')].join('.');
}

function changeSubject(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: '100000000000000000000' })).toString('base64url');
  return [header, changed, signature].join('.');
}

/** Signs an ID token as Google does (RS256, `kid` in the header), or with the requested fault. */
export async function signIdToken(keys: SigningKeys, request: TokenRequest): Promise<string> {
  const { fault } = request;
  const nowS = Math.floor(request.nowMs / 1000);
  const usual = usualClaims(request);
  const claims = (fault && faultyClaims[fault]?.(usual, nowS)) ?? usual;
  const { kid, privateKey, publicPem } = await keys.current();

  if (fault === 'alg-none') return new UnsecuredJWT(claims).encode();
  if (fault === 'hs256-public-key') {
    // The public key as an HMAC secret: deceives a verifier that lets the token choose the algorithm (RFC 8725 §2.1).
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid, typ: 'JWT' }).sign(Buffer.from(publicPem));
  }
  const header = { alg: 'RS256', kid: fault === 'unknown-kid' ? randomBytes(20).toString('hex') : kid, typ: 'JWT' };
  const token = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
  if (fault === 'bad-signature') return flipBit(token);
  return fault === 'changed-payload' ? changeSubject(token) : token;
}
