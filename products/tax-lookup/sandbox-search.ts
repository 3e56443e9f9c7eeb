import { parseGstin } from '#shared/domain/gstin.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { throwMagicError, magicGstins } from '#products/sandbox/magic-gstins.ts';
import { readTaxpayer } from '#products/tax-lookup/taxpayer.ts';
import type { TaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';

/** The search of taxpayers for test keys: only the magic numbers are registered. */
export function createSandboxSearch(now: Clock): TaxpayerSearch {
  return async (gstin) => {
    throwMagicError(gstin, 'The GST portal');
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
