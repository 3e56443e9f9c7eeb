import { secret, text } from '#platform/settings.ts';

/** How documents are signed. */
export const signingSettings = {
  signingCertificate: text(
    'PKCS#12 file (.p12, .pfx) with the certificate that signs documents; if not set, they are issued unsigned',
  ).optional(),
  signingPassphrase: secret('Passphrase of that file').optional(),
};
