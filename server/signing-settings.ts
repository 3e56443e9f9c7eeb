import { secret, text, webAddress } from '#platform/settings.ts';

/** How documents are signed. */
export const signingSettings = {
  signingCertificate: text(
    'PKCS#12 file (.p12, .pfx) with the certificate that signs documents; if not set, they are issued unsigned',
  ).optional(),
  signingPassphrase: secret('Passphrase of that file').optional(),
  timestampUrl: webAddress(
    'URL of a time-stamping authority (RFC 3161), whose time stamps signatures then have; if not set, they have none',
  ).optional(),
};
