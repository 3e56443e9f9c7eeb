import { expect, test } from 'vitest';
import { z } from 'zod';
import { aboutSetting, ConfigFaults, envName, flagName, readConfig } from './read-config.ts';
import { choice, port, secret, webAddress, wholeNumber, yesNo } from './settings.ts';

const settings = z.object({
  portalPort: port(4000, 'Port of the portal'),
  leaseMs: wholeNumber(500, 10, 60_000, 'How long a lease lasts'),
  strict: yesNo(false, 'Whether to be strict'),
  mode: choice(['live', 'test'], 'test', 'Mode'),
  keySecret: secret('The secret of the key').optional(),
  issuer: webAddress('The issuer').default('http://localhost:4301'),
});

const faultsOf = (env: Record<string, string>, rules?: Parameters<typeof readConfig<typeof settings>>[2]) => {
  try {
    readConfig(settings, { env }, rules);
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
  return [];
};

test('defaults apply when nothing is set, and an empty text counts as not set', () => {
  expect(readConfig(settings, { env: { PORTAL_PORT: '' } })).toEqual({
    portalPort: 4000,
    leaseMs: 500,
    strict: false,
    mode: 'test',
    issuer: 'http://localhost:4301',
  });
});

test('a flag wins over the environment, and values are converted to their type', () => {
  const env = { PORTAL_PORT: '5000', STRICT: 'yes', ISSUER: 'https://issuer.example/' };
  const config = readConfig(settings, { env, flags: { portalPort: '6001' } });
  expect(config).toMatchObject({ portalPort: 6001, strict: true, issuer: 'https://issuer.example' });
});

test('all errors are reported at once, each with both names of its setting', () => {
  const faults = faultsOf({ PORTAL_PORT: '0', LEASE_MS: 'soon', STRICT: 'perhaps', MODE: 'none', ISSUER: 'ftp://x' });
  expect(faults).toHaveLength(5);
  expect(faults[0]).toBe('PORTAL_PORT (or --portal-port) must be a whole number from 1 to 65535; it is "0".');
});

test.each(['6000', '1', '22', '5060', '6697', '10080'])(
  'rejects port %s at once, because browsers refuse to open it',
  (value) => {
    expect(faultsOf({ PORTAL_PORT: value })).toEqual([
      `PORTAL_PORT (or --portal-port) names a port that browsers refuse to open; choose another one, such as 8080; it is "${value}".`,
    ]);
  },
);

test('rejects an address whose port browsers refuse to open', () => {
  expect(faultsOf({ ISSUER: 'http://localhost:6000' })).toEqual([
    expect.stringContaining('ISSUER (or --issuer) names a port'),
  ]);
  expect(faultsOf({ ISSUER: 'http://localhost:8080' })).toEqual([]);
});

test('an error of a rule over several settings is reported together with errors of single ones', () => {
  const faults = faultsOf({ PORTAL_PORT: 'x', MODE: 'live' }, (config) =>
    config.mode === 'live' && config.keySecret === undefined ? ['MODE live needs KEY_SECRET.'] : [],
  );
  expect(faults).toEqual([
    'PORTAL_PORT (or --portal-port) must be a whole number from 1 to 65535; it is "x".',
    'MODE live needs KEY_SECRET.',
  ]);
});

test('a missing setting without a default is reported with its description', () => {
  expect(() => readConfig(z.object({ clientId: z.string().describe('The OAuth client') }), { env: {} })).toThrow(
    'CLIENT_ID (or --client-id) is not set, and it has no default: The OAuth client',
  );
});

test('the value of a secret never appears in an error', () => {
  const strictSecret = z.object({ apiSecret: secret('A secret').min(40, 'must be at least 40 characters') });
  expect(() => readConfig(strictSecret, { env: { API_SECRET: 'hunter2' } })).toThrow(/its value is not shown/);
  expect(() => readConfig(strictSecret, { env: { API_SECRET: 'hunter2' } })).not.toThrow(/hunter2/);
});

test('a wrong value never appears in an error where a secret is easily taken for the right one', () => {
  const key = z.string().regex(/^age1/, 'must be a public key of age').meta({ besideSecret: true });
  const read = () =>
    readConfig(z.object({ backupRecipient: key }), { env: { BACKUP_RECIPIENT: 'SECRET-KEY-1QQPZRY' } });
  expect(read).toThrow('must be a public key of age; its value is not shown.');
  expect(read).not.toThrow(/QQPZRY/);
});

test('a setting’s description, default and secrecy are found through wrappers', () => {
  expect(aboutSetting(settings.shape.issuer)).toEqual({
    description: 'The issuer',
    secret: false,
    default: 'http://localhost:4301',
  });
  expect(aboutSetting(settings.shape.keySecret)).toEqual({ description: 'The secret of the key', secret: true });
});

test('setting names convert by one rule', () => {
  expect(envName('googleJwksUrl')).toBe('GOOGLE_JWKS_URL');
  expect(flagName('googleJwksUrl')).toBe('--google-jwks-url');
});
