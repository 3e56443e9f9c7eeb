import { parseGstin } from '#domain/gstin.ts';
import type { Clock } from '#platform/clock.ts';
import { UpstreamFault } from '#products/http/upstream.ts';
import { readTaxpayer } from '#products/tax-lookup/taxpayer.ts';
import type { TaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';

/** What a magic GSTIN does for test keys; the numbers of the development stand-in do the same there. Nobody of these exists. */
export const magicGstins: Readonly<Record<string, Magic>> = {
  '27ZZZCA0001A1Z4': { finds: {} },
  '29ZZZCA0001A1Z0': { finds: {} },
  '26ZZZCA0001A1Z6': { finds: {} },
  '97ZZZCA0001A1ZX': { finds: {} },
  '07ZZZCA0001A1Z6': { finds: { sts: 'Cancelled suo-moto', cxdt: '31/03/2025' } },
  '33ZZZCA0001A1ZB': { finds: { sts: 'Suspended' } },
  '27ZZZPA0002B1ZA': {
    finds: { lgnm: 'ASHA SAMPLE', tradeNam: 'ASHA TRADERS', dty: 'Composition', ctb: 'Proprietorship' },
  },
  '27ZZZFA0003C2ZR': { finds: { lgnm: 'SAMPLE AND SONS LLP', dty: 'SEZ Unit', ctb: 'Limited Liability Partnership' } },
  '27ZZZCA0001A1CF': { finds: { dty: 'Tax Collector (Electronic Commerce Operator)' } },
  '27ZZZCA0001A1DD': { finds: { dty: 'Tax Deductor' } },
  '24ZZZCA0001A1ZA': { fails: 503, why: 'is down' },
  '06ZZZCA0001A1Z8': { fails: 504, why: 'did not answer in time' },
  '09ZZZCA0001A1Z2': { fails: 502, why: 'gave an answer that cannot be read' },
  '19ZZZCA0001A1Z1': { fails: 502, why: 'failed' },
};

type Magic = { finds: Record<string, string>; fails?: never } | { finds?: never; fails: 502 | 503 | 504; why: string };

/** Throws what a magic GSTIN says has gone wrong; `system` is the one that would have been asked. */
export function failAsTold(gstin: string, system: string): void {
  const magic = magicGstins[gstin];
  if (magic?.fails !== undefined) throw new UpstreamFault(magic.fails, `${system} ${magic.why} (sandbox).`);
}

/** The search of taxpayers for test keys: any number but the magic ones is not registered. */
export function createSandboxSearch(now: Clock): TaxpayerSearch {
  return async (gstin) => {
    failAsTold(gstin, 'The GST portal');
    const magic = magicGstins[gstin];
    if (magic?.finds === undefined) return null;
    return readTaxpayer({ ...sample(gstin), ...magic.finds }, gstin, new Date(now()).toISOString()) ?? null;
  };
}

function sample(gstin: string): Record<string, unknown> {
  const parsed = parseGstin(gstin);
  const state = parsed.valid ? parsed.state.name : '';
  return {
    gstin,
    lgnm: 'ZENITH SAMPLE PRIVATE LIMITED',
    tradeNam: 'ZENITH SAMPLE',
    sts: 'Active',
    dty: 'Regular',
    ctb: 'Private Limited Company',
    rgdt: '01/07/2017',
    cxdt: '',
    lstupdt: '12/03/2026',
    nba: ['Supplier of Services', 'Office / Sale Office'],
    stj: `State - ${state},Zone - X,Division - Y,Charge - Z`,
    ctj: 'Commissionerate - SAMPLE,Division - I,Range - I',
    einvoiceStatus: 'Yes',
    pradr: {
      addr: { bno: '1', flno: '2', bnm: 'SAMPLE HOUSE', st: 'MG ROAD', dst: 'Sample', stcd: state },
      ntr: 'Supplier of Services, Office / Sale Office',
    },
    adadr: [],
  };
}
