import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addDays, dayOf, isDay } from '#shared/domain/day.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { responsesOf } from '#products/http/api-description.ts';
import { RequestFaults } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { isTestCall } from '#products/http/gateway-headers.ts';
import { createSearch } from '#products/tax-lookup/code-search.ts';
import { noOfficialList, type OfficialList } from '#products/tax-lookup/official-list.ts';
import { entriesBelow, findEntry, kindOfCode, type RateTable, rowsOn } from '#products/tax-lookup/rate-table.ts';

const rateRow = z
  .object({
    rate: z.number().describe('Per cent: the IGST rate, or CGST and SGST (UTGST) together'),
    condition: z.string().nullable().describe('Condition under which this rate applies; null: always'),
    schedule: z.string().nullable(),
    serial: z.string().nullable().describe('Serial number in the notification, where it is known'),
    notification: z.string(),
    validFrom: z.string().describe('First day'),
    validTo: z.string().nullable().describe('Last day, included; null while in force'),
  })
  .meta({ id: 'Rate' });

const codeKind = z.enum(['goods', 'services']);
const rateStatus = z
  .enum(['curated', 'not_curated'])
  .describe('not_curated: the rates of this code on this day are not in our data, and we do not guess');
const listedCode = z.object({ code: z.string(), description: z.string() });

const codeResponse = z
  .object({
    code: z.string(),
    kind: codeKind,
    on: z.string().describe('The day of the rates'),
    rateStatus,
    description: z
      .string()
      .nullable()
      .describe('Our description when the code is curated, else that of the official list'),
    listed: z
      .boolean()
      .nullable()
      .describe(
        'True when the official HSN/SAC list contains this code; null when the operator has not imported the list',
      ),
    matchedCode: z.string().nullable().describe('The code whose entry applies: this one, or a heading that covers it'),
    rates: z.array(rateRow).describe('All rates in force on the day; choose by condition'),
    otherPeriods: z.array(rateRow).describe('Rates of other periods'),
    narrower: z.array(listedCode).describe('Codes below this one that have entries of their own'),
    tableAsOf: z.string().describe('Day of the latest notification in our data'),
  })
  .meta({ id: 'CodeResponse' });

const searchResponse = z
  .object({
    search: z.string().describe('The search query'),
    total: z.int().describe('How many codes match; results has the best of them'),
    results: z.array(
      listedCode.extend({
        kind: codeKind,
        rateStatus,
        rates: z.array(z.number()).describe('Rates in force today, in per cent'),
      }),
    ),
  })
  .meta({ id: 'SearchResponse' });

