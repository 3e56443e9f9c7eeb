import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { collection } from '#ship/standins/razorpay/entities.ts';
import { badRequest } from '#ship/standins/razorpay/errors.ts';
import { page } from '#ship/standins/razorpay/paging.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { dayInIndia, findSettlement } from '#ship/standins/razorpay/settlements.ts';

const number = (first: number, last: number) => z.coerce.number().int().min(first).max(last);
const fault: Readonly<Record<string, string>> = {
  year: 'The year must be 4 digits.',
  month: 'The month is not a valid month.',
  day: 'The day must be between 1 and 2 digits.',
  count: 'The count must be at least 1.',
};
const reconSchema = z.object({
  year: number(1000, 9999),
  month: number(1, 12),
  day: number(1, 31).optional(),
  count: number(1, 1000).default(10),
  skip: number(0, Number.MAX_SAFE_INTEGER).default(0),
});

const two = (value: number) => String(value).padStart(2, '0');

/** `/v1/settlements` and its recon, for a day or a month in India. */
export function addSettlementRoutes(api: FastifyInstance, parts: RazorpayParts): void {
  const { ledger } = parts;

  api.get('/settlements', (request) => collection(page(ledger.state.settlements.values(), request.query)));

  api.get('/settlements/recon/combined', (request) => {
    const parsed = reconSchema.safeParse(request.query);
    if (!parsed.success) {
      const field = String(parsed.error.issues[0]?.path[0]);
      throw badRequest(fault[field] ?? `The ${field} is invalid.`, field);
    }
    const { year, month, day, count, skip } = parsed.data;
    const wanted = `${year}-${two(month)}${day === undefined ? '' : `-${two(day)}`}`;
    const items = [...ledger.state.settlementItems.values()].filter((item) =>
      dayInIndia(item.listed_at).startsWith(wanted),
    );
    return collection(items.slice(skip, skip + count).map(({ listed_at: _listedAt, ...item }) => item));
  });

  api.get<{ Params: { id: string } }>('/settlements/:id', (request) => findSettlement(parts, request.params.id));
}
