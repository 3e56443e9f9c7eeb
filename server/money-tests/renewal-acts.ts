import { readCatalog } from '#catalog/catalog-files.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { deleteActivation } from '#shared/contract/activations.ts';
import { addCycle, endCycle, switchPlan } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { endRenewal, skipRenewal } from '#shared/contract/renewals.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays } from '#shared/domain/day.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { cancelledBusiness } from '#server/features/documents/test-e-invoices.ts';
import { blockCustomer, unblockCustomer } from '#server/features/customers/blocks.ts';
import { extendCycle } from '#server/features/grants/extend-cycle.ts';
import { makeGrant } from '#server/features/grants/grants.ts';
import { withdrawGrant } from '#server/features/grants/withdraw-grant.ts';
import { sampleProfile } from '#server/test/portal.ts';
import { at } from './model-command.ts';
import {
  type Act,
  act,
  attempt,
  backUp,
  byOperator,
  catalogWithRecharges,
  cause,
  cyclesOf,
  daysTo,
  endOf,
  everyStep,
  type Life,
  move,
  payInCheckout,
  product,
  restore,
  type Run,
  runStep,
  type StepName,
  today,
} from './renewal-life.ts';

export const wait = (days: number) => act(`wait ${days} days`, (life) => move(life, days));

/** Nothing runs meanwhile. */
export const goBeforeEnd = (days: number) =>
  act(`go to ${days} days before the end`, async (life) => {
    const end = await endOf(life);
    if (end !== undefined) await move(life, daysTo(life, end) - days);
  });

export const step = (name: StepName, run: Run) =>
  act(`${name}, ${typeof run === 'number' ? `killed at ${run}` : run}`, (life) => runStep(life, name, run));

/** A worker works while something else happens. */
export const meanwhile = ({ name, run }: Act, work: StepName) =>
  act(`${name}; meanwhile ${work}`, (life) => Promise.all([run(life), runStep(life, work, 'once')]));

/** A day passes, and everything that is due is done. */
export const ordinaryDay = () =>
  act('an ordinary day', async (life) => {
    await move(life, 1);
    for (const name of everyStep) await runStep(life, name, 'once');
  });

export const takeBackup = () => act('back up', backUp);
export const restoreIt = () => act('restore the backup', restore);

export const skip = (isSkipped: boolean) =>
  act(isSkipped ? 'skip' : 'undo skip', async (life) => {
    const end = await endOf(life);
    const params = { activationId: life.activationId };
    const { status } = await attempt(life, skipRenewal, { params, body: { isSkipped } });
    if (status !== 200 || end === undefined) return;
    if (isSkipped) life.givenUp.add(end);
    else life.givenUp.delete(end);
  });

export const turnOff = () =>
  act('turn off', (life) => attempt(life, endRenewal, { params: { activationId: life.activationId } }));

export const add = (planId: string, inDays: number) =>
  act(`add ${planId} ${inDays} days after the end`, async (life) => {
    const startDate = addDays((await endOf(life)) ?? today(life), inDays);
    await attempt(life, addCycle, { params: { activationId: life.activationId, planId }, body: { startDate } });
  });

export const end = (which: number) =>
  act(`end plan ${which}`, async (life) => {
    const cycles = await cyclesOf(life);
    if (cycles.length === 0) return;
    const { id, from_date: from } = at(cycles, which);
    const params = { activationId: life.activationId, billingCycleId: id };
    const { status } = await attempt(life, endCycle, { params });
    if (status === 200) life.givenUp.add(from);
  });

export const switchTo = (planId: string) =>
  act(`switch to ${planId}`, (life) =>
    attempt(life, switchPlan, { params: { activationId: life.activationId, planId } }),
  );

export const inApp = (how: 'pause' | 'resume' | 'cancel') =>
  act(`${how} in the UPI app`, async (life) => {
    const mandate = await life.money.portal.db
      .selectFrom('mandates')
      .select('token_id')
      .where('customer_id', '=', life.customer.customerId)
      .where('token_id', 'is not', null)
      .orderBy('asked_at', 'desc')
      .executeTakeFirst();
    if (mandate) await life.money.standin('POST', `/standin/tokens/${mandate.token_id}/${how}`, {});
  });

