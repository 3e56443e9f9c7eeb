import { expect, vi } from 'vitest';
import { z } from 'zod';
import { listActivations } from '#shared/contract/activations.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { endCycle } from '#server/features/cycles/cycles.ts';
import { catalogThatRefunds, startMoney, browserReport } from './test-money.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { type Fault, startFaultProxy } from './fault-proxy.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { verifyPayment } from '#server/features/payments/verify.ts';

/** A call must return the correct state within this time. */
const maxWaitMs = 10_000;

/** A portal whose connection to the provider can be cut. */
export async function startCutting() {
  const money = await startMoney({ catalogDir: catalogThatRefunds() });
  const { settings } = money.portal;
  const proxy = await startFaultProxy(settings.razorpayApiUrl);
  const options = { keyId: settings.razorpayKeyId, keySecret: settings.razorpayKeySecret };
  const portal = money.anotherPortal({ razorpay: createRazorpay({ apiUrl: `${proxy.url}/v1`, ...options }) });
  return {
    money,
    proxy,
    portal,
    close: async () => {
      await proxy.close();
      await money.close();
    },
  };
}
export type Cutting = Awaited<ReturnType<typeof startCutting>>;

async function pending({ money }: Cutting) {
  const { customerId, token } = await money.newCustomer();
  const owner = { customerId };
  const call = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, call, token);
  const cycleId = billingCycleId ?? '';
  const shown = async () => (await money.ask(listActivations, {}, token)).activations[0]?.billingCycles[0]?.status;
  return { owner, activationId, cycleId, shown };
}

async function paid(cutting: Cutting) {
  const one = await pending(cutting);
  const { orderId } = await createOrder(cutting.money.portal, one.owner, one.cycleId);
  return { ...one, orderId, paymentId: (await cutting.money.checkOut(orderId)).paymentId };
}

/** Runs a call while responses are cut; checks that its timeouts end in time, and returns its result. */
async function withFault<T>({ proxy }: Cutting, fault: Fault, call: () => Promise<T>): Promise<T | Error> {
  proxy.set(fault);
  const timeouts = vi.spyOn(AbortSignal, 'timeout');
  const result = await call().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  // Not measured: a busy machine adds to it.
  const waitMs = timeouts.mock.calls.reduce((sum, [ms]) => sum + ms, 0);
  timeouts.mockRestore();
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(maxWaitMs);
  proxy.set('none');
  return result;
}

async function countAtProvider({ money }: Cutting, path: string): Promise<number> {
  const { razorpayApiUrl, razorpayKeyId, razorpayKeySecret } = money.portal.settings;
  const authorization = `Basic ${Buffer.from(`${razorpayKeyId}:${razorpayKeySecret}`).toString('base64')}`;
  const response = await fetch(`${razorpayApiUrl}${path}`, { headers: { authorization } });
  return z.object({ count: z.int() }).parse(await response.json()).count;
}

async function refundWithFault(cutting: Cutting, fault: Fault, paymentId: string, paise: number): Promise<void> {
  const find = () =>
    cutting.portal.db
      .selectFrom('refunds')
      .select(['id', 'status', 'amount_paise'])
      .where('payment_id', '=', paymentId)
      .executeTakeFirstOrThrow();
  const { id, amount_paise } = await find();
  expect(amount_paise).toBe(paise);
  const first = await withFault(cutting, fault, () => carryOutRefund(cutting.portal, id));
  expect((await find()).status).toBe(first instanceof Error ? 'STARTED' : 'PROCESSED');
  await carryOutRefund(cutting.portal, id);
  expect((await find()).status).toBe('PROCESSED');
  expect(await countAtProvider(cutting, `/payments/${paymentId}/refunds`)).toBe(1);
}

/** The money calls: with a lost response each returns the correct state, and a repetition over an intact connection completes it. */
export const calls: Record<string, (cutting: Cutting, fault: Fault) => Promise<void>> = {
  'create order': async (cutting, fault) => {
    const { portal, money } = cutting;
    const one = await pending(cutting);
    const first = await withFault(cutting, fault, () => createOrder(portal, one.owner, one.cycleId));
    if (first instanceof Error) expect(first.message).toMatch(/^Failed to create payment order\. Try again/);
    const second = await createOrder(portal, one.owner, one.cycleId);
    if (!(first instanceof Error)) expect(second.orderId).toBe(first.orderId);
    const { id } = await money.portal.db
      .selectFrom('payment_orders')
      .select('id')
      .where('cycle_id', '=', one.cycleId)
      .executeTakeFirstOrThrow();
    expect(await countAtProvider(cutting, `/orders?receipt=${id}`)).toBe(1);
  },
  verify: async (cutting, fault) => {
    const one = await paid(cutting);
    const body = browserReport(one.orderId, one.paymentId);
    const first = await withFault(cutting, fault, () => verifyPayment(cutting.portal, one.owner, body));
    if (first instanceof Error) throw first;
    expect(await one.shown()).toBe(first.status === 'success' ? 'PAID' : 'PENDING');
    expect(await verifyPayment(cutting.portal, one.owner, body)).toMatchObject({ status: 'success' });
    expect(await one.shown()).toBe('PAID');
  },
  'refund all': async (cutting, fault) => {
    const one = await paid(cutting);
    await endCycle(cutting.portal, one.owner, one.activationId, one.cycleId);
    await settlePayment(cutting.portal, one.paymentId);
    await refundWithFault(cutting, fault, one.paymentId, 149_900);
  },
  // For a partial refund, the provider would pay a second time if asked with another idempotency key.
  'refund a part': async (cutting, fault) => {
    const one = await paid(cutting);
    await settlePayment(cutting.portal, one.paymentId);
    await endCycle(cutting.portal, one.owner, one.activationId, one.cycleId);
    // 29 days of 30.
    await refundWithFault(cutting, fault, one.paymentId, 144_903);
  },
};

/** The size of a call's longest response in bytes. */
export async function responseBytes(cutting: Cutting, call: string): Promise<number> {
  let bytes = 0;
  const { proxy } = cutting;
  const measured: Cutting = {
    ...cutting,
    proxy: {
      ...proxy,
      set: (fault) => {
        if (fault === 'none') bytes = Math.max(bytes, proxy.longest());
        proxy.set(fault);
      },
    },
  };
  await calls[call]?.(measured, { cutAfter: Number.MAX_SAFE_INTEGER });
  return bytes;
}
