import { z } from 'zod';
import { isPin } from '#shared/domain/pin-states.ts';
import { states } from '#shared/domain/states.ts';

const address = z
  .object({
    lines: z.array(z.string()).describe('Door, building, street, locality, as far as known'),
    city: z.string().nullable(),
    district: z.string().nullable(),
    state: z.object({ code: z.string().nullable(), name: z.string() }).nullable(),
    pin: z.string().nullable(),
    nature: z.array(z.string()).describe('Business activities there, in the GST portal’s terms'),
  })
  .meta({ id: 'TaxpayerAddress' });

const authority = z.object({ name: z.string().nullable(), code: z.string().nullable() });

/** A taxpayer in the GST portal's register, with our own field names; null where the portal has nothing. */
export const taxpayer = z
  .object({
    gstin: z.string(),
    legalName: z.string().nullable(),
    tradeName: z.string().nullable(),
    status: z.enum(['active', 'cancelled', 'suspended', 'inactive', 'provisional', 'other']),
    statusText: z.string().describe('As on the GST portal'),
    type: z
      .enum([
        'regular',
        'composition',
        'sez_unit',
        'sez_developer',
        'isd',
        'tax_deductor',
        'tax_collector',
        'uin',
        'other',
      ])
      .describe('isd: Input Service Distributor; uin: UN body, embassy'),
    typeText: z.string().nullable().describe('As on the GST portal'),
    constitution: z.string().nullable(),
    registeredOn: z.string().nullable().describe('yyyy-mm-dd'),
    cancelledOn: z.string().nullable(),
    updatedOn: z.string().nullable(),
    natureOfBusiness: z.array(z.string()),
    eInvoice: z.boolean().nullable().describe('True when e-invoicing is switched on for this taxpayer'),
    jurisdiction: z.object({ state: authority, centre: authority }),
    principalPlace: address.nullable(),
    additionalPlaces: z.array(address),
    fetchedAt: z.string().describe('When the GST portal was queried'),
  })
  .meta({ id: 'Taxpayer' });

export type Taxpayer = z.output<typeof taxpayer>;
type Address = z.output<typeof address>;

/** The portal writes "NA", "", null or nothing for missing data. */
const maybe = z
  .unknown()
  .optional()
  .transform((value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    return /^(?:na|n\/a|null|-)?$/i.test(text) ? null : text.replaceAll(/\s+/g, ' ');
  });
const texts = z
  .union([z.array(maybe), maybe.transform((value) => (value === null ? [] : value.split(/\s*,\s*/)))])
  .transform((values) => values.flatMap((value) => value ?? []));

const portalAddress = z.looseObject({
  addr: z.looseObject({
    bno: maybe,
    flno: maybe,
    bnm: maybe,
    st: maybe,
    loc: maybe,
    locality: maybe,
    landMark: maybe,
    city: maybe,
    dst: maybe,
    stcd: maybe,
    pncd: maybe,
  }),
  ntr: texts.optional().default([]),
});

/** The public search of the GST portal (action TP), with the portal's field names. */
const portalTaxpayer = z.looseObject({
  gstin: z.string(),
  lgnm: maybe,
  tradeNam: maybe,
  sts: maybe,
  dty: maybe,
  ctb: maybe,
  rgdt: maybe,
  cxdt: maybe,
  lstupdt: maybe,
  nba: texts.optional().default([]),
  einvoiceStatus: maybe,
  stj: maybe,
  stjCd: maybe,
  ctj: maybe,
  ctjCd: maybe,
  pradr: portalAddress.nullish().catch(null),
  adadr: z.array(portalAddress).nullish().catch(null),
});

/** Normalises a response of the search; undefined when it is not about this GSTIN. */
export function readTaxpayer(response: unknown, gstin: string, fetchedAt: string): Taxpayer | undefined {
  const parsed = portalTaxpayer.safeParse(response);
  if (!parsed.success || parsed.data.gstin.toUpperCase() !== gstin) return undefined;
  const found = parsed.data;
  return {
    gstin,
    legalName: found.lgnm,
    tradeName: found.tradeNam,
    status: statusOf(found.sts),
    statusText: found.sts ?? '',
    type: typeOf(found.dty ?? ''),
    typeText: found.dty,
    constitution: found.ctb,
    registeredOn: dayOfPortal(found.rgdt),
    cancelledOn: dayOfPortal(found.cxdt),
    updatedOn: dayOfPortal(found.lstupdt),
    natureOfBusiness: found.nba,
    eInvoice: found.einvoiceStatus === null ? null : /^y/i.test(found.einvoiceStatus),
    jurisdiction: {
      state: { name: found.stj, code: found.stjCd },
      centre: { name: found.ctj, code: found.ctjCd },
    },
    principalPlace: found.pradr ? addressOf(found.pradr) : null,
    additionalPlaces: (found.adadr ?? []).map(addressOf),
    fetchedAt,
  };
}

function statusOf(text: string | null): Taxpayer['status'] {
  const known = ['active', 'cancelled', 'suspended', 'inactive', 'provisional'] as const;
  // 'Cancelled suo-moto' and 'Cancelled on application of Taxpayer' are cancelled.
  return known.find((each) => text?.toLowerCase().startsWith(each)) ?? 'other';
}

const kinds: [RegExp, Taxpayer['type']][] = [
  [/^regular|^casual/i, 'regular'],
  [/composition/i, 'composition'],
  [/sez unit/i, 'sez_unit'],
  [/sez developer/i, 'sez_developer'],
  [/input service distributor/i, 'isd'],
  [/tax deductor/i, 'tax_deductor'],
  [/tax collector/i, 'tax_collector'],
  [/united nation|embassy|consulate|notified person/i, 'uin'],
];

function typeOf(text: string): Taxpayer['type'] {
  return kinds.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}

/** dd/mm/yyyy of the portal as yyyy-mm-dd. */
function dayOfPortal(text: string | null): string | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text ?? '');
  return match === null ? null : `${match[3]}-${match[2]}-${match[1]}`;
}

function addressOf({ addr, ntr }: z.output<typeof portalAddress>): Address {
  const { bno, flno, bnm, st, loc, locality, landMark, city, dst, stcd, pncd } = addr;
  const lines = [[bno, flno], [bnm], [st], [loc, locality], [landMark]]
    .map((parts) => parts.filter((part) => part !== null).join(', '))
    .filter((line) => line !== '');
  const pin = pncd !== null && isPin(pncd) ? pncd : null;
  return { lines, city, district: dst, state: stcd === null ? null : stateNamed(stcd), pin, nature: ntr };
}

/** In addresses the portal writes a State's name, sometimes with its own spelling. */
function stateNamed(name: string): { code: string | null; name: string } {
  const found = states.find((each) => plain(each.name) === plain(name) && each.discontinued === null);
  return { code: found?.code ?? null, name };
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z]/g, '');
}
