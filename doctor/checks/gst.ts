import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addDays, type Day, dayOf, daysBetween } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { coveredUntil, firstWarningDays, lettersOf } from '#shared/domain/letter-of-undertaking.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { replyTimeoutMs } from '#doctor/installation.ts';
import { EInvoiceRefusal } from '#server/e-invoice/e-invoices.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { createTaxpayerSearch } from '#server/e-invoice/taxpayer-search.ts';
import { requestTimeStamp } from '#server/signature/time-stamps.ts';
import { isTokenUri, readTokenCertificate } from '#server/signature/token.ts';
import { readSigningCertificate, UnusableCertificate } from '#server/signature/signing-certificate.ts';

const dayMs = 86_400_000;

export const signingCertificate: Check = {
  name: 'signing-certificate',
  about: 'the certificate that signs documents: valid, and of SUPPLIER_NAME',
  examine: async ({ portal: { signingCertificate: file, signingPassphrase = '', supplierName = '' }, now }) => {
    if (file === undefined) return [unchecked('SIGNING_CERTIFICATE is not set: documents are issued unsigned.')];
    const remedy =
      'Order the next one from your certifying authority, set SIGNING_CERTIFICATE, and restart the portals.';
    try {
      // The PIN of a token is not tried: a token locks itself after a few wrong ones.
      const { holder, chain, validFrom, validTo } = isTokenUri(file)
        ? await readTokenCertificate(file, signingPassphrase)
        : readSigningCertificate(readFileSync(file), signingPassphrase);
      const days = Math.floor((validTo.getTime() - now()) / dayMs);
      const found = `The certificate of ${holder} is valid until ${dayOf(validTo.getTime())}.`;
      const means = 'Documents are issued unsigned.';
      if (days < 0) return [fault(`The certificate of ${holder} ended on ${dayOf(validTo.getTime())}.`, means, remedy)];
      if (validFrom.getTime() > now())
        return [fault(`The certificate of ${holder} is valid from ${dayOf(validFrom.getTime())} only.`, means, remedy)];
      const ends = days <= 30 ? warning(found, `Then: ${means}`, remedy) : fine(found);
      return [ends, ...ofAnother(chain[0], supplierName)];
    } catch (error) {
      const found =
        error instanceof UnusableCertificate ? error.message : `${file} cannot be read: ${reasonOf(error)}.`;
      return [
        fault(
          found,
          'The portal does not start with it.',
          'Compare the path and the passphrase; the file must be a .p12 or .pfx, or SIGNING_CERTIFICATE the address of a token.',
        ),
      ];
    }
  },
};

/** A certificate of a person names their company as its organisation; one without, or `Personal`, proves nothing else. */
function ofAnother(certificate: Buffer | undefined, supplierName: string): Finding[] {
  const subject = certificate === undefined ? '' : new X509Certificate(certificate).subject;
  const organisation = /^O=(.+)$/m.exec(subject)?.[1];
  if (organisation === undefined || /^personal$/i.test(organisation)) return [];
  const [theirs, ours] = [organisation, supplierName].map(plainName);
  if (theirs === ours) return [];
  return [
    warning(
      `The certificate is of ${organisation}, and SUPPLIER_NAME is ${supplierName}.`,
      'Invoices seem signed by another company: buyers and auditors may refuse them.',
      'Compare SUPPLIER_NAME with the name of your registration, and use a certificate of that company.',
    ),
  ];
}

