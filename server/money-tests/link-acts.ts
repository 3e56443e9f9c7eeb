import {
  makePayLink,
  orderByPayLink,
  readPayLink,
  transferByPayLink,
  verifyByPayLink,
} from '#shared/contract/pay-links.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { textOfLink } from './link-commands.ts';
import { at } from './model-command.ts';
import { act, attempt, byOperator, cause, type Life, paidSchema } from './renewal-life.ts';
import { unpaidOf } from './renewal-payments.ts';
import { browserReport } from './test-money.ts';

/** What holders of pay links do, who have no account (decision 077), and who gives them out. */

/** The customer gives a link out for what can be paid; `ends`: those so far are withdrawn. */
export const makeLink = (which: number, count: number, ends: boolean) =>
  act(`make a link to ${count} from ${which}${ends ? ', and withdraw those before' : ''}`, async (life) => {
    const unpaid = await unpaidOf(life);
    if (unpaid.length === 0) return;
    const first = at(unpaid, which);
    const others = unpaid.filter(({ id, activationId }) => id !== first.id && activationId === first.activationId);
    const billingCycleIds = [first, ...others].slice(0, count).map(({ id }) => id);
    const params = { activationId: first.activationId };
    const response = await attempt(life, makePayLink, { params, body: { billingCycleIds, endsEarlier: ends } });
    if (response.status === 200) life.links.push(textOfLink(response.body));
  });

/** An operator takes the link of a bill, an unpaid plan, or all that waits. */
export const findLink = (which: number, ofAll: boolean) =>
  act(`an operator finds the link of ${ofAll ? 'all' : which}`, async (life) => {
    const unpaid = await unpaidOf(life);
    const id = ofAll || unpaid.length === 0 ? life.activationId : at(unpaid, which).id;
    await byOperator(async () => {
      life.links.push(textOfLink(await readAsOperator(life.money.portal, 'owner', 'findPayLink', { id })));
    });
  });

export const endLinks = () =>
  act('an operator ends the links', ({ money, activationId }) =>
    byOperator(() => actAsOperator(money.portal, 'owner', 'endPayLinks', { activationId }, cause)),
  );

const stateOf = async ({ money }: Life, link: string) => {
  const response = await money.send(readPayLink, { body: { link } });
  return response.status === 200 ? readPayLink.reply.parse(response.body).state : 'NONE';
};

/** A holder opens one of the links and its checkout, and pays there; or asks for the account number instead. */
export const payByLink = (
  which: number,
  how: 'success' | 'pending' | 'failed' | 'left' | 'transfer',
  reports: boolean,
) =>
  act(`a holder of link ${which}: ${how}${reports ? ', reported' : ''}`, async (life) => {
    const { money } = life;
    if (life.links.length === 0) return;
    const link = at(life.links, which);
    const before = await stateOf(life, link);
    const response = await money.send(how === 'transfer' ? transferByPayLink : orderByPayLink, { body: { link } });
    if (response.status >= 500) throw new Error(`${link} responded with ${response.status}: ${response.text}`);
    if (response.status !== 200) return;
    // Nothing else may change that meanwhile: what is paid can be due again, and a link is withdrawn for good.
    const isOver = ['PAID', 'WITHDRAWN', 'REPLACED', 'NONE'].includes(before) && (await stateOf(life, link)) === before;
    if (isOver) throw new Error(`link ${link} is ${before}, and was taken`);
    if (how === 'transfer' || how === 'left') return;
    const { orderId } = orderByPayLink.reply.parse(response.body);
    const paid = paidSchema.safeParse(await money.pay(orderId, { method: 'upi', outcome: how }));
    if (!paid.success || !reports) return;
    const report = browserReport(orderId, paid.data.razorpay_payment_id);
    await money.send(verifyByPayLink, { body: { link, ...report, email: 'accounts@payer.example' } });
  });
