import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import type { Tx } from '#shared/database/connect.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { addCycle, buyPack, endCycle } from '#server/features/cycles/cycles.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { finishDocument } from '#server/features/documents/finish.ts';
import { faultsOfCustomers } from '#server/features/ledger/changed-customers.ts';
import { verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { makeGrant } from '#server/features/grants/grants.ts';
import { setQuota } from '#server/features/quota/quota.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { acceptTds } from '#server/features/tds/tds.ts';
import { plantedCredit, plantedCreditFaults } from './planted-credit-faults.ts';
import { plantedEvidenceFaults, plantedProviderFaults } from './planted-evidence-faults.ts';
import { planted, plantedFaults } from './planted-faults.ts';
import { plantedOperatorFaults } from './planted-operator-faults.ts';
import { plantedOrderFaults } from './planted-order-faults.ts';
import { plantedPackFaults } from './planted-pack-faults.ts';
import { plantedPaperFaults } from './planted-paper-faults.ts';
import { plantedQuotaFaults } from './planted-quota-faults.ts';
import { plantedChainFaults, plantedSealFaults } from './planted-seal-faults.ts';
import { plantedTdsFaults } from './planted-tds-faults.ts';
import { plantedTransferFaults } from './planted-transfer-faults.ts';
import { billed } from './test-credit.ts';
import { businessProfile, declareTds } from './test-tds.ts';
import { asking } from './test-transfers.ts';
import { catalogThatRefunds, dayMs, type Money, startMoney, type TestCustomer } from './test-money.ts';

let money: Money;
/** The ledger's last entry before anything was planted. */
let known: { position: number; hash: Buffer };

beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
  await trade();
  for (const { id } of await money.portal.db.selectFrom('documents').select('id').execute()) {
    await finishDocument(money.portal, id);
  }
  await sql`select chain_seals(100000)`.execute(money.portal.db);
  const { faults, ...last } = await money.portal.db.transaction().execute((tx) => verifyWithin(tx));
  if (faults.length > 0) throw new Error(`faults before anything was planted: ${faults.join('; ')}`);
  known = last;
});
afterAll(() => money.close());

/** Money in every possible state. */
async function trade(): Promise<void> {
  const { portal } = money;
  // All invoices are of one series, also those of tomorrow.
  if (dayOf(portal.clock()).endsWith('-03-31')) money.moveClock(dayMs);
  const today = dayOf(portal.clock());
  const activate = async (customer: TestCustomer, planId: string) => {
    const { activationId, billingCycleId } = await money.ask(
      activatePlan,
      { params: { id: 'tax-lookup-api', planId } },
      customer.token,
    );
    return { activationId, cycleId: billingCycleId ?? '' };
  };
  const customer = await money.newCustomer();
  const pay = async (buyer: TestCustomer, cycleId: string, meanwhile?: () => Promise<unknown>): Promise<string> => {
    const { orderId } = await createOrder(portal, buyer, cycleId);
    const { paymentId } = await money.checkOut(orderId);
    await meanwhile?.();
    await settlePayment(portal, paymentId);
    return paymentId;
  };
  const { activationId, cycleId } = await activate(customer, 'growth');
  const add = async (inDays: number) =>
    (await addCycle(portal, customer, activationId, 'starter', addDays(today, inDays))).billingCycleId;
  const payment = await pay(customer, cycleId);
  const upcoming = await add(30);
  await pay(customer, upcoming);
  const cancelled = await add(60);
  await pay(customer, cancelled);
  await endCycle(portal, customer, activationId, cancelled);
  const removed = await add(90);
  const latePayment = await pay(customer, removed, () => endCycle(portal, customer, activationId, removed));
  const pack = (await buyPack(portal, customer, activationId, 'extra-100')).billingCycleId;
  await pay(customer, pack);
  const pending = await add(120);
  await createOrder(portal, customer, pending);
  const other = await money.newCustomer();
  const trial = await activate(other, 'trial');
  const third = await money.newCustomer();
  const givenBack = await activate(third, 'growth');
  await pay(third, givenBack.cycleId);
  money.moveClock(dayMs);
  await endCycle(portal, third, givenBack.activationId, givenBack.cycleId);
  const business = await money.newCustomer(businessProfile);
  const deducted = await activate(business, 'growth');
  await pay(business, deducted.cycleId);
  const tdsClaim = await declareTds(money, business, deducted.cycleId, 12_703);
  await acceptTds(portal, tdsClaim, { actor: 'test', reason: 'In Form 26AS' });
  const cause = { actor: 'test', reason: 'An outage' };
  const fourth = await money.newCustomer();
  const refundedInPart = await activate(fourth, 'growth');
  await pay(fourth, refundedInPart.cycleId);
  await makeRefund(portal, { of: refundedInPart.cycleId, reason: cause.reason, amountPaise: 10_000 }, cause.actor);
  await setQuota(portal, refundedInPart.cycleId, 50, cause);
  const { customerId } = fourth;
  const granted = await makeGrant(
    portal,
    { customerId, productId: 'invoicing-system', planId: 'growth', days: 7 },
    cause,
  );
  const transfers = await tradeByTransfer();
  const written = await billed(money, { days: 1, stopAfterDays: 0 });
  money.moveClock(2 * dayMs);
  await actAsOperator(portal, 'finance', 'writeOffBill', { cycleId: written.cycleId }, cause);
  const [due, paidLater, lowered] = [await billed(money), await billed(money), await billed(money)];
  await actAsOperator(portal, 'finance', 'refundPayment', { of: lowered.cycleId, amount: 500 }, cause);
  const { paymentId: paymentOfBill } = await money.buy(paidLater.token, paidLater.cycleId);
  await money.work();
  const { cycleId: dueId, customerId: debtor } = due;
  Object.assign(plantedCredit, {
    due: dueId,
    debtor,
    paidLater: paidLater.cycleId,
    paymentOfBill,
    lowered: lowered.cycleId,
    writtenOff: written.cycleId,
  });
  Object.assign(planted, transfers, {
    refundedInPart: refundedInPart.cycleId,
    granted: granted.cycleId,
    customer: customer.customerId,
    other: other.customerId,
    activation: activationId,
    paid: cycleId,
    upcoming,
    cancelled,
    removed,
    pending,
    pack,
    trial: trial.cycleId,
    givenBack: givenBack.cycleId,
    payment,
    latePayment,
    deducted: deducted.cycleId,
    tdsClaim,
  });
}

