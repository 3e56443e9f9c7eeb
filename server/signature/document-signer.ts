import { readFileSync } from 'node:fs';
import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import type { PortalSettings } from '#server/config.ts';
import { signPdf } from './sign-pdf.ts';
import { readSigningCertificate, type SigningCertificate, UnusableCertificate } from './signing-certificate.ts';
import { createDevelopmentCertificate } from './development-certificate.ts';
import { isTokenUri, readTokenCertificate } from './token.ts';
import { createTimeStamps, type TimeStamps } from './time-stamps.ts';

/** Signs documents with the provider's certificate. */
export interface DocumentSigner {
  certificate: Pick<SigningCertificate, 'holder' | 'issuer' | 'validFrom' | 'validTo'>;
  /** Why the key doesn't sign at the moment. */
  keyFault: () => string | undefined;
  /** False before and after the time for which the certificate is valid, and while its token is away: documents are then issued unsigned. */
  isValid: () => boolean;
  /** Throws KeyFault. */
  sign: (pdf: Buffer, reason: string) => Promise<Buffer>;
  /** Undefined when no authority is set. */
  timeStamps: Pick<TimeStamps, 'fault'> | undefined;
}

/** A signer with a certificate. */
export function createDocumentSigner(
  certificate: SigningCertificate,
  clock: Clock,
  timeStamps?: TimeStamps,
): DocumentSigner {
  const { validFrom, validTo } = certificate;
  return {
    certificate,
    keyFault: certificate.key.fault,
    isValid: () =>
      clock() >= validFrom.getTime() && clock() < validTo.getTime() && certificate.key.fault() === undefined,
    sign: (pdf, reason) => signPdf(pdf, certificate, { signedAt: new Date(clock()), reason }, timeStamps),
    timeStamps,
  };
}

/**
 * The signer of the settings; undefined when documents are issued unsigned. With the stand-ins a test certificate is made, unless there is a
 * real one. Throws UnusableCertificate.
 */
export async function openDocumentSigner(
  { signingCertificate, signingPassphrase = '', timestampUrl, standins }: PortalSettings,
  clock: Clock,
  log: Pick<Log, 'error'>,
): Promise<DocumentSigner | undefined> {
  const timeStamps = timestampUrl === undefined ? undefined : createTimeStamps(timestampUrl, log);
  if (signingCertificate === undefined) {
    if (!standins) return undefined;
    const made = readSigningCertificate(await createDevelopmentCertificate('test'), 'test');
    return createDocumentSigner(made, clock, timeStamps);
  }
  if (isTokenUri(signingCertificate))
    return createDocumentSigner(await readTokenCertificate(signingCertificate, signingPassphrase), clock, timeStamps);
  let file: Buffer;
  try {
    file = readFileSync(signingCertificate);
  } catch {
    throw new UnusableCertificate(`SIGNING_CERTIFICATE: the file ${signingCertificate} can't be read.`);
  }
  return createDocumentSigner(readSigningCertificate(file, signingPassphrase), clock, timeStamps);
}
