import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addDays, type Day, dayOf, isDay } from '#shared/domain/day.ts';
import { numberedDaysAhead } from '#shared/domain/document-number.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { responsesOf } from '#products/http/api-description.ts';
import { smallBodyBytes } from '#products/http/body-bounds.ts';
import { callerOf, customerOf } from '#products/http/gateway-headers.ts';
import { idempotencyKeyOf, repeatableOnly } from '#products/idempotency/idempotency.ts';
import { storeOrRefuse, type Store } from '#products/store/store.ts';
import { RequestFaults } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { firstDay } from '#products/invoicing/check-invoice.ts';
import { repeatableFailures } from '#products/invoicing/invoice-routes.ts';
import { giveNumber, lastNumber } from '#products/store/numbers.ts';

const series = z
  .string()
  .regex(/^[A-Za-z1-9][A-Za-z0-9-]{0,7}$/, 'A series has 1 to 8 letters, digits or hyphens and does not begin with 0.')
  .describe('First part of the number')
  .meta({ examples: ['TPX'] });
const type = z.enum(['INV', 'CRN', 'DBN']).default('INV').describe('Each type of document has its own series');
const date = z
  .string()
  .refine(isDay, 'Enter a day as yyyy-mm-dd.')
  .describe('Date of the document; numbering restarts each financial year')
  .meta({ format: 'date', examples: ['2026-11-02'] });

const numberResponse = z
  .object({ number: z.string(), sequence: z.int(), financialYear: z.string(), series: z.string(), type: z.string() })
  .meta({ id: 'GivenNumber' });
const lastNumberResponse = z.object({ last: numberResponse.nullable() }).meta({ id: 'LastNumber' });

const example = { number: 'TPX/26-27/000001', sequence: 1, financialYear: '2026-27', series: 'TPX', type: 'INV' };

const numberRequest = z
  .strictObject({
    series,
    type,
    date,
    startAt: z
      .int()
      .min(1)
      .max(999_999_999)
      .optional()
      .describe(
        'First number of a series that is new in its financial year, 1 by default; where a stopped series goes on (`series-stopped`); ignored otherwise',
      ),
    digits: z.int().min(1).max(9).optional().describe('Minimum width of the number; 6 by default, 4 for notes'),
  })
  .meta({ id: 'NumberRequest', examples: [{ series: 'TPX', date: '2026-11-02' }] });

/** A number has the last two digits of its years alone: one of another century would come twice. */
function requireNumberedDay(date: Day, today: Day): void {
  const latest = addDays(today, numberedDaysAhead);
  const message =
    date < firstDay ? `GST began on ${firstDay}.` : `Numbers are given for documents until ${latest}, a year ahead.`;
  if (date < firstDay || date > latest) throw new RequestFaults([{ in: 'body', pointer: '/date', message }]);
}

const ownerOf = (request: FastifyRequest) => ({ customer: customerOf(request), activation: callerOf(request) });

/** Document numbers, in consecutive series per customer. */
export function numberRoutes(server: ProductServer, store: Store | undefined, now: Clock): void {
  server.route({
    method: 'POST',
    url: '/v1/numbers',
    bodyLimit: smallBodyBytes,
    schema: {
      operationId: 'giveNumber',
      tags: ['Numbers'],
      summary: 'Take the next number of a series',
      description:
        'Consecutive and unique in the financial year, as Rule 46(b) requires: series, year and a running number in at most 16 characters. Series belong to your account and go on when you delete the API and activate it again. The Idempotency-Key is required, so that a retry gets the same number. After a restore of our database from a backup, which may lack your latest numbers, the first number of each series is a 409 `series-stopped` until you send `startAt`.',
      headers: repeatableOnly,
      body: numberRequest,
      response: responsesOf(numberResponse, example, { statuses: repeatableFailures }),
    },
    handler: async (request) => {
      const { series, type, date, startAt, digits = type === 'INV' ? 6 : 4 } = request.body;
      requireNumberedDay(date, dayOf(now()));
      const name = { ...ownerOf(request), series, documentType: type, date };
      const askedBy = idempotencyKeyOf(request) ?? '';
      try {
        const given = await giveNumber(storeOrRefuse(store), name, { askedBy, startAt, digits }, now());
        return { ...given, series, type };
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new RequestFaults([{ in: 'body', pointer: '/series', message: error.message }]);
      }
    },
  });

  server.route({
    method: 'GET',
    url: '/v1/numbers',
    schema: {
      operationId: 'lastNumber',
      tags: ['Numbers'],
      summary: 'Get the latest number of a series',
      description:
        'The latest number in the financial year of the day; `last: null` for a series without any. Numbers given to test keys are found for 30 days.',
      querystring: z.strictObject({ series, type, date }),
      response: responsesOf(lastNumberResponse, { last: example }),
    },
    handler: async (request) => {
      const { series, type, date } = request.query;
      const name = { ...ownerOf(request), series, documentType: type, date };
      const last = await lastNumber(storeOrRefuse(store), name);
      return { last: last && { ...last, series, type } };
    },
  });
}
