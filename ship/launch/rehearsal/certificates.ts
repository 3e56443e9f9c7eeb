import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { makeFolder } from '#shared/platform/make-folder.ts';

export interface Certificates {
  /** What the processes of the rehearsal trust, and a browser may. */
  authorityFile: string;
  /** Of the front, in PEM. */
  chain: string;
  key: string;
}

const dayMs = 86_400_000;
const validDays = 365;
/** Made again this long before their end. */
const renewedDays = 30;

/** The certificates of a rehearsal for this machine, made at its first start and again before they end. */
export function openCertificates(folder: string): Certificates {
  makeFolder(folder);
  const authorityFile = join(folder, 'authority.pem');
  const chainFile = join(folder, 'fullchain.pem');
  const keyFile = join(folder, 'privkey.pem');
  if (!isValid(chainFile)) {
    const { authority, leaf, key } = makeCertificates();
    writeFileSync(authorityFile, authority);
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(chainFile, `${leaf}${authority}`);
  }
  return { authorityFile, chain: readFileSync(chainFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

function isValid(chainFile: string): boolean {
  if (!existsSync(chainFile)) return false;
  const { validTo } = new X509Certificate(readFileSync(chainFile));
  return Date.parse(validTo) > Date.now() + renewedDays * dayMs;
}

/** The key of the authority is used once and kept nowhere. */
function makeCertificates(): { authority: string; leaf: string; key: string } {
  const authorityKeys = makeKeys();
  const leafKeys = makeKeys();
  const name = [{ name: 'commonName', value: `Octroi rehearsal ${randomBytes(4).toString('hex')}` }];
  const authority = certificateOf(authorityKeys, { subject: name, issuer: name, signedBy: authorityKeys }, [
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
    thisMachineOnly,
  ]);
  const subject = [{ name: 'commonName', value: 'localhost' }];
  const leaf = certificateOf(leafKeys, { subject, issuer: name, signedBy: authorityKeys }, [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ]);
  return { authority, leaf, key: leafKeys.privateKeyPem };
}

interface Keys {
  publicKey: forge.pki.PublicKey;
  privateKey: forge.pki.rsa.PrivateKey;
  privateKeyPem: string;
}

function makeKeys(): Keys {
  const made = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return {
    publicKey: forge.pki.publicKeyFromPem(made.publicKey),
    privateKey: forge.pki.privateKeyFromPem(made.privateKey),
    privateKeyPem: made.privateKey,
  };
}

interface Names {
  subject: forge.pki.CertificateField[];
  issuer: forge.pki.CertificateField[];
  signedBy: Keys;
}

function certificateOf({ publicKey }: Keys, names: Names, extensions: object[]): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  // An hour ago, for a browser whose clock is a little behind.
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + validDays * dayMs);
  certificate.setSubject(names.subject);
  certificate.setIssuer(names.issuer);
  certificate.setExtensions(extensions);
  certificate.sign(names.signedBy.privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
}

/**
 * Name constraints (RFC 5280, section 4.2.1.10), which permit localhost and 127.0.0.0/8: whoever trusts the authority trusts it for this machine
 * alone.
 */
const thisMachineOnly = {
  id: '2.5.29.30',
  critical: true,
  value: Buffer.concat([
    Buffer.from('301ba019300b8209', 'hex'),
    Buffer.from('localhost'),
    Buffer.from('300a87087f000000ff000000', 'hex'),
  ]).toString('latin1'),
};
