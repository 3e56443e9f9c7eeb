import { spawnSync } from 'node:child_process';
import { createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { afterAll, expect, test } from 'vitest';
import { testPaper } from '#shared/paper/test-paper.ts';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import { signPdf } from './sign-pdf.ts';
import { readSigningCertificate, UnusableCertificate } from './signing-certificate.ts';
import { createDevelopmentCertificate } from './development-certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-signature-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const about = { signedAt: new Date('2026-11-23T10:00:00Z'), reason: 'Tax invoice OCT/26-27/000001' };
const unsigned = await testRenderer().render('test', testPaper);
const certificate = readSigningCertificate(
  await createDevelopmentCertificate('secret', { holder: 'A. Rao' }),
  'secret',
);
const signed = await signPdf(unsigned, certificate, about);

/** What the signature covers, and the CMS in the gap, read as any PDF reader does. */
function partsOf(pdf: Buffer) {
  const text = pdf.toString('latin1');
  const [, range = ''] = /\/ByteRange \[([\d ]+)\]/.exec(text) ?? [];
  const [start = 0, end = 0, again = 0, length = 0] = range.trim().split(' ').map(Number);
  const gap = text.slice(end + 1, again - 1);
  const covered = Buffer.concat([pdf.subarray(start, end), pdf.subarray(again, again + length)]);
  return { covered, gap, reachesEnd: again + length === pdf.length && start === 0 };
}

const childrenOf = (node: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] =>
  Array.isArray(node?.value) ? node.value : [];
const derOf = (node: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(node).getBytes(), 'binary');
const textIn = (node: forge.asn1.Asn1 | undefined): Buffer =>
  Buffer.from(typeof node?.value === 'string' ? node.value : '', 'binary');
const childAt = (node: forge.asn1.Asn1 | undefined, ...path: number[]): forge.asn1.Asn1 | undefined =>
  path.reduce<forge.asn1.Asn1 | undefined>((each, index) => childrenOf(each)[index], node);

/**
 * Checks a detached CMS as RFC 5652 5.4 says, with another ASN.1 library than the signer's and OpenSSL's own verification. Returns the signed
 * attributes by their object identifiers.
 */
function checkCms(pdf: Buffer): { isValid: boolean; attributes: Map<string, forge.asn1.Asn1 | undefined> } {
  const { covered, gap } = partsOf(pdf);
  const padded = Buffer.from(gap, 'hex');
  const message = forge.asn1.fromDer(padded.toString('binary', 0, 4 + padded.readUInt16BE(2)));
  const signedData = childAt(message, 1, 0);
  const parts = childrenOf(signedData);
  const own = new X509Certificate(derOf(childAt(parts[3], 0) ?? message));
  const signer = childrenOf(childAt(parts.at(-1), 0));
  const attributeSet = signer[3];
  if (!attributeSet) throw new Error('no signed attributes');
  const attributes = new Map(
    childrenOf(attributeSet).map((each) => [
      forge.asn1.derToOid(textIn(childAt(each, 0)).toString('binary')),
      childAt(each, 1, 0),
    ]),
  );
  const digest = createHash('sha256').update(covered).digest();
  const isOverFile = textIn(attributes.get('1.2.840.113549.1.9.4')).equals(digest);
  // Signed as a SET, although it is stored with the tag [0].
  const set = derOf(attributeSet);
  set[0] = 0x31;
  const isBySigner = verify('sha256', set, own.publicKey satisfies KeyObject, textIn(signer[5]));
  return { isValid: isOverFile && isBySigner, attributes };
}

const openssl = (args: string[]) => spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
const isThere = (command: string): boolean => spawnSync(command, ['-v']).error === undefined;

test('a signed document is valid for a verifier that shares no code with the signer', () => {
  const { isValid, attributes } = checkCms(signed);
  expect(isValid).toBe(true);
  expect(partsOf(signed).reachesEnd).toBe(true);
  // PAdES baseline: content-type, message-digest and signing-certificate-v2, and no signing-time in the CMS.
  expect([...attributes.keys()].toSorted()).toEqual([
    '1.2.840.113549.1.9.16.2.47',
    '1.2.840.113549.1.9.3',
    '1.2.840.113549.1.9.4',
  ]);
  const certificateHash = textIn(childAt(attributes.get('1.2.840.113549.1.9.16.2.47'), 0, 0, 0));
  expect(certificateHash).toEqual(
    createHash('sha256')
      .update(certificate.chain[0] ?? '')
      .digest(),
  );
  expect(signed.includes('/SubFilter /ETSI.CAdES.detached')).toBe(true);
});

test('a changed byte anywhere in a signed document makes its signature invalid', () => {
  const { covered } = partsOf(signed);
  for (let at = 40; at < covered.length; at += Math.ceil(covered.length / 50)) {
    const inFile = signed.indexOf(covered.subarray(at, at + 24));
    const changed = Buffer.from(signed);
    changed[inFile] = (changed[inFile] ?? 0) ^ 1;
    if (partsOf(changed).gap !== partsOf(signed).gap) continue;
    expect(checkCms(changed).isValid).toBe(false);
  }
});

test('signing only adds to the file, so that a PDF/A stays one', () => {
  expect(signed.subarray(0, unsigned.length).equals(unsigned)).toBe(true);
  expect(unsigned.toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>');
  const added = signed.subarray(unsigned.length).toString('latin1');
  expect(added).toContain('/F 132');
  expect(added).toContain('/ID [');
});

test.skipIf(!isThere('pdfsig'))('poppler says that the signature is valid and covers the whole document', () => {
  const file = join(folder, 'signed.pdf');
  writeFileSync(file, signed);
  const { stdout } = spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' });
  expect(stdout).toContain('Signature is Valid.');
  expect(stdout).toContain('Total document signed');
  expect(stdout).toContain('ETSI.CAdES.detached');
});

test.skipIf(!isThere('openssl'))('OpenSSL accepts the signature as CAdES, of an RSA and of an ECDSA key', async () => {
  openssl(['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', 'ec.pem']);
  openssl(['req', '-x509', '-new', '-key', 'ec.pem', '-out', 'ec.crt', '-days', '30', '-subj', '/CN=Elliptic']);
  openssl([
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'rsa.pem',
    '-out',
    'rsa.crt',
    '-days',
    '30',
    '-subj',
    '/CN=Rivest',
  ]);
  for (const kind of ['ec', 'rsa']) {
    openssl([
      'pkcs12',
      '-export',
      '-inkey',
      `${kind}.pem`,
      '-in',
      `${kind}.crt`,
      '-out',
      `${kind}.p12`,
      '-passout',
      'pass:x',
    ]);
    const own = readSigningCertificate(readFileSync(join(folder, `${kind}.p12`)), 'x');
    const { covered, gap } = partsOf(await signPdf(unsigned, own, about));
    writeFileSync(join(folder, 'content'), covered);
    writeFileSync(join(folder, 'cms'), Buffer.from(gap, 'hex'));
    const { stderr } = openssl([
      'cms',
      '-verify',
      '-cades',
      '-binary',
      '-inform',
      'DER',
      '-in',
      'cms',
      '-content',
      'content',
      '-CAfile',
      `${kind}.crt`,
      '-purpose',
      'any',
      '-out',
      'out',
    ]);
    expect(stderr).toMatch(/successful/);
  }
});

test('a file that cannot sign is refused with what to do', async () => {
  const file = await createDevelopmentCertificate('secret');
  expect(() => readSigningCertificate(file, 'wrong')).toThrow(UnusableCertificate);
  expect(() => readSigningCertificate(file, 'wrong')).toThrow(/SIGNING_PASSPHRASE does not open the file/);
  expect(() => readSigningCertificate(Buffer.from('-----BEGIN'), '')).toThrow(/is not a PKCS#12 file/);
});

test('a certificate keeps its holder, as it is written in it, and its last day', async () => {
  const to = new Date('2027-03-31T18:29:59.000Z');
  const holder = 'A. Rao, "Octroi" + <#1>; C=IN\\';
  const file = await createDevelopmentCertificate('secret', { holder, to });
  expect(readSigningCertificate(file, 'secret')).toMatchObject({ holder, issuer: holder, validTo: to });
});
