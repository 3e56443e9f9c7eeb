import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';

const generate = promisify(generateKeyPair);

/** A PKCS#12 file with a self-signed certificate, for development and tests; nobody trusts it. */
export async function createDevelopmentCertificate(
  passphrase: string,
  {
    holder = 'Test certificate, not valid',
    organisation = '',
    from = new Date('2020-01-01'),
    to = new Date('2060-01-01'),
  } = {},
): Promise<Buffer> {
  const { privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = forge.pki.privateKeyFromPem(privateKey);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = from;
  certificate.validity.notAfter = to;
  const names = [
    { name: 'commonName', value: holder },
    ...(organisation === '' ? [] : [{ name: 'organizationName', value: organisation }]),
  ];
  certificate.setSubject(names);
  certificate.setIssuer(names);
  certificate.setExtensions([{ name: 'keyUsage', digitalSignature: true, nonRepudiation: true }]);
  certificate.sign(key, forge.md.sha256.create());
  const file = forge.pkcs12.toPkcs12Asn1(key, [certificate], passphrase, { algorithm: 'aes256' });
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'binary');
}
