import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { condition, escapeLike } from '#shared/database/expressions.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { isRequestId } from '#shared/domain/request-ids.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { findKeys } from '#server/features/api-keys/api-keys.ts';
import { findCall, type SoughtCall } from '#server/features/request-log/request-log.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { type AskedPage, pageOf } from '#server/operator-pages.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { findOrderByBank } from './bank-reference.ts';

/** Tables with a customer, and the columns in which a text that customers send may stand as a whole. */
const namedIn = [
  ['activations', 'id'],
  ['cycles', 'id'],
  ['api_keys', 'id'],
  ['payment_orders', 'id'],
  ['payment_orders', 'provider_order_id'],
  ['payments', 'provider_payment_id'],
  ['refunds', 'id'],
  ['refunds', 'provider_refund_id'],
  ['disputes', 'provider_dispute_id'],
  ['documents', 'number'],
  ['support_threads', 'id'],
  ['webhooks', 'id'],
  ['tds_claims', 'id'],
] as const;

/** The digits of a phone number without the country's, however it is grouped; undefined for another text. */
function phoneDigits(text: string): string | undefined {
  if (!/^\+?[\d\s().-]+$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return digits.length < 4 ? undefined : digits.slice(-10);
}

/** What was pasted: without characters that nobody sees, and of `Asha Rao <asha@kosi.in>` the address. */
function readSought(sought: string): string {
  const seen = sought
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /<([^<>\s]+@[^<>\s]+)>/.exec(seen)?.[1] ?? seen;
}

/** What may be an id or a number: the whole, and each word, as in “Invoice OCT/26-27/000012”. Our own ids and numbers have capitals alone. */
function namesIn(text: string): string[] {
  const words = text.split(' ').map((word) => word.replaceAll(/^[("'“‘#]+|[)"'”’.,;:!?]+$/g, ''));
  const long = [text, ...words].filter((word) => word.length >= 6);
  return [...new Set([text, ...long, ...long.map((word) => word.toUpperCase())])].slice(0, 20);
}

/** A part of a text, whatever quotes and dashes people type for those that stand in it. */
const partOf = (text: string): string => escapeLike(text).replaceAll(/['’‘ʼ´`′"“”„‐‑‒–—-]/g, '_');

/** What names a customer, each with an index of the trigrams and one of the whole of its `search_text`. */
const ofCustomer = sql`customers customer`;
const ofProfile = sql`profiles profile join customers customer on customer.id = profile.customer_id`;
const texts = [
  { text: sql`customer.email`, from: ofCustomer },
  { text: sql`customer.name`, from: ofCustomer },
  { text: sql`profile.legal_name`, from: ofProfile },
  { text: sql`profile.gstin`, from: ofProfile },
];
const phone = sql`regexp_replace(profile.phone, '[^0-9]', '', 'g')`;

/** The newest customers of which this is true. A query for each text, since no index serves an “or” over two tables. */
const newest = (
  from: RawBuilder<unknown>,
  isSought: RawBuilder<SqlBool>,
  { isWhole, most }: { isWhole: boolean; most: number },
) => sql`(
  select customer.id, ${isWhole}::boolean as whole from ${from}
  where ${isSought} order by customer.created_at desc limit ${most})`;

/** PostgreSQL reads trigrams for a part that few have, and customers by age for one that many have; for a whole text it would read all that have its trigrams. */
const namedLike = ({ text, from }: (typeof texts)[number], sought: string, most: number) => [
  newest(from, condition`search_text(${text}) = search_text(${sought})`, { isWhole: true, most }),
  newest(from, condition`search_text(${text}) like search_text(${`%${partOf(sought)}%`})`, { isWhole: false, most }),
];

/**
 * The ids of customers by the id of anything of theirs, a key or its beginning, a document number, a UTR, the id of a request, a GSTIN of an invoice, else by a part of
 * an e-mail address, a name, a GSTIN or a phone number. Those named as a whole first, then the newest, so that a part that many have hides none.
 */
export async function searchCustomers(
  source: Pick<OperatorSource, 'db' | 'clock' | 'requestLog'>,
  sought: string,
  { after = '0', limit }: AskedPage,
): Promise<{ ids: string[]; next: string | null; call: SoughtCall | undefined; orderId: string | undefined }> {
  const { db } = source;
  const text = readSought(sought);
  if (text.length < 3) throw new OperatorRefusal('Give at least three characters.', 'invalid_request');
  // A place in an order of two parts, whole names and others, is a number of rows.
  if (!/^\d{1,5}$/.test(after)) throw new OperatorRefusal('No page begins there.', 'invalid_request');
  const most = Number(after) + limit + 1;
  const call = isRequestId(text) ? await findCall(source, text) : undefined;
  const keys = text.startsWith('gstk_') ? await findKeys(source, text) : [];
  const names = namesIn(text);
  const order = await findOrderByBank(db, names);
  const ids = [...names, ...[...keys, call, order].flatMap((of) => of?.customerId ?? [])];
  const gstins = names.filter((name) => parseGstin(name).valid);
  const digits = phoneDigits(text);
  const found = [
    sql`select id, true as whole from customers where id = any(${ids}::text[])`,
    ...namedIn.map(
      ([table, column]) =>
        sql`select customer_id, true from ${sql.table(table)} where ${sql.ref(column)} = any(${names}::text[])`,
    ),
    // It may have been corrected since.
    ...(gstins.length === 0
      ? []
      : [sql`select customer_id, true from documents where content #>> '{recipient,gstin}' = any(${gstins}::text[])`]),
    ...texts.flatMap((of) => namedLike(of, text, most)),
    ...(digits === undefined
      ? []
      : [newest(ofProfile, condition`${phone} like ${`%${digits}%`}`, { isWhole: false, most })]),
  ];
  const result = await sql`
    select found.id from (${sql.join(found, sql` union all `)}) found join customers on customers.id = found.id
    group by found.id, customers.created_at order by bool_or(found.whole) desc, customers.created_at desc, found.id
    offset ${Number(after)} limit ${limit + 1}`.execute(db);
  const { rows, next } = pageOf(checkedRows(z.object({ id: z.string() }), result), limit, () => String(most - 1));
  return { ids: rows.map(({ id }) => id), next, call, orderId: order?.id };
}
