import { z } from 'zod';
import { longestPrefix } from '#shared/domain/document-series.ts';
import { otherStatesOfPin } from '#shared/domain/pin-states.ts';
import { pdfSettings } from '#shared/paper/config.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { productionFaults, type ProductionRule } from '#shared/platform/production-rules.ts';
import { type ConfigSource, readConfig } from '#shared/platform/read-config.ts';
import {
  choice,
  logLevel,
  metricsHost,
  metricsPort,
  networks,
  nodeEnv,
  parsed,
  port,
  rehearsal,
  secret,
  text,
  texts,
  webAddress,
  wholeNumber,
  yesNo,
} from '#shared/platform/settings.ts';
import { coldFaults, coldSettings, requestLogUrl } from '#shared/request-log/settings.ts';
import { tracingSettings } from '#shared/platform/tracing-settings.ts';
import { documentPlaceFaults, documentPlaceSettings } from '#server/document-files/settings.ts';
import { parseLogins } from '#server/e-invoice/e-invoices.ts';
import { productionRules } from '#server/production-rules.ts';
import { retentionSettings } from '#server/retention/retention-settings.ts';
import { signingSettings } from '#server/signing-settings.ts';
import { isEmailAddress, printedEmail, printedPhone, supplierSettings } from '#server/supplier-settings.ts';
import { taxSettings } from '#server/tax-settings.ts';

/** An address, alone or behind a name: `Kaveri APIs <billing@kaveri.in>`. */
const isSender = (value: string): boolean =>
  isEmailAddress(/^(?:"(?:[^"\\<>]|\\.)*"|[^"<>,;]*)\s*<([^<>]*)>$/.exec(value)?.[1] ?? value);

/** Hours of support where the operator has set none. */
export const shippedSupportHours = { en: '24 hours, every day', hi: 'चौबीसों घंटे, हर दिन' };

const dataDir = text('Folder for everything that must be kept: the database, journals, logs').default('./data');

