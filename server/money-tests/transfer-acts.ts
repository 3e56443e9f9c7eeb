import { declareTransferTds, payByTransfer } from '#shared/contract/bank-transfers.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { declareTds as declareClaim } from '#shared/contract/tds.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import type { TdsPercent } from '#shared/domain/tds.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { sampleProfile } from '#server/test/portal.ts';
import { at } from './model-command.ts';
import { add } from './renewal-acts.ts';
import { act, attempt, byOperator, cause, type Life, today } from './renewal-life.ts';
import { billsOf, unpaidOf } from './renewal-payments.ts';
import { tdsInput } from './test-tds.ts';

/** What happens to bills that are paid by bank transfer. */

export const askForTransfer = (which: number) =>
  act(`ask for an account number ${which}`, async (life) => {
    if ((await unpaidOf(life)).length === 0) await add('growth', 0).run(life);
    const unpaid = await unpaidOf(life);
    if (unpaid.length === 0) return;
    const { id, activationId } = at(unpaid, which);
    await attempt(life, payByTransfer, { params: { activationId }, body: { billingCycleIds: [id] } });
  });

/** From now on the customer may deduct tax. */
export const becomeBusiness = () =>
  act('a GSTIN', (life) => attempt(life, updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' } }));

export const declareTds = (percent: TdsPercent | null) =>
  act(`declare TDS of ${percent ?? 'no'} %`, (life) =>
    attempt(life, declareTransferTds, { body: { declared: percent && { tan: 'MUMA12345B', percent } } }),
  );

/** The value of a price without GST of 18 %, less tax in whole rupees. */
const lessTds = (paise: number, percent: number): number =>
  paise - Math.round((Math.round(paise / 1.18) * percent) / 10_000) * 100;

const askedOf = ({ money, customer }: Life) =>
  money.portal.db
    .selectFrom('transfer_orders')
    .innerJoin('payment_orders', 'payment_orders.id', 'transfer_orders.order_id')
    .select(['virtual_account_id', 'amount_paise', 'order_id'])
    .where('transfer_orders.customer_id', '=', customer.customerId)
    .orderBy('asked_at')
    .orderBy('order_id')
    .execute();

/** Money arrives on the account number: what one of the orders is over, that less tax, or another amount. */
export const credit = (which: number, off: { paise: number; percent: number }, from: 'webhook' | 'nothing') =>
  act(`transfer order ${which}, less ${off.percent} % and ${off.paise} paise, heard by ${from}`, async (life) => {
    const { money } = life;
    const asked = await askedOf(life);
    if (asked.length === 0) return;
    const { virtual_account_id: account, amount_paise: paise } = at(asked, which);
    const amount = lessTds(paise, off.percent) - off.paise;
    const { id } = await money.standin('POST', `/standin/virtual_accounts/${account}/credit`, { amount });
    if (from === 'nothing') return;
    await money.deliver('payment.captured', { payment: { entity: { id, status: 'captured', order_id: null } } });
    await money.handleWebhooks();
  });

/** An operator refunds what an order less tax paid, or a part of it; sometimes the customer proves the tax before, or after. */
export const giveBack = (which: number, paise: number | undefined, proof: 'none' | 'before' | 'after') =>
  act(`give back ${paise ?? 'all'} of a price less tax, certificate ${proof}`, async (life) => {
    const { money, customer } = life;
    const withheld = await money.portal.db
      .selectFrom('refunds')
      .select(['cycle_id', 'amount_paise'])
      .where('customer_id', '=', customer.customerId)
      .where('payout', '=', 'WITHHELD')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    if (withheld.length === 0) return;
    const { cycle_id: of, amount_paise: taxPaise } = at(withheld, which);
    if (proof === 'before') await prove(life, of, taxPaise);
    const amount = paise === undefined ? {} : { amount: paise / 100 };
    const why = { ...cause, reason: `Given back ${which}` };
    await byOperator(() => actAsOperator(money.portal, 'owner', 'refundPayment', { of, ...amount }, why));
    if (proof === 'after') await prove(life, of, taxPaise);
  });

export async function prove(life: Life, cycleId: string, paise: number): Promise<void> {
  const { money, customer } = life;
  await attempt(life, declareClaim, tdsInput(money, cycleId, paise));
  const claim = await money.portal.db
    .selectFrom('tds_claims')
    .select('id')
    .where('customer_id', '=', customer.customerId)
    .where('cycle_id', '=', cycleId)
    .where('status', '=', 'WAITING')
    .executeTakeFirst();
  if (claim) await byOperator(() => actAsOperator(money.portal, 'owner', 'acceptTds', { claimId: claim.id }, cause));
}

/** An operator answers about a transfer that is held. */
export const answerHeld = (call: 'settleTransfer' | 'refundTransfer') =>
  act(call, async ({ money, customer }) => {
    const held = await money.portal.db
      .selectFrom('payments')
      .select('provider_payment_id as paymentId')
      .where('customer_id', '=', customer.customerId)
      .where('use', '=', 'HELD')
      .executeTakeFirst();
    if (held) await byOperator(() => actAsOperator(money.portal, 'owner', call, held, cause));
  });

let recorded = 0;
/** The number of a bank for the next transfer. */
export const nextUtr = (): string => `SBIN${(recorded += 1) + 1_000_000}`;
let lastUtr = nextUtr();

/** An operator records a transfer to the own account, or the one before again: for what the customer meant to transfer, or for a bill. */
export const record = (which: number, percent: number, isNew: boolean) =>
  act(`record ${isNew ? 'a' : 'the last'} transfer less ${percent} % for what is due ${which}`, async (life) => {
    const asked = await askedOf(life);
    const bills = await billsOf(life, leastDuePaise);
    const all = [
      ...asked.map(({ order_id: of, amount_paise: paise }) => ({ of, paise })),
      ...bills.map(({ cycle_id: of, owed_paise: paise }) => ({ of, paise })),
    ];
    if (all.length === 0) return;
    const { of, paise } = at(all, which);
    if (isNew) lastUtr = nextUtr();
    const transfer = { of, amount: lessTds(paise, percent) / 100, utr: lastUtr, on: today(life) };
    await byOperator(() => actAsOperator(life.money.portal, 'owner', 'recordReceivedTransfer', transfer, cause));
  });
