import { z } from 'zod';
import { send } from '#tests/audit/world/wire.ts';
import type { World } from '#tests/audit/world/world.ts';
import type { PaymentMoney, StandinBook } from './books.ts';

const list = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });
const paymentItem = z.object({ id: z.string(), amount: z.int(), status: z.string() });
const refundItem = z.object({ payment_id: z.string(), amount: z.int(), status: z.string() });
const disputeItem = z.object({ payment_id: z.string(), amount_deducted: z.int(), status: z.string() });

/** Reads all lists of Razorpay's API, with the key of the account. */
export async function readStandin(world: World): Promise<StandinBook> {
  const read = async <Item extends z.ZodType>(name: string, item: Item) =>
    list(item).parse(await fromRazorpay(world, `/v1/${name}?count=100`)).items;
  const payments = new Map<string, PaymentMoney>();
  for (const { id, amount, status } of await read('payments', paymentItem))
    if (status === 'captured' || status === 'refunded') payments.set(id, { captured: amount, refunded: 0 });
  const goesBack = (id: string, amount: number) => {
    const known = payments.get(id);
    if (known) known.refunded += amount;
  };
  for (const { payment_id: id, amount, status } of await read('refunds', refundItem))
    if (status === 'processed') goesBack(id, amount);
  for (const { payment_id: id, amount_deducted: amount, status } of await read('disputes', disputeItem))
    if (status === 'lost') goesBack(id, amount);
  return { payments };
}

/** Calls Razorpay's API with the key of the account. */
export function fromRazorpay({ place, razorpayKeys }: World, path: string): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${razorpayKeys.id}:${razorpayKeys.secret}`).toString('base64')}`;
  return send('GET', `${place.razorpayUrl}${path}`, undefined, { authorization });
}