/** All settings of the portal process. */
export const portalSettings = z.object({
  portalPort: port(4000, 'Port of the portal'),
  portalHost: text('Address that the portal listens on').default('127.0.0.1'),
  portalUrl: webAddress('URL of the portal for browsers').default('http://localhost:4000'),
  gatewayUrl: webAddress('URL of the gateway for API clients').default('http://localhost:4100'),
  databaseUrl: secret('URL of PostgreSQL, such as postgres://user:password@host/name'),
  requestLogUrl: requestLogUrl(),
  ...coldSettings,
  dataDir,
  catalogDir: text('Folder of the catalogue: octroi catalog apply puts it on sale').default(projectFolder('catalog')),
  brandDir: text(
    'Folder with your brand: logo, colours, texts and links (brand.yaml); if not set, it is as shipped',
  ).optional(),
  providerName: text('Name of the API provider, shown at the checkout and on the pages').default('Octroi'),
  ...supplierSettings,
  ...signingSettings,
  ...taxSettings,
  ...documentPlaceSettings,
  invoicePrefix: text('Prefix of invoice numbers')
    .default('OCT')
    .refine(
      (value) => /^[A-Za-z1-9][A-Za-z0-9]*$/.test(value) && value.length <= longestPrefix,
      `must be 1 to ${longestPrefix} letters or digits, so that every number has at most 16 characters`,
    ),
  gspUrl: webAddress('URL of your GST Suvidha Provider').optional(),
  gspClientId: text('Client id of your account at the GST Suvidha Provider').optional(),
  gspClientSecret: secret('Client secret of your account at the GST Suvidha Provider').optional(),
  eInvoiceUser: text(
    'Your user name at the invoice registration portal; if set, every invoice to a business is registered',
  ).optional(),
  eInvoicePassword: secret('Your password at the invoice registration portal').optional(),
  eInvoiceEarlierLogins: parsed(
    'After a change of SUPPLIER_GSTIN: your logins there for earlier GSTINs, as GSTIN:user:password, separated by commas',
    parseLogins,
  ).meta({ secret: true }),
  eInvoiceThirtyDays: yesNo(
    true,
    'Must documents be registered within 30 days? Yes from ₹10 crore of turnover; the log then alerts in time',
  ),
  smtpUrl: secret(
    'Mail server, such as smtp://user:password@host:587; if not set, mails are stored and not sent',
  ).optional(),
  mailFrom: text('Sender of mails')
    .refine(isSender, 'must be an e-mail address, alone or as Name <address>')
    .default('Octroi <billing@example.com>'),
  googleClientId: text('OAuth client id for sign-in with Google'),
  googleIssuers: text('Issuers of identity tokens, separated by commas').default(
    'https://accounts.google.com,accounts.google.com',
  ),
  googleJwksUrl: webAddress('URL of the public keys of identity tokens').default(
    'https://www.googleapis.com/oauth2/v3/certs',
  ),
  googleScriptUrl: webAddress('URL of the script of the sign-in button').default(
    'https://accounts.google.com/gsi/client',
  ),
  razorpayKeyId: text('Key id of the payment provider'),
  razorpayKeySecret: secret('Key secret of the payment provider'),
  razorpayWebhookSecret: secret('Webhook secret; during a change, the old and the new one separated by a comma').refine(
    (value) => value.split(',').length <= 2 && value.split(',').every((part) => part.length >= 8),
    'must be one or two secrets of at least 8 characters',
  ),
  razorpayApiUrl: webAddress('URL of the payment provider’s API').default('https://api.razorpay.com/v1'),
  razorpayCheckoutUrl: webAddress('URL of the checkout script').default('https://checkout.razorpay.com/v1/checkout.js'),
  bankTransfers: yesNo(
    false,
    'May businesses pay by bank transfer? Needs Smart Collect in your account at the payment provider',
  ),
  renewals: yesNo(
    true,
    'May customers let a plan renew by UPI? If not, existing mandates are not debited either; Razorpay must have switched on recurring payments',
  ),
  settlementDays: wholeNumber(7, 1, 60, 'Days after which a captured payment must be in a settlement'),
  supportEmail: printedEmail('Support address shown to customers').default('support@example.com'),
  supportPhone: printedPhone('Support phone shown to customers').default('+91 22 0000 0000'),
  supportInbox: secret(
    'Mailbox of replies to support, such as imaps://user:password@host:993/INBOX; needs SUPPORT_REPLY_ADDRESS',
  )
    .refine(
      (value) => /^imaps?:\/\/[^@/]+@[^@/]+/.test(value),
      'must be an imap:// or imaps:// address with user and password',
    )
    .optional(),
  supportReplyAddress: text('Address of that mailbox; it must take mail to address+anything as well')
    .refine(isEmailAddress, 'must be an e-mail address')
    .optional(),
  supportSenders: texts('Addresses from which your team replies by mail, separated by commas; SUPPORT_EMAIL if not set')
    .refine((addresses) => addresses.every(isEmailAddress), 'must be e-mail addresses')
    .optional(),
  accountantEmail: text(
    'E-mail address of your own accountant, who gets the papers of each month on the 1st of the next',
  )
    .refine(isEmailAddress, 'must be an e-mail address')
    .optional(),
  supportHours: text('Hours of support').default(shippedSupportHours.en),
  supportHoursHindi: text('Hours of support in Hindi; SUPPORT_HOURS if not set').optional(),
  standins: yesNo(false, 'Use the stand-ins for Google and Razorpay? Refused in production'),
  webhooksToLoopback: yesNo(false, 'Allow customers’ webhooks to this machine, without https? Refused in production'),
  operatorApprovalRupees: wholeNumber(
    0,
    0,
    1_000_000_000,
    'Rupees that one operator may refund to a customer, or give as plans and units, in a day in the console; more needs a second one; 0 for no limit',
  ),
  publicPages: yesNo(
    true,
    'May everybody see the APIs, prices and documentation without a sign-in, and search engines list them?',
  ),
  operatorSeeAs: yesNo(true, 'May owners and support see the portal as a customer does, read-only, from the console?'),
  signInsPerMinute: wholeNumber(30, 1, 100_000, 'Sign-in attempts per minute and address'),
  ...pdfSettings,
  trustedProxies: networks(
    'Your reverse proxies, as addresses or networks separated by commas; only their X-Forwarded-For is trusted',
  ),
  hsts: choice(
    ['host', 'subdomains', 'preload'],
    'host',
    'Scope of HSTS: this host, its subdomains as well, or both and the preload list',
  ),
  ...retentionSettings,
  ...tracingSettings,
  portalMetricsPort: metricsPort('the portal'),
  metricsHost,
  nodeEnv,
  rehearsal,
  logLevel,
});

