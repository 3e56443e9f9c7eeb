import type { Tx } from '#database/connect.ts';
import type { CycleDates } from '#domain/cycle.ts';
import { addDays, type Day, dayOf } from '#domain/day.ts';
import { formatDocumentNumber } from '#domain/document-number.ts';
import { financialYearOf, shortFinancialYearOf } from '#domain/financial-year.ts';
import { decideTax } from '#domain/place-of-supply.ts';
import type { PlanTerms } from '#domain/plan.ts';
import { rupeesInWords } from '#domain/rupee-words.ts';
import { findState } from '#domain/states.ts';
import { splitInclusive, type TaxSplit } from '#domain/tax-split.ts';
import { type InvoicePaper, renderInvoice } from '#paper/render.ts';
import type { Profile } from '#contract/account.ts';
import { readProfile } from '#server/features/account/account.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { insertInvoice, nextInSeries } from './store.ts';

const series = 'INV';

/**
 * Issues the tax invoice of a cycle in the transaction that makes it paid: number, content and file come to be together or
 * not at all, and none of them ever changes (Rule 46).
 */
export async function issueInvoice(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  cycle: {
    id: string;
    activationId: string;
    serviceId: string;
    plan: PlanTerms;
    totalPaise: number;
    dates: CycleDates;
    paymentId: string;
  },
): Promise<void> {
  const profile = await readProfile(caller, tx);
  if (!profile) throw new Error(`customer ${caller.customerId} paid without a business profile`);
  const now = portal.clock();
  const today = dayOf(now);
  const financialYear = financialYearOf(today);
  const supplierStateCode = portal.settings.supplierGstin.slice(0, 2);
  const decision = decideTax({
    supplierStateCode,
    recipient: profile.gstin
      ? { kind: 'registered', gstin: profile.gstin }
      : { kind: 'unregistered', stateCode: profile.stateCode },
  });
  if (!decision.ok) throw new Error(`no place of supply for customer ${caller.customerId}: ${decision.refusal}`);
  const split = splitInclusive(cycle.totalPaise, cycle.plan.gstRateBasisPoints, decision.tax);
  const sequence = await nextInSeries(tx, series, financialYear);
  const number = formatDocumentNumber(portal.settings.invoicePrefix, shortFinancialYearOf(today), sequence);
  const paper: InvoicePaper = {
    number,
    issuedOn: longDay(today),
    activationId: cycle.activationId,
    paymentId: cycle.paymentId,
    placeOfSupply: `${decision.placeOfSupply} ${decision.placeOfSupplyName}`,
    supplier: {
      name: portal.settings.supplierName,
      gstin: portal.settings.supplierGstin,
      address: portal.settings.supplierAddress,
      stateCode: supplierStateCode,
      stateName: findState(supplierStateCode)?.name ?? '',
    },
    recipient: recipientOf(profile),
    item: {
      description: `${portal.catalog.find(cycle.serviceId)?.name ?? 'API access'}, ${cycle.plan.name} plan`,
      period: `${longDay(cycle.dates.fromDate)} to ${longDay(addDays(cycle.dates.toDate, -1))}`,
      sac: cycle.plan.sac,
    },
    ...amountsOf(split, cycle.plan.gstRateBasisPoints),
  };
  await insertInvoice(caller, tx, {
    number,
    series,
    financialYear,
    sequence,
    cycleId: cycle.id,
    issuedAt: new Date(now),
    totalPaise: split.totalPaise,
    content: { paper, split, decision },
    pdf: renderInvoice(paper),
  });
}

function recipientOf(profile: Profile): InvoicePaper['recipient'] {
  const { legalName, address, city, pin, gstin, stateCode } = profile;
  return { name: legalName, address, city, pin, gstin, stateCode, stateName: findState(stateCode)?.name ?? '' };
}

/** Each tax that the split bears, with its own rate, and the totals as texts. */
function amountsOf(split: TaxSplit, rateBasisPoints: number) {
  const half = percent(rateBasisPoints / 2);
  const all = [
    { name: 'CGST', rate: half, paise: split.cgstPaise },
    { name: 'SGST', rate: half, paise: split.sgstPaise },
    { name: 'UTGST', rate: half, paise: split.utgstPaise },
    { name: 'IGST', rate: percent(rateBasisPoints), paise: split.igstPaise },
  ];
  return {
    taxableValue: amount(split.taxablePaise),
    taxes: all.filter((tax) => tax.paise > 0).map(({ name, rate, paise }) => ({ name, rate, amount: amount(paise) })),
    roundOff: split.roundOffPaise === 0 ? null : amount(split.roundOffPaise),
    total: amount(split.totalPaise),
    totalInWords: rupeesInWords(split.totalPaise),
  };
}

const twoDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const amount = (paise: number): string => twoDecimals.format(paise / 100);
const percent = (basisPoints: number): string => `${basisPoints / 100}%`;

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const longDay = (day: Day): string => days.format(new Date(`${day}T00:00:00Z`));
