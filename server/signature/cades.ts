import { createHash } from 'node:crypto';
import { Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { SigningCertificate } from './signing-certificate.ts';
import type { TimeStamps } from './time-stamps.ts';

const sha256 = new AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.1', algorithmParams: new Null() });
const algorithms = {
  rsa: new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.11', algorithmParams: new Null() }),
  ec: new AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' }),
};

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
};

/**
 * A detached CAdES signature (CMS, DER) as PAdES baseline B-B requires it (ETSI EN 319 142-1, clause 6.3): SHA-256, with the attributes
 * content-type, message-digest and signing-certificate-v2, and without signing-time, which is in the PDF instead. With a time stamp over it, it is B-T.
 */
export async function cadesSignature(
  content: Buffer,
  { key, chain }: SigningCertificate,
  timeStamps?: TimeStamps,
): Promise<Buffer> {
  const [own, ...others] = chain.map((der) => Certificate.fromBER(der));
  if (!own || !chain[0]) throw new Error('a signing certificate has no chain');
  const { issuer, serialNumber } = own;
  const signedAttrs = new SignedAndUnsignedAttributes({ type: 0, attributes: attributesOf(content, chain[0]) });
  const set = Buffer.from(signedAttrs.toSchema().toBER());
  // Signed as a SET, although it is stored with the tag [0] (RFC 5652, 5.4).
  set[0] = 0x31;
  const signature = await key.sign(set);
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    signedAttrs,
    digestAlgorithm: sha256,
    signatureAlgorithm: algorithms[key.kind],
    signature: new OctetString({ valueHex: arrayOf(signature) }),
  });
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: oids.data }),
    certificates: [own, ...others],
    digestAlgorithms: [sha256],
    signerInfos: [signer],
  });
  const token = await timeStamps?.over(signature);
  if (token !== undefined) {
    const attributes = [attribute(oids.timeStampToken, token.toSchema())];
    signer.unsignedAttrs = new SignedAndUnsignedAttributes({ type: 1, attributes });
  }
  const { signedData: contentType } = oids;
  return Buffer.from(new ContentInfo({ contentType, content: signed.toSchema(true) }).toSchema().toBER());
}

/** In the order of their bytes, as DER writes a set. */
function attributesOf(content: Buffer, certificate: Buffer): Attribute[] {
  // ESSCertIDv2 without its optional parts: SHA-256 is the default, and the digest alone names the certificate (RFC 5035).
  const certificateId = new Sequence({ value: [digestOf(certificate)] });
  return [
    attribute(oids.contentType, new ObjectIdentifier({ value: oids.data })),
    attribute(oids.messageDigest, digestOf(content)),
    attribute(oids.signingCertificateV2, new Sequence({ value: [new Sequence({ value: [certificateId] })] })),
  ].toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)));
}

const attribute = (type: string, value: unknown): Attribute => new Attribute({ type, values: [value] });
const bytesOf = (each: Attribute): Buffer => Buffer.from(each.toSchema().toBER());
const arrayOf = (buffer: Buffer): ArrayBuffer => Uint8Array.from(buffer).buffer;
const digestOf = (content: Buffer): OctetString =>
  new OctetString({ valueHex: arrayOf(createHash('sha256').update(content).digest()) });