export type PortalSettings = z.output<typeof portalSettings>;

/** Settings that the portal refuses in production. */
export const portalProductionRules: readonly ProductionRule<typeof portalSettings>[] = productionRules;

/**
 * A login that could not be used would let documents out without their registration. Without a user, registration is off; the doctor warns of a
 * password that is left over.
 */
export function eInvoiceFaults(config: Partial<PortalSettings>): string[] {
  const { eInvoiceUser, eInvoicePassword, gspUrl, gspClientId, gspClientSecret } = config;
  if (!eInvoiceUser || (eInvoicePassword && gspUrl && gspClientId && gspClientSecret)) return [];
  return ['E_INVOICE_USER needs E_INVOICE_PASSWORD, GSP_URL, GSP_CLIENT_ID and GSP_CLIENT_SECRET too.'];
}

/** Reads and checks the settings; throws ConfigFaults with all errors at once. */
export function readPortalSettings(source: ConfigSource): PortalSettings {
  return readConfig(portalSettings, source, (config) => {
    const faults = eInvoiceFaults(config);
    if ((config.supportInbox === undefined) !== (config.supportReplyAddress === undefined))
      faults.push('SUPPORT_INBOX and SUPPORT_REPLY_ADDRESS need each other.');
    if (config.nodeEnv === 'production' && /^imap:(?!.*[?&]requireTLS=true)/.test(config.supportInbox ?? ''))
      faults.push('SUPPORT_INBOX would send its password unencrypted: use imaps://, or imap:// with ?requireTLS=true.');
    faults.push(...documentPlaceFaults(config), ...coldFaults(config));
    const others = otherStatesOfPin(config.supplierPin ?? '', config.supplierGstin?.slice(0, 2) ?? '');
    if (config.eInvoiceUser && others) {
      const names = others.map(({ name }) => name).join(' or ');
      faults.push(
        `SUPPLIER_PIN lies in ${names}, not in the State of SUPPLIER_GSTIN: the invoice portal would refuse it.`,
      );
    }
    if (source.env['TRUST_PROXY']) {
      faults.push('TRUST_PROXY is no longer supported: list the addresses of your proxies in TRUSTED_PROXIES.');
    }
    if (source.env['LUT_NUMBER']) {
      faults.push('LUT_NUMBER is no longer supported: list ARN, first and last day in LETTERS_OF_UNDERTAKING.');
    }
    // Without a mail server the sender does not matter: nothing is sent.
    const rules = portalProductionRules.filter(({ setting }) => setting !== 'mailFrom' || config.smtpUrl !== undefined);
    return [...faults, ...productionFaults(portalSettings, rules, config)];
  });
}

/** The account at a GSP for the search of taxpayers; undefined when not set up. */
export function gspClientOf({
  gspUrl: url,
  gspClientId: clientId,
  gspClientSecret: clientSecret,
}: Pick<PortalSettings, 'gspUrl' | 'gspClientId' | 'gspClientSecret'>) {
  return url && clientId && clientSecret ? { url, clientId, clientSecret } : undefined;
}

/** The folder of the catalogue, for a command that needs nothing else. */
export function readCatalogDir(source: ConfigSource): string {
  return readConfig(portalSettings.pick({ catalogDir: true }), source).catalogDir;
}

/** The settings that an operator command needs: where the database is, and where webhooks may go. */
const operatorSettings = z.object({
  dataDir,
  databaseUrl: secret('URL of PostgreSQL; if not set, the embedded one in the data folder is used').optional(),
  requestLogUrl: requestLogUrl(),
  ...coldSettings,
  rehearsal,
  webhooksToLoopback: portalSettings.shape.webhooksToLoopback,
});
export type OperatorSettings = Pick<z.output<typeof operatorSettings>, 'dataDir' | 'databaseUrl'>;

/** The same for the comparison of settlements. */
const settlementSettings = operatorSettings.extend(portalSettings.pick({ settlementDays: true }).shape);

export function readSettlementSettings(source: ConfigSource): z.output<typeof settlementSettings> {
  return readConfig(settlementSettings, source, coldFaults);
}

export function readOperatorSettings(source: ConfigSource): z.output<typeof operatorSettings> {
  return readConfig(operatorSettings, source, coldFaults);
}
