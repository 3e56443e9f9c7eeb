import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cadesSignature } from './cades.ts';
import { parseTokenUri, readTokenCertificate } from './token.ts';

const modules = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/softhsm/libsofthsm.so', '/usr/lib64/libsofthsm2.so'];
const module = modules.find((path) => existsSync(path)) ?? '';
const programs = ['softhsm2-util', 'pkcs11-tool', 'openssl'];
// On a machine without them, `npm test` says so (tests/checks/tokens.mjs).
const canRun = module !== '' && programs.every((name) => spawnSync(name, ['--help']).error === undefined);

const folder = mkdtempSync(join(tmpdir(), 'octroi-token-'));
const uriOf = (label: string) => `pkcs11:token=Octroi;object=${label}?module-path=${module}`;
const content = Buffer.from('a document');

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout + stderr;
}

/** A key that was made elsewhere, and its certificate by an authority, on the token. */
function putOnToken(label: string, id: string, newKey: readonly string[]): void {
  run('openssl', 'genpkey', ...newKey, '-out', `${label}.pem`);
  const subject = ['-subj', '/CN=A. Rao, Director'];
  run('openssl', 'req', '-new', '-key', `${label}.pem`, ...subject, '-out', `${label}.csr`);
  const issued = ['-CA', 'ca.crt', '-CAkey', 'ca.pem', '-set_serial', id, '-days', '30', '-outform', 'DER'];
  run('openssl', 'x509', '-req', '-in', `${label}.csr`, ...issued, '-out', `${label}.der`);
  run('softhsm2-util', '--import', `${label}.pem`, '--token', 'Octroi', '--label', label, '--id', id, '--pin', '1234');
  writeCertificate(`${label}.der`, label, id);
}

function writeCertificate(file: string, label: string, id: string): void {
  const to = ['--module', module, '--token-label', 'Octroi', '--login', '--pin', '1234'];
  run('pkcs11-tool', ...to, '--write-object', file, '--type', 'cert', '--label', label, '--id', id);
}

beforeAll(() => {
  if (!canRun) return;
  mkdirSync(join(folder, 'tokens'));
  writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${join(folder, 'tokens')}\n`);
  vi.stubEnv('SOFTHSM2_CONF', join(folder, 'softhsm2.conf'));
  run('softhsm2-util', '--init-token', '--free', '--label', 'Octroi', '--pin', '1234', '--so-pin', '5678');
  const authority = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.pem', '-subj', '/CN=Test authority'];
  run('openssl', 'req', '-x509', ...authority, '-days', '30', '-out', 'ca.crt');
  run('openssl', 'x509', '-in', 'ca.crt', '-outform', 'DER', '-out', 'ca.der');
  writeCertificate('ca.der', 'authority', '09');
  putOnToken('rsa', '01', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']);
  putOnToken('ec', '02', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!canRun)(
  'OpenSSL accepts signatures of an RSA and of an ECDSA key on a token, with the authority of the token',
  async () => {
    writeFileSync(join(folder, 'content'), content);
    for (const label of ['rsa', 'ec']) {
      const certificate = await readTokenCertificate(uriOf(label), '1234');
      expect(certificate).toMatchObject({ holder: 'A. Rao, Director', issuer: 'Test authority' });
      expect(certificate.chain).toHaveLength(2);
      writeFileSync(join(folder, 'cms'), await cadesSignature(content, certificate));
      const args = [
        '-binary',
        '-inform',
        'DER',
        '-in',
        'cms',
        '-content',
        'content',
        '-CAfile',
        'ca.crt',
        '-purpose',
        'any',
      ];
      expect(run('openssl', 'cms', '-verify', '-cades', ...args, '-out', 'out')).toMatch(/successful/);
    }
  },
);

test.skipIf(!canRun)(
  'a PIN that the token refused is not tried again, so that the token does not lock itself',
  async () => {
    const { key } = await readTokenCertificate(uriOf('rsa'), 'wrong');
    expect(key.fault()).toBeUndefined();
    await expect(key.sign(content)).rejects.toThrow('CKR_PIN_INCORRECT');
    expect(key.fault()).toContain('CKR_PIN_INCORRECT');
    vi.stubEnv('SOFTHSM2_CONF', '/nowhere');
    await expect(key.sign(content)).rejects.toThrow('CKR_PIN_INCORRECT');
    vi.stubEnv('SOFTHSM2_CONF', join(folder, 'softhsm2.conf'));
  },
);

test.skipIf(!canRun)('a token that is not there is told with what to do', async () => {
  await expect(readTokenCertificate(uriOf('gone'), '1234')).rejects.toThrow(
    'the token has no certificate of this name',
  );
});

test('the address of a token names its module, the token and the key', () => {
  expect(parseTokenUri('pkcs11:token=My%20Token;id=%01%a2?module-path=/m.so')).toEqual({
    token: ['--module', '/m.so', '--token-label', 'My Token'],
    key: { id: '01a2', label: '' },
  });
  expect(() => parseTokenUri('pkcs11:token=Octroi?module-path=/m.so')).toThrow(
    /must name the token, the key and the module/,
  );
});
