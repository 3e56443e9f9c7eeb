import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gatewayProductionRules, readGatewayConfig } from '#gateway/config.ts';
import { rehearsalPrefixes, standinAccounts } from '#shared/platform/production-rules.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { ConfigFaults, envName } from '#shared/platform/read-config.ts';
import { productsProductionRules, readProductsSettings } from '#products/config.ts';
import { portalProductionRules, portalSettings, readPortalSettings } from '#server/config.ts';
import { readConfig as readStandinsConfig } from '#ship/standins/config.ts';

const allRules = [...portalProductionRules, ...gatewayProductionRules, ...productsProductionRules];

const madeUp = '4F6G8H0J2K4L6M';
/** Settings of a portal that production accepts. */
const valid = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://octroi:unsaid@db.internal/octroi',
  PORTAL_URL: 'https://portal.kaveri.in',
  GATEWAY_URL: 'https://api.kaveri.in',
  GOOGLE_CLIENT_ID: '1234-abc.apps.googleusercontent.com',
  RAZORPAY_KEY_ID: `rzp_live_${madeUp}`,
  RAZORPAY_KEY_SECRET: 'unsaid-of-razorpay',
  RAZORPAY_WEBHOOK_SECRET: 'unsaid-of-the-webhook',
  SUPPLIER_NAME: 'Kaveri APIs Private Limited',
  SUPPLIER_GSTIN: '29AAGCB7383J1Z4',
  SUPPLIER_ADDRESS: '14 Residency Road, Bengaluru 560025',
  SUPPORT_EMAIL: 'help@kaveri.in',
  SUPPORT_PHONE: '+91 80 4000 4000',
};

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
}
const portalFaults = (more: Record<string, string | undefined>) =>
  faultsOf(() => readPortalSettings({ env: { ...valid, ...more } }));

test('every process names a log level that does not exist', () => {
  const env = { ...valid, LOG_LEVEL: 'loud' };
  const found = expect.arrayContaining([expect.stringContaining('LOG_LEVEL')]);
  for (const read of [readPortalSettings, readGatewayConfig, readProductsSettings])
    expect(faultsOf(() => read({ env }))).toEqual(found);
});

test('production accepts settings that are all your own', () => {
  expect(portalFaults({})).toEqual([]);
});

