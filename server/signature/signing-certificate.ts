import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { Certificate, type RelativeDistinguishedNames } from 'pkijs';
import { keyOfFile, type SigningKey } from './signing-key.ts';

/** A certificate with its private key, as needed to sign documents. */
export interface SigningCertificate {
  key: SigningKey;
  /** DER, the signer's own certificate first. */
  chain: Buffer[];
  /** The common names of the holder and of the authority that issued the certificate. */
  holder: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
}

/** A file that can't sign documents; the message is for the operator. */
export class UnusableCertificate extends Error {}

/** Reads a PKCS#12 file (`.p12`, `.pfx`), with today's or older encryption. Throws UnusableCertificate. */
export function readSigningCertificate(file: Buffer, passphrase: string): SigningCertificate {
  const bags = openFile(file, passphrase);
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids;
  const certificates = bagsOf(bags, certBag).map((bag) => new X509Certificate(certificateIn(bag)));
  const [keyDer] = [...bagsOf(bags, pkcs8ShroudedKeyBag), ...bagsOf(bags, keyBag)].map(keyIn);
  if (keyDer === undefined) throw new UnusableCertificate('The file of SIGNING_CERTIFICATE has no private key.');
  const key = createPrivateKey({ key: keyDer, format: 'der', type: 'pkcs8' });
  const own = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (!own) throw new UnusableCertificate('The file of SIGNING_CERTIFICATE has no certificate for its private key.');
  requireKeyKind(key);
  return { key: keyOfFile(key), ...certificateFacts([own, ...certificates.filter((each) => each !== own)]) };
}

/** What documents and warnings say of a certificate; the signer's own is the first of its chain. */
export function certificateFacts([own, ...issuers]: readonly X509Certificate[]): Omit<SigningCertificate, 'key'> {
  if (!own) throw new UnusableCertificate('SIGNING_CERTIFICATE has no certificate.');
  const { subject, issuer } = Certificate.fromBER(own.raw);
  return {
    chain: [own, ...issuers].map(({ raw }) => raw),
    holder: nameIn(subject),
    issuer: nameIn(issuer),
    validFrom: new Date(own.validFrom),
    validTo: new Date(own.validTo),
  };
}

function openFile(file: Buffer, passphrase: string): forge.pkcs12.Pkcs12Pfx {
  let content: forge.asn1.Asn1;
  try {
    content = forge.asn1.fromDer(file.toString('binary'));
  } catch {
    throw new UnusableCertificate('The file of SIGNING_CERTIFICATE is not a PKCS#12 file (.p12 or .pfx).');
  }
  try {
    return forge.pkcs12.pkcs12FromAsn1(content, passphrase);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableCertificate(`SIGNING_PASSPHRASE does not open the file of SIGNING_CERTIFICATE: ${reason}`);
  }
}

function bagsOf(file: forge.pkcs12.Pkcs12Pfx, bagType: string | undefined): forge.pkcs12.Bag[] {
  if (bagType === undefined) return [];
  return file.getBags({ bagType })[bagType] ?? [];
}

const derOf = (value: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), 'binary');

/** The library parses RSA only; other certificates and keys are in `asn1`. */
function certificateIn({ cert, asn1 }: forge.pkcs12.Bag): Buffer {
  return derOf(cert ? forge.pki.certificateToAsn1(cert) : asn1);
}

function keyIn({ key, asn1 }: forge.pkcs12.Bag): Buffer {
  return derOf(key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1);
}

/** The kinds that the IT (Certifying Authorities) Rules, 2000, allow: RSA of 2048 bits or more, and ECDSA on P-256. */
export function requireKeyKind({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'rsa' && modulusLength >= 2048) return;
  if (asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return;
  throw new UnusableCertificate('The key of SIGNING_CERTIFICATE must be RSA of at least 2048 bits, or ECDSA on P-256.');
}

const commonName = '2.5.4.3';

/** The common name, or all values of a name that has none. X509Certificate has names as one text only, in which commas are escaped. */
function nameIn({ typesAndValues }: RelativeDistinguishedNames): string {
  const texts = typesAndValues.map(({ type, value }) => ({ type, text: value.valueBlock.value }));
  return texts.find(({ type }) => type === commonName)?.text ?? texts.map(({ text }) => text).join(', ');
}