/** As it stays whoever writes it: `ACME Pvt. Ltd.` is `Acme Private Limited`. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/\bpvt\b/g, 'private')
    .replaceAll(/\bltd\b/g, 'limited')
    .replaceAll('&', 'and')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

export const timeStamps: Check = {
  name: 'time-stamps',
  about: 'the authority whose time stamps signatures have',
  examine: async ({ portal: { timestampUrl: url } }) => {
    if (url === undefined) return [unchecked('TIMESTAMP_URL is not set: signatures have no time stamp.')];
    try {
      await requestTimeStamp(url, Buffer.from('doctor'));
      return [fine(`${url} gives time stamps.`)];
    } catch (error) {
      return [
        warning(
          `${url} gave no time stamp: ${reasonOf(error)}.`,
          'Documents are signed without one: a signature proves its time no longer once its certificate has ended.',
          'Compare TIMESTAMP_URL with what the authority gave you, and ask it; the portal tries again by itself.',
        ),
      ];
    }
  },
};

export const lettersOfUndertaking: Check = {
  name: 'letters',
  about: 'the letters of undertaking under which exports and SEZs are charged no tax',
  examine: ({ portal: { lettersOfUndertaking: all = [], supplierGstin = '' }, now }) => {
    if (all.length === 0) return [unchecked('LETTERS_OF_UNDERTAKING is not set: exports and SEZs are charged tax.')];
    const letters = lettersOf(all, supplierGstin);
    if (letters.length === 0)
      return [
        fault(
          `No letter in LETTERS_OF_UNDERTAKING is of the State of SUPPLIER_GSTIN ${supplierGstin}.`,
          'Exports and SEZs are charged tax.',
          'File form GST RFD-11 for this GSTIN on the GST portal, and add its ARN to LETTERS_OF_UNDERTAKING.',
        ),
      ];
    const today = dayOf(now());
    const until = coveredUntil(letters, today);
    const file = (firstDay: Day): string => {
      const year = financialYearOf(firstDay);
      const which = year === financialYearOf(today) ? 'this' : 'the next';
      return `File form GST RFD-11 for ${which} financial year, ${year}, on the GST portal, and add its ARN to LETTERS_OF_UNDERTAKING.`;
    };
    if (until === undefined)
      return [fault('No letter of undertaking is valid today.', 'Exports and SEZs are charged tax.', file(today))];
    const found = `Exports and SEZs are covered until ${until}`;
    if (daysBetween(today, until) > firstWarningDays) return [fine(`${found}.`)];
    const next = letters.find(({ fromDate }) => fromDate > until);
    if (next === undefined || financialYearOf(next.fromDate) !== financialYearOf(addDays(until, 1)))
      return [warning(`${found}.`, 'From the next day on they are charged tax.', file(addDays(until, 1)))];
    return [
      warning(
        `${found}, and again from ${next.fromDate}.`,
        'In between they are charged tax.',
        `Compare the days of ${next.arn} in LETTERS_OF_UNDERTAKING with those of the letter.`,
      ),
    ];
  },
};

export const gsp: Check = {
  name: 'gsp',
  about: 'the account at the GST Suvidha Provider, the login for e-invoices, and your own GSTIN',
  examine: async ({ portal, now }) => {
    const { gspUrl: url, gspClientId: clientId, gspClientSecret: clientSecret, supplierGstin } = portal;
    const { eInvoiceUser: user, eInvoicePassword: password } = portal;
    const findings: Finding[] = [];
    if (user === undefined && password !== undefined)
      findings.push(
        warning(
          'E_INVOICE_PASSWORD is set, and E_INVOICE_USER is not.',
          'E-invoices are off: invoices go out without their registration.',
          'Set E_INVOICE_USER if your turnover requires e-invoices; otherwise delete E_INVOICE_PASSWORD.',
        ),
      );
    if (url === undefined || clientId === undefined || clientSecret === undefined || supplierGstin === undefined)
      return [...findings, unchecked('GSP_URL is not set: taxpayer search and e-invoices are off.')];
    const client = { url, clientId, clientSecret };
    try {
      const { found } = await createTaxpayerSearch(client, now, replyTimeoutMs).find(supplierGstin);
      findings.push(
        found?.status === 'Active'
          ? fine('The GSP accepts the account, and your GSTIN is active.')
          : unfitGstin('GST portal', supplierGstin, found === null ? 'unknown' : found.status),
      );
    } catch (error) {
      return [...findings, refusedBy('The GSP', error, 'GSP_CLIENT_ID and GSP_CLIENT_SECRET', url)];
    }
    if (user === undefined || password === undefined) return findings;
    try {
      const account = { ...client, user, password, gstin: supplierGstin };
      const status = await createGspEInvoices(account, now).statusOf(supplierGstin);
      findings.push(
        status === 'active'
          ? fine('The invoice portal accepts the login, and your GSTIN is active.')
          : unfitGstin('invoice portal', supplierGstin, status),
      );
    } catch (error) {
      findings.push(refusedBy('The invoice portal', error, 'E_INVOICE_USER and E_INVOICE_PASSWORD', url));
    }
    return findings;
  },
};

function unfitGstin(portal: string, gstin: string, status: string): Finding {
  return fault(
    `The ${portal} says of your own GSTIN ${gstin}: ${status}.`,
    'Your invoices are not registered, and buyers can’t claim their tax.',
    'Correct SUPPLIER_GSTIN if it is wrong; if it is right, ask your accountant at once.',
  );
}

function refusedBy(who: string, error: unknown, settings: string, url: string): Finding {
  const means = 'Taxpayer search and checks of buyers fail, and invoices wait for their registration.';
  if (error instanceof EInvoiceRefusal)
    return fault(
      `${who} refuses ${settings}: ${reasonOf(error)}.`,
      means,
      `Compare ${settings} with those of your account, and ask the GSP whether it is active.`,
    );
  return fault(
    `${who} cannot be used at ${url}: ${reasonOf(error)}.`,
    means,
    'Look at the status page of your GSP, and let the portal connect to GSP_URL.',
  );
}