/** Two transfers that are held as they are less what may be tax, and one that an operator recorded. */
async function tradeByTransfer() {
  const cause = { actor: 'test', reason: 'Asked them' };
  const [held, answered, own] = [await asking(money), await asking(money), await asking(money)];
  const [first, second] = [await held.credit(137_200), await answered.credit(137_200)];
  await money.work(money.portal, 60_000);
  const answeredPayment = String(second.id);
  await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId: answeredPayment }, cause);
  const transfer = { of: own.cycleId, amount: 1499, utr: 'SBIN326015129999', on: dayOf(money.portal.clock()) };
  const recorded = await actAsOperator(money.portal, 'finance', 'recordReceivedTransfer', transfer, cause);
  return { heldPayment: String(first.id), answeredPayment, recordedPayment: recorded.paymentId ?? '' };
}

/** Runs `act` with all triggers and constraints off, and rolls back. */
async function asIntruder<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await money.owner.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(tx);
    return await act(tx);
  } finally {
    await tx.rollback().execute();
  }
}

/** Plants a fault; every statement must have an effect. */
async function plantWithin(tx: Tx, plant: () => string[]): Promise<void> {
  for (const statement of plant()) {
    const { numAffectedRows } = await sql.raw(statement).execute(tx);
    if (/^(insert|update|delete)/.test(statement) && numAffectedRows === 0n) throw new Error(`no effect: ${statement}`);
  }
}

const allPlants = [
  ...plantedFaults,
  ...plantedCreditFaults,
  ...plantedEvidenceFaults,
  ...plantedProviderFaults,
  ...plantedOperatorFaults,
  ...plantedOrderFaults,
  ...plantedPackFaults,
  ...plantedPaperFaults,
  ...plantedQuotaFaults,
  ...plantedSealFaults,
  ...plantedTdsFaults,
  ...plantedTransferFaults,
  ...plantedChainFaults,
];

test.each(allPlants)('the verification reports when $what', async ({ plant, says }) => {
  const { faults } = await asIntruder(async (tx) => {
    await plantWithin(tx, plant);
    return verifyWithin(tx, { known });
  });
  expect(faults.join('\n')).toMatch(says);
});

test.each([
  ...plantedCreditFaults,
  ...plantedEvidenceFaults,
  ...plantedQuotaFaults,
  ...plantedSealFaults,
  ...plantedTdsFaults,
  ...plantedTransferFaults,
])('the check of what is new reports when $what', async ({ plant, says }) => {
  const customers = (await money.portal.db.selectFrom('customers').select('id').execute()).map(({ id }) => id);
  const faults = await asIntruder(async (tx) => {
    await plantWithin(tx, plant);
    return faultsOfCustomers(tx, customers, 100);
  });
  expect(faults.join('\n')).toMatch(says);
});

test('everything that was planted has been rolled back', async () => {
  expect(await money.faults()).toEqual([]);
});