const searchQuery = z.strictObject({
  search: z
    .string()
    .trim()
    .min(2)
    .max(100)
    .describe('Two or more digits of a code, or words; the first eight different ones count')
    .meta({ examples: ['laptop'] }),
  kind: codeKind
    .optional()
    .describe('Codes of goods (HSN) or of services (SAC) only')
    .meta({ examples: ['goods'] }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(10)
    .describe('Maximum number of results')
    .meta({ examples: [5] }),
});

/** The day on which GST began. */
const firstDay = '2017-07-01';
/** Rates are notified shortly before they apply: none are known for a later day. */
const foreseeableDays = 60;

const digits = z
  .string()
  .max(20)
  .regex(/^[\d .]+$/, 'An HSN or SAC code consists of digits.')
  .describe('HSN code of goods (2, 4, 6 or 8 digits) or SAC code of services (4, 5 or 6)')
  .meta({ examples: ['6403'] })
  .transform((text) => text.replaceAll(/[ .]/g, ''))
  .refine(hasCodeLength, 'Goods (HSN) have 2, 4, 6 or 8 digits, a leading 0 included; services (SAC) 4, 5 or 6.');

function hasCodeLength(code: string): boolean {
  return (kindOfCode(code) === 'goods' ? [2, 4, 6, 8] : [2, 4, 5, 6]).includes(code.length);
}

function dayFault(message: string): RequestFaults {
  return new RequestFaults([{ in: 'query', pointer: '/on', message }]);
}

function statusOf(inForce: readonly unknown[]): z.output<typeof rateStatus> {
  return inForce.length > 0 ? 'curated' : 'not_curated';
}

/** The data behind the look-up: a rate table and a list of codes. */
function createLookUp(table: RateTable, official: OfficialList, now: Clock) {
  const searchCodes = createSearch(table, official);
  return {
    ratesOn: (code: string, on: string): z.output<typeof codeResponse> => {
      const entry = findEntry(table, code);
      const { inForce, otherPeriods } = rowsOn(entry?.rows ?? [], on);
      return {
        code,
        kind: kindOfCode(code),
        on,
        rateStatus: statusOf(inForce),
        description: entry?.description ?? official.descriptions.get(code) ?? null,
        listed: official.source === null ? null : official.descriptions.has(code),
        matchedCode: entry?.code ?? null,
        rates: inForce,
        otherPeriods,
        narrower: entriesBelow(table, code).map(({ code, description }) => ({ code, description })),
        tableAsOf: table.asOf,
      };
    },
    find: ({ search, kind, limit }: z.output<typeof searchQuery>): z.output<typeof searchResponse> => {
      const today = dayOf(now());
      const found = searchCodes(search).filter((each) => kind === undefined || each.kind === kind);
      const results = found.slice(0, limit).map(({ code, description, kind }) => {
        const { inForce } = rowsOn(findEntry(table, code)?.rows ?? [], today);
        const rates = [...new Set(inForce.map((row) => row.rate))].toSorted((a, b) => a - b);
        return { code, description, kind, rateStatus: statusOf(inForce), rates };
      });
      return { search, total: found.length, results };
    },
  };
}

/** Look-up of HSN and SAC codes, by number and by words. `sample` is the data for test keys. */
export function hsnRoutes(
  server: ProductServer,
  table: RateTable,
  sample: RateTable,
  official: OfficialList,
  now: Clock,
): void {
  const live = createLookUp(table, official, now);
  const sandbox = createLookUp(sample, noOfficialList, now);
  const lookUpFor = (request: FastifyRequest) => (isTestCall(request) ? sandbox : live);
  server.route({
    method: 'GET',
    url: '/v1/hsn/:code',
    schema: {
      operationId: 'findRates',
      tags: ['HSN and SAC'],
      summary: 'Rates of an HSN or SAC code on a day',
      description:
        'Every rate of the code with its condition, notification and days. A code may have several rates at once: choose by condition. Concessions that depend on who buys or why (defence, handicraft, imports for research) are not listed.',
      params: z.object({ code: digits }),
      querystring: z.strictObject({
        on: z
          .string()
          .refine(isDay, 'Enter a day as yyyy-mm-dd.')
          .optional()
          .describe('The day of the rates; today (in India) by default')
          .meta({ examples: ['2026-01-31'] }),
      }),
      response: responsesOf(codeResponse, live.ratesOn('6403', '2026-01-31')),
    },
    handler: (request) => {
      const today = dayOf(now());
      const on = request.query.on ?? today;
      if (on < firstDay) throw dayFault(`GST began on ${firstDay}.`);
      if (on > addDays(today, foreseeableDays)) throw dayFault('The rates of a day this far ahead are not known yet.');
      return lookUpFor(request).ratesOn(request.params.code, on);
    },
  });

  server.route({
    method: 'GET',
    url: '/v1/hsn',
    schema: {
      operationId: 'searchCodes',
      tags: ['HSN and SAC'],
      summary: 'Search codes by words',
      description:
        'Searches by number, description and everyday words, best first: the curated codes, and every code of the official list once the operator has imported it.',
      querystring: searchQuery,
      response: responsesOf(searchResponse, live.find({ search: 'laptop', kind: 'goods', limit: 5 })),
    },
    handler: (request) => lookUpFor(request).find(request.query),
  });
}
