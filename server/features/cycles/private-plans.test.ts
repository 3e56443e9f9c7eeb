import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Changes, changedCatalog } from '#catalog/test-catalog.ts';
import { addCycle, switchPlan } from '#shared/contract/cycles.ts';
import { activatePlan, listPlans, listProducts } from '#shared/contract/marketplace.ts';
import { readAccount } from '#shared/contract/account.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { proposeFolder } from '#server/catalog-proposal.ts';
import { applyProposal } from '#server/catalog-versions.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let named: string;
let other: string;
beforeAll(async () => {
  // Addresses are compared without case; test customers sign in as p1@example.com, p2@example.com, …
  // An address that ends in another one or begins with it, or the reverse, is somebody else's.
  const customers = '[P1@Example.com, ap2@example.com, 2@example.com, p2@example.co, p2@example.com.in]';
  const catalogDir = changedCatalog({ 'tax-lookup-api': { 'plans.growth.customers': customers } });
  portal = await startTestPortal({ catalogDir });
  await portal.behave({ webhooks: { enabled: false } });
  named = await portal.newCustomer();
  other = await portal.newCustomer();
});
afterAll(() => portal.close());

const cause = { actor: 'asha', reason: 'A test' };

/** Puts changed catalogues into effect. */
function catalogues() {
  const context = portal.portal;
  const apply = async (changes: Changes) =>
    applyProposal(context, await proposeFolder(context.db, changedCatalog(changes)), cause);
  return { context, apply };
}

const growth = { params: { id: 'tax-lookup-api', planId: 'growth' } };

test('a private plan is shown to the customers that it names, and to nobody else', async () => {
  for (const [token, isShown] of [
    [named, true],
    [other, false],
  ] as const) {
    const products = await portal.ask(listProducts, {}, token);
    const plans = products.find(({ id }) => id === 'tax-lookup-api')?.plans ?? [];
    expect(plans.filter(({ id }) => id === 'growth')).toHaveLength(isShown ? 1 : 0);
    expect(plans.length).toBeGreaterThan(1);
    const grouped = await portal.ask(listPlans, { params: { productId: 'tax-lookup-api' } }, token);
    const listed = Object.values(grouped).flatMap((group) => group.map(({ id }) => id));
    expect(listed.filter((id) => id === 'growth')).toHaveLength(isShown ? 1 : 0);
    expect(JSON.stringify(products)).not.toMatch(/p1@example\.com/i);
  }
});

test('nobody else can activate, add or switch to a private plan', async () => {
  expect((await portal.send(activatePlan, growth, other)).status).toBe(404);
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, other);
  const startDate = addDays(dayOf(portal.portal.clock()), 40);
  const params = { activationId, planId: 'growth' };
  expect((await portal.send(addCycle, { params, body: { startDate } }, other)).status).toBe(404);
  expect((await portal.send(switchPlan, { params }, other)).status).toBe(404);
});

test('a customer that it names buys it like any plan, and the terms as sold name no customer', async () => {
  const bought = await portal.ask(activatePlan, growth, named);
  expect(bought.billingCycleId).not.toBeNull();
  const { plan } = await portal.portal.db
    .selectFrom('cycles')
    .select('plan')
    .where('id', '=', bought.billingCycleId ?? '')
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(plan)).not.toContain('customers');
});

test('an erasure names the private plans that name the customer, and the audit log of catalogues names nobody', async () => {
  const { context, apply } = catalogues();
  await apply({});
  await apply({ 'tax-lookup-api': { 'plans.growth.customers': '[p1@example.com, other@example.com]' } });
  const actions = JSON.stringify(await listActions(portal.portal.db, { limit: 9 }));
  expect(actions).toContain('customers all → … …');
  expect(actions).not.toContain('@example.com');
  const { id } = (await portal.ask(readAccount, {}, named)).user;
  const despite = { endPlans: true, withinYear: true };
  const { privatePlans } = await eraseByOperator(context, id, cause, despite);
  expect(privatePlans).toEqual([{ productId: 'tax-lookup-api', planId: 'growth' }]);
  const stranger = (await portal.ask(readAccount, {}, other)).user;
  expect((await eraseByOperator(context, stranger.id, cause, despite)).privatePlans).toEqual([]);
});
