import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type CryptoKey, type JWK, exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose';
import { z } from 'zod';

const jwkSchema = z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() }).catchall(z.string());
const fileSchema = z.array(z.object({ kid: z.string(), jwk: jwkSchema })).min(1);
type StoredKey = z.infer<typeof fileSchema>[number];

export type SigningKeys = {
  /** The key that signs now. */
  current(): Promise<{ kid: string; privateKey: CryptoKey; publicPem: string }>;
  /** The public keys that are still valid, newest first. */
  publicKeys(): JWK[];
  /** Adds a new key in front; `dropOld` removes the others from the published set. */
  rotate(dropOld: boolean): Promise<string>;
};

async function generateKey(): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid: randomBytes(20).toString('hex'), jwk: jwkSchema.parse(await exportJWK(privateKey)) };
}

async function importRsa(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'RS256', { extractable: true });
  if (key instanceof Uint8Array) throw new Error('An RSA key was expected.');
  return key;
}

/** RS256 keys in a file, so that tokens signed before a restart stay valid. */
export async function openKeys(path: string): Promise<SigningKeys> {
  const save = (keys: StoredKey[]) => {
    writeFileSync(`${path}.new`, JSON.stringify(keys), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    return keys;
  };
  let keys = existsSync(path) ? fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : save([await generateKey()]);

  return {
    current: async () => {
      const first = keys[0];
      if (!first) throw new Error('There is no signing key.');
      const publicKey = await importRsa({ kty: 'RSA', n: first.jwk.n, e: first.jwk.e });
      return { kid: first.kid, privateKey: await importRsa(first.jwk), publicPem: await exportSPKI(publicKey) };
    },
    publicKeys: () => keys.map(({ kid, jwk }) => ({ kty: 'RSA', alg: 'RS256', use: 'sig', kid, n: jwk.n, e: jwk.e })),
    rotate: async (dropOld) => {
      const key = await generateKey();
      keys = save(dropOld ? [key] : [key, ...keys.slice(0, 1)]);
      return key.kid;
    },
  };
}
