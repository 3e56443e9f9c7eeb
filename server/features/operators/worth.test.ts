import { expect, onTestFinished, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { addDays } from '#shared/domain/day.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTeam, waitingId } from './test-team.ts';

test('plans and units at no price count like refunds, by what they would cost; taking units back counts nothing', async () => {
  const { world, operators, session } = await startTeam();
  onTestFinished(() => world.close());
  const { asha, meena } = session;
  const buyer = await newBuyer(world);
  const cycleId = await buyer.buy(0);
  const { id: customerId } = (await world.ask(readAccount, {}, buyer.token)).user;
  // ₹1,499 for 1,00,000 units, 5,000 a day.
  const raise = (units: number) => operators.act(asha, 'setQuota', { cycleId, units });
  expect(await raise(40_000)).toMatchObject({ status: 200, body: { worth: 599.6 } });
  expect(await raise(-40_000)).toMatchObject({ status: 200, body: { worth: 0 } });
  const extend = { cycleId, days: 7 };
  const approvalId = waitingId(await operators.act(asha, 'extendCycle', extend));
  expect(await operators.act(meena, 'approve', { approvalId })).toMatchObject({
    status: 200,
    body: { amount: 524.65, result: { worth: 524.65, extensionId: expect.any(String) } },
  });
  const from = addDays(buyer.today(), 60);
  waitingId(
    await operators.act(asha, 'grantPlan', {
      customerId,
      productId: 'invoicing-system',
      planId: 'growth',
      days: 30,
      from,
    }),
  );
  const plans = world.portal.db.selectFrom('cycles').select('id').where('activation_id', '=', buyer.activationId);
  expect(await plans.where('from_date', '>=', from).execute()).toEqual([]);
});

test('units added to a short plan count on each of its days', async () => {
  const { world, operators, session } = await startTeam();
  onTestFinished(() => world.close());
  const buyer = await newBuyer(world);
  const { id: customerId } = (await world.ask(readAccount, {}, buyer.token)).user;
  const grant = { customerId, productId: 'invoicing-system', planId: 'growth', days: 7 };
  expect(await operators.act(session.asha, 'grantPlan', grant)).toMatchObject({ status: 200 });
  const { id: cycleId } = await world.portal.db
    .selectFrom('cycles')
    .select('id')
    .where('activation_id', '=', buyer.activationId)
    .where('status', '=', 'NO_PAYMENT_REQUIRED')
    .executeTakeFirstOrThrow();
  // 5,000 a day on 7 days are less than 1,00,000: 7,000 units more at ₹1,499 for 1,00,000.
  const raise = { cycleId, units: 1000 };
  expect(await operators.act(session.asha, 'setQuota', raise)).toMatchObject({ status: 200, body: { worth: 104.93 } });
});
