import { UpstreamFault } from '#products/http/upstream.ts';

/**
 * What a magic GSTIN does for test keys; the development stand-in treats the same numbers alike. None of these
 * taxpayers exists.
 */
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
  '06ZZZCA0001A1Z8': { fails: 504, why: 'did not respond in time' },
  '09ZZZCA0001A1Z2': { fails: 502, why: 'sent an invalid response' },
  '19ZZZCA0001A1Z1': { fails: 502, why: 'failed' },
};

type Magic = { finds: Record<string, string>; fails?: never } | { finds?: never; fails: 502 | 503 | 504; why: string };

/** Throws the error that a magic GSTIN stands for; `system` is the one that a live call would use. */
export function throwMagicError(gstin: string, system: string): void {
  const magic = magicGstins[gstin];
  if (magic?.fails !== undefined) throw new UpstreamFault(magic.fails, `${system} ${magic.why} (sandbox).`);
}
