import { z } from 'zod';
import { rupees } from '#shared/domain/money.ts';
import { decideTax, type PlaceOfSupplyRefusal, type Recipient } from '#shared/domain/place-of-supply.ts';
import { splitExclusive, splitInclusive, type TaxKind } from '#shared/domain/tax-split.ts';
import { responsesOf } from '#products/http/api-description.ts';
import { type Fault, RequestFaults } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';

const yes = z
  .stringbool({ truthy: ['true', '1', 'yes'], falsy: ['false', '0', 'no'], error: 'Must be true or false.' })
  .meta({ type: 'boolean' });

/** Reads a number that is written in digits. Everything else, such as an empty text, stays a text and is refused. */
function inDigits<Checked extends z.ZodType<unknown, number>>(number: Checked) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text),
    number,
  );
}

const query = z.strictObject({
  supplierState: z
    .string()
    .describe('State code of the supplier')
    .meta({ examples: ['27'] }),
  recipientGstin: z.string().max(64).optional().describe('GSTIN of a registered recipient'),
  recipientState: z
    .string()
    .max(2)
    .optional()
    .describe('State code of a recipient without GSTIN')
    .meta({ examples: ['33'] }),
  overseas: yes.default(false).describe('The recipient is outside India'),
  sez: yes.default(false).describe('The recipient is a unit or developer of a Special Economic Zone'),
  underLut: yes.default(false).describe('The supplier has a letter of undertaking'),
  amount: inDigits(
    z
      .number()
      .min(0)
      .max(10_000_000_000)
      .refine((value) => /^\d+(?:\.\d{1,2})?$/.test(String(value)), 'Rupees have at most two decimals.')
      .describe('Rupees; with gstRate the response has the taxes')
      .meta({ examples: [1499] }),
  ).optional(),
  gstRate: inDigits(
    z
      .number()
      .min(0)
      .max(40)
      .refine((value) => Number.isInteger(value * 100), 'A rate has at most two decimals.')
      .describe('Per cent')
      .meta({ examples: [18] }),
  ).optional(),
  amountIncludesTax: yes.default(false).describe('The amount includes the tax'),
});

const placeResponse = z
  .object({
    placeOfSupply: z.object({ code: z.string(), name: z.string() }),
    interState: z.boolean(),
    tax: z.enum(['CGST_SGST', 'CGST_UTGST', 'IGST', 'NONE']),
    supplyType: z
      .enum(['B2B', 'B2C', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP'])
      .describe('As in e-invoices; WP with payment of tax, WOP without'),
    split: z
      .object({
        taxableValue: z.number(),
        cgst: z.number(),
        sgst: z.number(),
        utgst: z.number(),
        igst: z.number(),
        roundOff: z.number(),
        total: z.number(),
      })
      .nullable()
      .describe('Rupees; null unless amount and gstRate are given'),
  })
  .meta({ id: 'PlaceOfSupplyResponse' });

const refusals: Record<PlaceOfSupplyRefusal, Omit<Fault, 'in'>> = {
  state_required: {
    pointer: '/recipientState',
    message: 'Without a GSTIN the State of the recipient is required (Circular 242/36/2024-GST).',
  },
  state_unknown: { pointer: '/recipientState', message: 'This code is not a valid place of supply in India today.' },
  gstin_invalid: { pointer: '/recipientGstin', message: 'This GSTIN is not valid; check it for typing errors.' },
  supplier_state_unknown: { pointer: '/supplierState', message: 'This code is not a valid place of supply today.' },
};

function recipientOf({ recipientGstin, recipientState, overseas, sez, underLut }: z.output<typeof query>): Recipient {
  if (overseas) return { kind: 'overseas', underLut };
  if (recipientGstin !== undefined) return { kind: 'registered', gstin: recipientGstin, sez, underLut };
  return recipientState === undefined ? { kind: 'unregistered' } : { kind: 'unregistered', stateCode: recipientState };
}

function splitOf(
  { amount, gstRate, amountIncludesTax }: z.output<typeof query>,
  tax: TaxKind,
): z.output<typeof placeResponse>['split'] {
  if (amount === undefined || gstRate === undefined) return null;
  const compute = amountIncludesTax ? splitInclusive : splitExclusive;
  const split = compute(Math.round(amount * 100), Math.round(gstRate * 100), tax);
  return {
    taxableValue: rupees(split.taxablePaise),
    cgst: rupees(split.cgstPaise),
    sgst: rupees(split.sgstPaise),
    utgst: rupees(split.utgstPaise),
    igst: rupees(split.igstPaise),
    roundOff: rupees(split.roundOffPaise),
    total: rupees(split.totalPaise),
  };
}

function contradictions(asked: z.output<typeof query>): Fault[] {
  const { recipientGstin, recipientState, overseas, sez, amount, gstRate } = asked;
  const named = recipientGstin !== undefined || recipientState !== undefined;
  const faults: Omit<Fault, 'in'>[] = [];
  if (overseas && named)
    faults.push({ pointer: '/overseas', message: 'A recipient abroad has no GSTIN and no State.' });
  if (recipientGstin !== undefined && recipientState !== undefined) {
    faults.push({
      pointer: '/recipientState',
      message: 'Send either the GSTIN or the State: the GSTIN includes the State.',
    });
  }
  if (sez && recipientGstin === undefined) {
    faults.push({ pointer: '/sez', message: 'A Special Economic Zone unit has a GSTIN: send recipientGstin.' });
  }
  if ((amount === undefined) !== (gstRate === undefined)) {
    const pointer = amount === undefined ? '/amount' : '/gstRate';
    faults.push({ pointer, message: 'Send amount and gstRate together.' });
  }
  return faults.map(({ pointer, message }) => ({ in: 'query', pointer, message }));
}

function decide(asked: z.output<typeof query>): z.output<typeof placeResponse> {
  const faults = contradictions(asked);
  if (faults.length > 0) throw new RequestFaults(faults);
  const decision = decideTax({
    supplierStateCode: asked.supplierState,
    recipient: recipientOf(asked),
  });
  if (!decision.ok) {
    const fault = refusals[decision.refusal];
    const ofGstin = decision.refusal === 'state_unknown' && asked.recipientGstin !== undefined;
    throw new RequestFaults([{ in: 'query', ...fault, ...(ofGstin ? { pointer: '/recipientGstin' } : {}) }]);
  }
  const { placeOfSupply: code, placeOfSupplyName: name, interState, tax, supplyType } = decision;
  return { placeOfSupply: { code, name }, interState, tax, supplyType, split: splitOf(asked, tax) };
}

/** Which taxes apply to a supply of services, and their amounts. */
export function placeOfSupplyRoutes(server: ProductServer): void {
  server.route({
    method: 'GET',
    url: '/v1/place-of-supply',
    schema: {
      operationId: 'decidePlaceOfSupply',
      tags: ['Place of supply'],
      summary: 'Place of supply and the resulting taxes',
      description:
        'CGST with SGST or UTGST, or IGST, for a supply of services under sections 7, 8 and 12(2) of the IGST Act, and the taxes of an amount to the paisa.',
      querystring: query,
      response: responsesOf(
        placeResponse,
        decide(query.parse({ supplierState: '27', recipientState: '33', amount: 1499, gstRate: 18 })),
      ),
    },
    handler: (request) => decide(request.query),
  });
}
