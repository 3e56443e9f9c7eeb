import { createHash, randomBytes } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  type ContentInfo,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import type { Log } from '#shared/platform/log.ts';
import { readBytes } from '#shared/platform/read-response.ts';
import { reasonOf } from '#shared/platform/reason.ts';

const sha256 = '2.16.840.1.101.3.4.2.1';
/** A document waits no longer: it is then signed without a time stamp. */
const timeoutMs = 5000;
/** After a failure the next documents don't wait at all for this long. */
const pauseMs = 60_000;
/** As much room as a signature leaves for it (sign-pdf.ts). */
const maxBytes = 16_384;

/** Time stamps of an authority (RFC 3161), as far as it gives them. */
export interface TimeStamps {
  /** A token over a signature; undefined when the authority gives none. Never throws: a document does not wait for its time stamp. */
  over: (signature: Buffer) => Promise<ContentInfo | undefined>;
  /** Why the last token was not given; undefined when it was. */
  fault: () => string | undefined;
}

/** `url`: the authority's, of the setting TIMESTAMP_URL. */
export function createTimeStamps(url: string, log: Pick<Log, 'error'>): TimeStamps {
  let fault: string | undefined;
  let pausedUntil = 0;
  return {
    over: async (signature) => {
      if (performance.now() < pausedUntil) return undefined;
      try {
        const token = await requestTimeStamp(url, signature);
        fault = undefined;
        return token;
      } catch (error) {
        fault = reasonOf(error);
        pausedUntil = performance.now() + pauseMs;
        log.error({ err: error }, 'the time-stamping authority gave no time stamp: documents are signed without one');
        return undefined;
      }
    },
    fault: () => fault,
  };
}

/** Asks for a token over a signature and checks that it is about this one. Throws when there is none. */
export async function requestTimeStamp(url: string, signature: Buffer): Promise<ContentInfo> {
  const hash = createHash('sha256').update(signature).digest();
  // The first bit is the sign of the number.
  const nonce = Buffer.concat([Buffer.of(1), randomBytes(8)]);
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: sha256 }),
      hashedMessage: new OctetString({ valueHex: arrayOf(hash) }),
    }),
    nonce: new Integer({ valueHex: arrayOf(nonce) }),
    certReq: true,
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: request.toSchema().toBER(),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`the authority responded with status ${response.status}`);
  const { status, timeStampToken } = TimeStampResp.fromBER(arrayOf(await readBytes(response, maxBytes)));
  if (!timeStampToken) throw new Error(`the authority refused the request (status ${status.status})`);
  await checkToken(timeStampToken, { signature, hash, nonce });
  return timeStampToken;
}

/** Is it signed, and about this hash and request (RFC 3161, 2.4.2)? Whether its authority is trusted is for the reader of the document. */
async function checkToken(
  token: ContentInfo,
  { signature, hash, nonce }: Record<'signature' | 'hash' | 'nonce', Buffer>,
): Promise<void> {
  const signed = new SignedData({ schema: token.content });
  const content = signed.encapContentInfo.eContent?.getValue();
  if (content === undefined) throw new Error('the time stamp is empty');
  const info = TSTInfo.fromBER(content);
  if (!Buffer.from(info.messageImprint.hashedMessage.getValue()).equals(hash))
    throw new Error('the time stamp is over something else');
  if (info.nonce === undefined || !Buffer.from(info.nonce.valueBlock.valueHexView).equals(nonce))
    throw new Error('the time stamp is of another request');
  if (!(await signed.verify({ signer: 0, checkChain: false, data: arrayOf(signature) })))
    throw new Error('the time stamp is not soundly signed');
}

const arrayOf = (buffer: Buffer): ArrayBuffer => Uint8Array.from(buffer).buffer;
