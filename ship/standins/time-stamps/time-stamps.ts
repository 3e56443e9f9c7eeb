import { createHash, generateKeyPairSync, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import forge from 'node-forge';
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  PKIStatus,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
};

const bytes = (buffer: Buffer): ArrayBuffer => Uint8Array.from(buffer).buffer;
const sha256 = (content: ArrayBuffer): OctetString =>
  new OctetString({ valueHex: bytes(createHash('sha256').update(Buffer.from(content)).digest()) });

/** A certificate for time stamps alone, as RFC 3161, 2.3, requires, with its key. */
function newAuthority(): { pem: string; der: ArrayBuffer; pkcs8: Buffer } {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = forge.pki.privateKeyFromPem(privateKey);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.rsa.setPublicKey(key.n, key.e);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date('2020-01-01');
  certificate.validity.notAfter = new Date('2060-01-01');
  const names = [{ name: 'commonName', value: 'Test time stamps (not valid)' }];
  certificate.setSubject(names);
  certificate.setIssuer(names);
  certificate.setExtensions([
    { name: 'keyUsage', critical: true, digitalSignature: true },
    { name: 'extKeyUsage', critical: true, timeStamping: true },
  ]);
  certificate.sign(key, forge.md.sha256.create());
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'binary');
  const [, base64 = ''] = /KEY-----([^-]+)-----END/.exec(privateKey) ?? [];
  return { pem: forge.pki.certificateToPem(certificate), der: bytes(der), pkcs8: Buffer.from(base64, 'base64') };
}

/** A time-stamping authority that speaks RFC 3161 over HTTP. Its stamps are trusted by nobody. */
export async function startTimeStamps(now: () => number = Date.now) {
  const { pem, der, pkcs8 } = newAuthority();
  const own = Certificate.fromBER(der);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  let serial = 0;

  async function tokenFor({ messageImprint, nonce, certReq }: TimeStampReq): Promise<ContentInfo> {
    serial += 1;
    const info = new TSTInfo({
      version: 1,
      policy: '1.2.3.4.1',
      messageImprint,
      serialNumber: new Integer({ value: serial }),
      genTime: new Date(now()),
      ...(nonce && { nonce }),
    });
    const content = info.toSchema().toBER();
    const { issuer, serialNumber } = own;
    const certificateId = new Sequence({ value: [new Sequence({ value: [sha256(der)] })] });
    const attributes = [
      new Attribute({ type: oids.contentType, values: [new ObjectIdentifier({ value: oids.tstInfo })] }),
      new Attribute({ type: oids.messageDigest, values: [sha256(content)] }),
      new Attribute({ type: oids.signingCertificateV2, values: [new Sequence({ value: [certificateId] })] }),
    ];
    const signed = new SignedData({
      version: 3,
      encapContentInfo: new EncapsulatedContentInfo({
        eContentType: oids.tstInfo,
        eContent: new OctetString({ valueHex: content }),
      }),
      ...(certReq === true && { certificates: [own] }),
      signerInfos: [
        new SignerInfo({
          version: 1,
          sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
          signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
        }),
      ],
    });
    await signed.sign(key, 0, 'SHA-256');
    return new ContentInfo({ contentType: oids.signedData, content: signed.toSchema(true) });
  }

  async function respond(body: Buffer): Promise<Buffer> {
    let request: TimeStampReq;
    try {
      request = TimeStampReq.fromBER(bytes(body));
    } catch {
      return derOf(new TimeStampResp({ status: new PKIStatusInfo({ status: PKIStatus.rejection }) }));
    }
    const isKnown = request.messageImprint.hashAlgorithm.algorithmId === oids.sha256;
    const status = new PKIStatusInfo({ status: isKnown ? PKIStatus.granted : PKIStatus.rejection });
    return derOf(new TimeStampResp({ status, ...(isKnown && { timeStampToken: await tokenFor(request) }) }));
  }

  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (req.method !== 'POST' || req.headers['content-type'] !== 'application/timestamp-query')
        return res.writeHead(400).end();
      return void respond(Buffer.concat(chunks)).then((response) =>
        res.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(response),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port');
  return {
    url: `http://127.0.0.1:${address.port}/tsa`,
    /** Of the authority, to check its stamps with. */
    certificate: pem,
    stamps: () => serial,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const derOf = (response: TimeStampResp): Buffer => Buffer.from(response.toSchema().toBER());