test.each([
  ['SUPPLIER_NAME', 'Octroi Sample Private Limited'],
  ['SUPPLIER_NAME', undefined],
  ['SUPPLIER_NAME', ' octroi  sample private limited'],
  ['SUPPLIER_GSTIN', undefined],
  ['SUPPLIER_GSTIN', '27zzzca0001a1z4'],
  ['SUPPLIER_ADDRESS', undefined],
  ['SUPPORT_EMAIL', 'support@example.com'],
  ['SUPPORT_EMAIL', undefined],
  ['SUPPORT_EMAIL', 'support@example.com, help@kaveri.in'],
  ['SUPPORT_EMAIL', 'help@mail.example.com'],
  ['SUPPORT_EMAIL', 'help@kaveri.example'],
  ['SUPPORT_EMAIL', 'help@kaveri.test'],
  ['SUPPORT_PHONE', undefined],
  ['PORTAL_URL', 'http://portal.kaveri.in'],
  ['GATEWAY_URL', undefined],
  ['GATEWAY_URL', 'http://api.kaveri.in'],
  ['GOOGLE_CLIENT_ID', standinAccounts.googleClientId],
  ['GOOGLE_JWKS_URL', 'http://localhost:4301/oauth2/v3/certs'],
  ['GOOGLE_SCRIPT_URL', 'http://localhost:4301/gsi/client'],
  ['RAZORPAY_KEY_ID', standinAccounts.razorpayKeyId],
  ['RAZORPAY_KEY_ID', `rzp_test_${madeUp}`],
  ['RAZORPAY_KEY_ID', ` RZP_TEST_${madeUp}`],
  ['RAZORPAY_KEY_ID', `${rehearsalPrefixes.razorpayKeyId}${madeUp}`],
  ['GOOGLE_CLIENT_ID', `${rehearsalPrefixes.googleClientId}1.apps.googleusercontent.com`],
  ['RAZORPAY_KEY_SECRET', standinAccounts.razorpayKeySecret],
  ['RAZORPAY_WEBHOOK_SECRET', standinAccounts.razorpayWebhookSecret],
  ['RAZORPAY_WEBHOOK_SECRET', `unsaid-of-the-webhook,${standinAccounts.razorpayWebhookSecret}`],
  ['RAZORPAY_API_URL', 'http://localhost:4302/v1'],
  ['RAZORPAY_CHECKOUT_URL', 'http://localhost:4302/v1/checkout.js'],
  ['RAZORPAY_API_URL', 'https://localhost:4443/v1'],
  ...['LOCALHOST', '127.0.0.1', '127.8.9.10', '127.1', '0x7f000001', '[::1]', '[0:0:0:0:0:0:0:1]'].map(
    (host): [string, string] => ['GOOGLE_JWKS_URL', `https://${host}:4442/oauth2/v3/certs`],
  ),
  ['GSP_URL', 'http://gsp.kaveri.in'],
  ['GSP_CLIENT_ID', standinAccounts.gspClientId],
  ['GSP_CLIENT_SECRET', standinAccounts.gspClientSecret],
  ['STANDINS', 'yes'],
  ['WEBHOOKS_TO_LOOPBACK', 'yes'],
])('production refuses %s: %s', (name, value) => {
  expect(portalFaults({ [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^${name} must .* in production\\.$`)),
  ]);
  expect(
    portalFaults({ [name]: value, NODE_ENV: 'development' }).filter((fault) => fault.includes('in production')),
  ).toEqual([]);
});

test.each(['help@example.com.in', 'help@examples.com', 'help@test.kaveri.in', 'help@kaveri.in'])(
  'production accepts the support address %s',
  (value) => {
    expect(portalFaults({ SUPPORT_EMAIL: value })).toEqual([]);
  },
);

test('production refuses a mail sender at example.com once there is a mail server', () => {
  expect(portalFaults({ MAIL_FROM: 'Octroi <billing@example.com>' })).toEqual([]);
  expect(portalFaults({ SMTP_URL: 'smtp://mail.kaveri.in' })).toEqual([expect.stringContaining('MAIL_FROM must')]);
});

test.each([
  'Billing',
  'billing at kaveri.in',
  'Kaveri <billing>',
  'Kaveri, APIs <billing@kaveri.in>',
  'a@b.in, c@d.in',
])('mails have no sender %s', (value) => {
  expect(portalFaults({ MAIL_FROM: value })).toEqual([expect.stringMatching(/^MAIL_FROM .*must be an e-mail/)]);
});

test.each([
  'billing@kaveri.in',
  'Kaveri APIs <billing@kaveri.in>',
  '"Kaveri, APIs" <billing@kaveri.in>',
  String.raw`"Kaveri \"APIs\"" <billing@kaveri.in>`,
  'billing@kaveri.in <billing@kaveri.in>',
  'Kaveri @ Mysuru <billing@kaveri.in>',
])('mails may have the sender %s', (value) => {
  expect(portalFaults({ MAIL_FROM: value })).toEqual([]);
});

test('every setting that is an e-mail address or a telephone must be one', () => {
  const names = Object.keys(portalSettings.shape).filter((name) =>
    /(Email|From|Senders|ReplyAddress|Phone)$/.test(name),
  );
  expect(names).toHaveLength(8);
  for (const name of names.map(envName)) {
    const faults = portalFaults({ [name]: 'none', SUPPORT_INBOX: 'imaps://a:unsaid@mail.kaveri.in' });
    expect(
      faults.filter((fault) => fault.startsWith(`${name} `) && fault.includes('must be')),
      name,
    ).toHaveLength(1);
  }
});

test('e-invoices are off without their user, and half an account with one', () => {
  expect(portalFaults({ E_INVOICE_PASSWORD: 'unsaid' })).toEqual([]);
  const half = portalFaults({ E_INVOICE_USER: 'kaveri', SUPPLIER_PIN: '560025' });
  expect(half).toEqual([expect.stringContaining('needs E_INVOICE_PASSWORD')]);
});

test.each([
  ['SUPPORT_EMAIL', 'help@kaveri.in, sales@kaveri.in'],
  ['SUPPLIER_EMAIL', 'billing@kaveri.in,accounts@kaveri.in'],
  ['SUPPORT_PHONE', '+९१ २२ १२३४ ५६७८'],
])('production accepts %s=%s', (name, value) => {
  expect(portalFaults({ [name]: value })).toEqual([]);
});

test('an account for e-invoices needs a SUPPLIER_PIN in the State of the GSTIN', () => {
  const account = { E_INVOICE_USER: 'kaveri', E_INVOICE_PASSWORD: 'unsaid', GSP_URL: 'https://gsp.kaveri.in' };
  const gsp = { ...account, GSP_CLIENT_ID: 'kaveri', GSP_CLIENT_SECRET: 'unsaid-of-the-gsp' };
  expect(portalFaults({ ...gsp, SUPPLIER_PIN: '560025' })).toEqual([]);
  expect(portalFaults(gsp)).toEqual([expect.stringMatching(/^SUPPLIER_PIN lies in Maharashtra, not in the State/)]);
});

test.each([
  ['PDFs of documents', 'DOCUMENTS'],
  ['old days of the request log', 'REQUEST_LOG_COLD'],
])('%s go to no store unencrypted', (_, prefix) => {
  const account = { [`${prefix}_S3_KEY_ID`]: 'kaveri', [`${prefix}_S3_SECRET`]: 'unsaid-of-the-store' };
  expect(portalFaults({ ...account, [`${prefix}_PLACE`]: 'https://store.kaveri.in/folder' })).toEqual([]);
  expect(portalFaults({ ...account, [`${prefix}_PLACE`]: 'http://store.kaveri.in/folder' })).toEqual([
    `${prefix}_PLACE must not begin with http:// in production.`,
  ]);
});

test('the gateway and the products refuse addresses without https and the accounts of the stand-ins', () => {
  const env = { NODE_ENV: 'production', DATABASE_URL: valid.DATABASE_URL };
  expect(faultsOf(() => readGatewayConfig({ env }))).toHaveLength(2);
  const account = {
    GSP_URL: 'http://localhost:4303',
    GSP_CLIENT_ID: 'octroi-local-gsp',
    GSP_CLIENT_SECRET: 'gsp_sandbox_secret_0000',
  };
  expect(faultsOf(() => readProductsSettings({ env: { ...env, ...account } }))).toHaveLength(4);
});

/** Settings of a rehearsal, as `octroi rehearse` makes them. */
const rehearsed = {
  REHEARSAL: 'yes',
  PORTAL_URL: 'https://localhost:4440',
  GATEWAY_URL: 'https://localhost:4441',
  GOOGLE_CLIENT_ID: `${rehearsalPrefixes.googleClientId}1.apps.googleusercontent.com`,
  GOOGLE_JWKS_URL: 'https://localhost:4442/oauth2/v3/certs',
  GOOGLE_SCRIPT_URL: 'https://localhost:4442/gsi/client',
  RAZORPAY_KEY_ID: `${rehearsalPrefixes.razorpayKeyId}${madeUp}`,
  RAZORPAY_API_URL: 'https://localhost:4443/v1',
  RAZORPAY_CHECKOUT_URL: 'https://localhost:4443/v1/checkout.js',
};

test.each([
  ['RAZORPAY_KEY_ID', `rzp_live_${madeUp}`],
  ['GOOGLE_CLIENT_ID', valid.GOOGLE_CLIENT_ID],
  ['PORTAL_URL', valid.PORTAL_URL],
  ['GATEWAY_URL', valid.GATEWAY_URL],
  ['RAZORPAY_API_URL', 'https://api.razorpay.com/v1'],
  ['GOOGLE_JWKS_URL', undefined],
  ['GSP_URL', 'https://gsp.kaveri.in'],
  ['SUPPORT_INBOX', 'imaps://me:unsaid@mail.kaveri.in/INBOX'],
  // What production refuses stays refused.
  ['RAZORPAY_CHECKOUT_URL', 'http://localhost:4443/v1/checkout.js'],
  ['SUPPLIER_NAME', undefined],
  ['STANDINS', 'yes'],
  ['RAZORPAY_WEBHOOK_SECRET', standinAccounts.razorpayWebhookSecret],
])('a rehearsal refuses %s: %s', (name, value) => {
  const replies = { SUPPORT_REPLY_ADDRESS: 'replies@kaveri.in', SUPPORT_INBOX: 'imaps://me:unsaid@localhost/INBOX' };
  expect(portalFaults({ ...rehearsed, ...replies })).toEqual([]);
  expect(portalFaults({ ...rehearsed, ...replies, [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^${name} must .* in a rehearsal\\.$`)),
  ]);
});

test('a rehearsal sends no mail elsewhere, and is one of production alone', () => {
  const mail = { SMTP_URL: 'smtp://mail.kaveri.in', MAIL_FROM: 'help@kaveri.in' };
  expect(portalFaults({ ...rehearsed, ...mail })).toEqual(['SMTP_URL must lead to this machine in a rehearsal.']);
  expect(portalFaults({ ...rehearsed, NODE_ENV: 'development' })).toEqual([
    expect.stringMatching(/^REHEARSAL must not be set/),
  ]);
  const gateway = { NODE_ENV: 'production', DATABASE_URL: valid.DATABASE_URL, REHEARSAL: 'yes' };
  const addresses = { PORTAL_URL: valid.PORTAL_URL, GATEWAY_URL: valid.GATEWAY_URL };
  expect(faultsOf(() => readGatewayConfig({ env: { ...gateway, ...addresses } }))).toHaveLength(2);
});

test.each(['prod', 'Production', 'PRODUCTION', 'staging', 'dev'])('NODE_ENV=%s starts nothing', (value) => {
  const sentence = `must be one of: development, test, production; it is "${value}".`;
  const env = { ...valid, NODE_ENV: value };
  for (const read of [readPortalSettings, readGatewayConfig, readProductsSettings]) {
    expect(faultsOf(() => read({ env }))).toEqual([expect.stringContaining(sentence)]);
  }
  expect(() => readStandinsConfig({ NODE_ENV: value })).toThrow(sentence);
});

test('production refuses everything that the stand-ins know by themselves', () => {
  const { google, razorpay } = readStandinsConfig({});
  const { gstn } = readStandinsConfig({ STANDIN_GSTN_PORT: '4303' });
  expect(standinAccounts).toEqual({
    googleClientId: google.clientId,
    razorpayKeyId: razorpay.keyId,
    razorpayKeySecret: razorpay.keySecret,
    razorpayWebhookSecret: razorpay.webhookSecret,
    gspClientId: gstn?.clientId,
    gspClientSecret: gstn?.clientSecret,
  });
});

test('docs/operating/security.md lists what production refuses, and nothing else', () => {
  const settingsBy = new Map<string, Set<string>>();
  for (const { setting, must } of allRules.filter(({ only }) => only !== 'rehearsal')) {
    settingsBy.set(must, (settingsBy.get(must) ?? new Set()).add(`\`${envName(setting)}\``));
  }
  const rows = [...settingsBy].map(([must, settings]) => `| ${[...settings].join(', ')} | ${must} |`);
  const docs = readFileSync(projectFolder('docs', 'operating', 'security.md'), 'utf8');
  const table = docs.slice(docs.indexOf('| in production |'), docs.indexOf('\n\n', docs.indexOf('| in production |')));
  expect(table.split('\n').slice(2)).toEqual(rows);
});
