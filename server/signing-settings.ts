import { secret, text, webAddress } from '#shared/platform/settings.ts';

/** How documents are signed. */
export const signingSettings = {
  signingCertificate: text(
    'PKCS#12 file (.p12, .pfx) with the certificate that signs documents, or a token, as pkcs11:token=NAME;object=LABEL?module-path=/path/to/module.so; if not set, they are issued unsigned',
  ).optional(),
  signingPassphrase: secret('Passphrase of that file, or PIN of that token').optional(),
  timestampUrl: webAddress(
    'URL of a time-stamping authority (RFC 3161), whose time stamps signatures then have; if not set, they have none',
  )
    .refine((url) => new URL(url).username === '', 'must name no user: an authority with accounts is not supported')
    .optional(),
};
