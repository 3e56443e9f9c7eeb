import XMLBuilder from 'fast-xml-builder';
import { type BookAccount, bookAccountNames, bookAccounts } from '#shared/domain/book-accounts.ts';
import type { BankTransfer, BookLine, BookVoucher } from '#shared/domain/book-voucher.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Recipient } from '#shared/domain/document.ts';
import { firstDayOfFinancialYear } from '#shared/domain/financial-year.ts';
import type { PeriodDocument, Party } from './store.ts';

/**
 * The files that Tally imports (ERP 9 and TallyPrime; developer reference of Tally Solutions, “Understanding Integration”): ledgers and
 * groups as masters, then vouchers. In Tally's files a debit is negative, and every master and voucher has an id of ours, so that
 * importing a file again alters and doesn't duplicate.
 */

type Node = Readonly<Record<string, unknown>>;

/** Groups below those that every company has in Tally. */
const groups = {
  'API customers': 'Sundry Debtors',
  'GST payable': 'Duties & Taxes',
  'GST input credit': 'Duties & Taxes',
} as const;

/** Accounts that are in a group of ours, and the head of their tax. */
const taxLedgers: Readonly<Record<string, { group: keyof typeof groups; head: string }>> = {
  'output-igst': { group: 'GST payable', head: 'IGST' },
  'output-cgst': { group: 'GST payable', head: 'CGST' },
  'output-sgst': { group: 'GST payable', head: 'SGST/UTGST' },
  'input-igst': { group: 'GST input credit', head: 'IGST' },
  'input-cgst': { group: 'GST input credit', head: 'CGST' },
  'input-sgst': { group: 'GST input credit', head: 'SGST/UTGST' },
};

/** The balances that a period opens with in Tally: a debit is positive. */
interface Opening {
  accounts: ReadonlyMap<BookAccount, number>;
  customers: ReadonlyMap<string, number>;
}

/** Groups, ledgers and customers (with GSTIN and State) for the vouchers of a period. `from`: its first day. */
export function tallyMasters(parties: ReadonlyMap<string, Party>, from: Day, opening: Opening): string {
  const ledgers = bookAccountNames.filter((account) => account !== 'customers');
  return envelope('All Masters', [
    ...Object.entries(groups).map(([name, parent]) => ({ GROUP: { ...named(name), PARENT: parent } })),
    ...ledgers.map((account) => {
      const { title, group } = bookAccounts[account];
      const tax = taxLedgers[account];
      const duty = tax && { TAXTYPE: 'GST', GSTDUTYHEAD: tax.head };
      return {
        LEDGER: {
          ...named(title),
          PARENT: tax?.group ?? group,
          ISBILLWISEON: 'No',
          ...duty,
          ...opens(opening.accounts.get(account)),
        },
      };
    }),
    ...[...parties].map(([id, party]) => ({
      LEDGER: { ...partyLedger(party, firstDayOfFinancialYear(from)), ...opens(opening.customers.get(id)) },
    })),
  ]);
}

const opens = (paise = 0): Node => (paise === 0 ? {} : { OPENINGBALANCE: amountOf(-paise) });

function partyLedger(party: Party, applicableFrom: Day): Node {
  const { State, Country, registration } = placeOf(party);
  const address = party.address
    .split('\n')
    .concat(party.city)
    .filter((line) => line !== '');
  const addressList = { '@TYPE': 'String', ADDRESS: address };
  const APPLICABLEFROM = dateOf(applicableFrom);
  return {
    ...named(party.ledger),
    PARENT: 'API customers',
    ISBILLWISEON: 'No',
    MAILINGNAME: party.name,
    'ADDRESS.LIST': addressList,
    PINCODE: party.pin,
    COUNTRYOFRESIDENCE: Country,
    LEDSTATENAME: State,
    GSTREGISTRATIONTYPE: registration,
    ...(party.gstin === null ? {} : { PARTYGSTIN: party.gstin }),
    // TallyPrime reads the same details from dated lists.
    'LEDMAILINGDETAILS.LIST': {
      APPLICABLEFROM,
      MAILINGNAME: party.name,
      'ADDRESS.LIST': addressList,
      PINCODE: party.pin,
      STATE: State,
      COUNTRY: Country,
    },
    'LEDGSTREGDETAILS.LIST': {
      APPLICABLEFROM,
      GSTREGISTRATIONTYPE: registration,
      PLACEOFSUPPLY: State,
      ...(party.gstin === null ? {} : { GSTIN: party.gstin }),
    },
  };
}

/** Vouchers of the kinds Sales, Credit Note, Receipt, Payment and Journal. Throws when one doesn't balance. */
export function tallyVouchers(
  vouchers: readonly BookVoucher[],
  parties: ReadonlyMap<string, Party>,
  documents: readonly PeriodDocument[],
): string {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return envelope(
    'Vouchers',
    vouchers.map((voucher) => ({
      VOUCHER: voucherOf(voucher, parties, voucher.documentId === null ? undefined : byId.get(voucher.documentId)),
    })),
  );
}