export const endByOperator = () =>
  act('an operator ends the mandate', async ({ money, activationId }) => {
    const mandate = await money.portal.db
      .selectFrom('mandates')
      .select('id')
      .where('activation_id', '=', activationId)
      .orderBy('asked_at', 'desc')
      .executeTakeFirst();
    if (mandate)
      await byOperator(() => actAsOperator(money.portal, 'owner', 'endMandate', { mandateId: mandate.id }, cause));
  });

export const block = (isBlocked: boolean) =>
  act(isBlocked ? 'block' : 'unblock', ({ money, customer }) =>
    byOperator(() => (isBlocked ? blockCustomer : unblockCustomer)(money.portal, customer.customerId, cause)),
  );

/** The customer deletes the product, and activates it again with a consent, or without. */
export const startOver = (consents: boolean) =>
  act(`start over ${consents ? 'with' : 'without'} consent`, async (life) => {
    await attempt(life, deleteActivation, { params: { activationId: life.activationId } });
    const response = await attempt(life, activatePlan, { params: { id: product, planId: 'growth' } });
    if (response.status !== 200) return;
    const { activationId, billingCycleId } = activatePlan.reply.parse(response.body);
    life.activationId = activationId;
    await payInCheckout(life, [billingCycleId ?? ''], { consents, outcome: 'success', reports: true });
  });

const catalogOf = (fields: Record<string, string>) => readCatalog(catalogWithRecharges(fields));
const catalogs = {
  'as at first': () => catalogOf({}),
  'a little dearer': () => catalogOf({ 'plans.growth.price': '1599' }),
  'above the ceiling': () => catalogOf({ 'plans.growth.price': '1999' }),
} as const;
const read = new Map<string, ReturnType<typeof catalogOf>>();

export const sell = (how: keyof typeof catalogs) =>
  act(`sell ${how}`, async ({ money, other }) => {
    const catalog = read.get(how) ?? catalogs[how]();
    read.set(how, catalog);
    for (const portal of [money.portal, other]) Object.assign(portal, { catalog });
  });

/** The plan is not sold any more. */
export const stopSelling = () =>
  act('stop selling', async ({ money, other }) => {
    const { catalog } = money.portal;
    const sold = catalog.find(product);
    if (!sold) return;
    const without = { ...sold, plans: sold.plans.filter(({ planId }) => planId !== 'growth') };
    const find: typeof catalog.find = (id) => (id === product ? without : catalog.find(id));
    for (const portal of [money.portal, other]) Object.assign(portal, { catalog: { ...catalog, find } });
  });

/** What the customer has skipped moves with days that an operator gives, or takes away. */
async function byGiving(life: Life, work: () => Promise<unknown>): Promise<void> {
  const before = await endOf(life);
  await byOperator(work);
  const after = await endOf(life);
  if (before !== undefined && after !== undefined && life.givenUp.has(before)) life.givenUp.add(after);
}

/** An operator grants days from the end on, or soon after. */
export const grant = (planId: string, inDays: number, days: number) =>
  act(`grant ${days} days of ${planId} ${inDays} days after the end`, async (life) => {
    const from = addDays((await endOf(life)) ?? today(life), inDays);
    const order = { customerId: life.customer.customerId, productId: product, planId, days, from };
    await byGiving(life, () => makeGrant(life.money.portal, order, cause));
  });

export const extend = (days: number) =>
  act(`extend by ${days} days`, async (life) => {
    const last = (await cyclesOf(life)).findLast(({ status }) => accessStatuses.includes(status));
    if (last) await byGiving(life, () => extendCycle(life.money.portal, last.id, days, cause));
  });

/** An operator takes away what was given last. */
export const withdraw = () =>
  act('withdraw what was given', async (life) => {
    const given = (await cyclesOf(life)).findLast(
      ({ status, granted_reason: granted }) => granted !== null && accessStatuses.includes(status),
    );
    if (given) await byGiving(life, () => withdrawGrant(life.money.portal, given.id, cause));
  });

/** `RENEWALS`, of every process. */
export const renewalsAre = (renewals: boolean) =>
  act(`RENEWALS=${renewals ? 'yes' : 'no'}`, async ({ money }) => Object.assign(money.portal.settings, { renewals }));

export const gstin = (isCancelled: boolean) =>
  act(isCancelled ? 'a GSTIN that is cancelled' : 'no GSTIN', (life) =>
    attempt(life, updateProfile, { body: { ...sampleProfile, ...(isCancelled && cancelledBusiness) } }),
  );
