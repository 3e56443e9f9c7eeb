import { dayOf } from '#shared/domain/day.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import type { DocumentSigner } from './document-signer.ts';

interface Watched {
  signer: DocumentSigner | undefined;
  clock: Clock;
  log: Log;
}

/** A new certificate takes an authority days to issue. */
const noticeDays = 30;
const dayMs = 86_400_000;

/** For /backend/health: are documents signed, and until which day with this certificate? */
export function describeSignature({ signer, clock }: Watched) {
  if (!signer) return { signed: false };
  const { holder, validTo } = signer.certificate;
  const fault = signer.timeStamps?.fault();
  const timeStamps = signer.timeStamps === undefined ? null : { ok: fault === undefined, fault: fault ?? null };
  return {
    signed: signer.isValid(),
    holder,
    validTo: dayOf(validTo.getTime()),
    daysLeft: daysLeft(validTo, clock()),
    keyFault: signer.keyFault() ?? null,
    timeStamps,
  };
}

/** Tells the operator, once a day, that the certificate ends soon or is not valid. */
export function watchCertificate({ signer, clock, log }: Watched): void {
  if (!signer) return;
  const { holder, validFrom, validTo } = signer.certificate;
  const keyFault = signer.keyFault();
  if (keyFault !== undefined) {
    log.error({ holder, keyFault }, 'the signing key does not sign: documents are issued unsigned');
  } else if (!signer.isValid()) {
    log.error({ holder, validFrom, validTo }, 'the signing certificate is not valid: documents are issued unsigned');
  } else if (daysLeft(validTo, clock()) <= noticeDays) {
    log.warn({ holder, validTo }, 'the signing certificate ends soon; documents will then be issued unsigned');
  }
}

function daysLeft(validTo: Date, now: number): number {
  return Math.max(0, Math.floor((validTo.getTime() - now) / dayMs));
}