function voucherOf(
  voucher: BookVoucher,
  parties: ReadonlyMap<string, Party>,
  document: PeriodDocument | undefined,
): Node {
  const party = voucher.customerId === null ? undefined : parties.get(voucher.customerId);
  return {
    '@REMOTEID': `octroi:${voucher.id}`,
    '@VCHTYPE': voucher.kind,
    '@ACTION': 'Create',
    '@OBJVIEW': 'Accounting Voucher View',
    GUID: `octroi:${voucher.id}`,
    DATE: dateOf(voucher.on),
    EFFECTIVEDATE: dateOf(voucher.on),
    VOUCHERTYPENAME: voucher.kind,
    VOUCHERNUMBER: voucher.number,
    PERSISTEDVIEW: 'Accounting Voucher View',
    ISINVOICE: 'No',
    NARRATION: voucher.narration,
    ...(party ? { PARTYLEDGERNAME: party.ledger } : {}),
    ...(document ? supplyOf(document) : {}),
    'ALLLEDGERENTRIES.LIST': voucher.lines.map((line) => entryOf(voucher, line, parties)),
  };
}

/** The buyer as the document names them, which may differ from the customer's details of today. */
function supplyOf({ content }: PeriodDocument): Node {
  const { State, Country, registration } = placeOf(content.recipient);
  const { supplier } = content;
  return {
    // Which of the provider's registrations sold it (TallyPrime 3 and later): each has its own returns.
    GSTREGISTRATION: {
      '@TAXTYPE': 'GST',
      '@TAXREGISTRATION': supplier.gstin,
      '#text': `${supplier.stateName} Registration`,
    },
    CMPGSTIN: supplier.gstin,
    CMPGSTREGISTRATIONTYPE: 'Regular',
    CMPGSTSTATE: stateName(supplier.stateName),
    ...(content.refersTo
      ? { REFERENCE: content.refersTo.number, REFERENCEDATE: dateOf(content.refersTo.issuedOn) }
      : {}),
    PARTYNAME: content.recipient.name,
    BASICBUYERNAME: content.recipient.name,
    ...(content.recipient.gstin === null ? {} : { PARTYGSTIN: content.recipient.gstin }),
    GSTREGISTRATIONTYPE: registration,
    STATENAME: State,
    COUNTRYOFRESIDENCE: Country,
    PLACEOFSUPPLY: stateName(content.placeOfSupplyName),
  };
}

function entryOf(
  { on, transfer }: BookVoucher,
  { account, customerId, amountPaise }: BookLine,
  parties: ReadonlyMap<string, Party>,
): Node {
  const isDebit = amountPaise > 0;
  const party = customerId === null ? undefined : (parties.get(customerId)?.ledger ?? customerId);
  return {
    LEDGERNAME: party ?? bookAccounts[account].title,
    ISDEEMEDPOSITIVE: isDebit ? 'Yes' : 'No',
    ISPARTYLEDGER: party === undefined ? 'No' : 'Yes',
    AMOUNT: amountOf(-amountPaise),
    ...(account === 'bank' && transfer ? { 'BANKALLOCATIONS.LIST': allocationOf(on, transfer, amountPaise) } : {}),
  };
}

/** What Tally's bank reconciliation finds the line of the statement by. */
function allocationOf(on: Day, transfer: BankTransfer, amountPaise: number): Node {
  return {
    DATE: dateOf(on),
    INSTRUMENTDATE: dateOf(transfer.on),
    TRANSACTIONTYPE: 'Inter Bank Transfer',
    INSTRUMENTNUMBER: transfer.utr,
    AMOUNT: amountOf(-amountPaise),
  };
}

/** Rupees with two decimals, without a detour through fractions. */
function amountOf(paise: number): string {
  const digits = String(Math.abs(paise)).padStart(3, '0');
  return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const dateOf = (day: Day): string => day.replaceAll('-', '');
const countries = new Intl.DisplayNames('en', { type: 'region' });

function placeOf({ country, stateName: name, gstin }: Recipient) {
  return {
    State: country === 'IN' ? stateName(name) : '',
    Country: countries.of(country) ?? country,
    registration: gstin === null ? 'Unregistered/Consumer' : 'Regular',
  };
}

/** Tally writes these three names with an ampersand. */
function stateName(name: string): string {
  return name
    .replace('Jammu and Kashmir', 'Jammu & Kashmir')
    .replace('Andaman and Nicobar', 'Andaman & Nicobar')
    .replace('Dadra and Nagar', 'Dadra & Nagar');
}

function named(name: string): Node {
  return { '@NAME': name, '@ACTION': 'Create', 'NAME.LIST': { '@TYPE': 'String', NAME: name } };
}

function envelope(report: 'All Masters' | 'Vouchers', messages: readonly Node[]): string {
  const builder = new XMLBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    format: true,
    indentBy: ' ',
    tagValueProcessor: (_, value) => printable(String(value)),
    attributeValueProcessor: (_, value) => printable(String(value)),
  });
  const body = builder.build({
    ENVELOPE: {
      HEADER: { TALLYREQUEST: 'Import Data' },
      BODY: {
        IMPORTDATA: {
          REQUESTDESC: { REPORTNAME: report },
          REQUESTDATA: { TALLYMESSAGE: messages.map((message) => ({ '@xmlns:UDF': 'TallyUDF', ...message })) },
        },
      },
    },
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
}

/** Without the characters that XML 1.0 has no way to write. */
function printable(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
