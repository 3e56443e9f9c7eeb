import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bundleScript } from '#shared/platform/test-script.ts';
import { type DyingTask, workAndDie } from './dying-worker.ts';
import { play, startWorld, type World } from './play-renewals.ts';
import { goBeforeEnd, wait } from './renewal-acts.ts';
import { useToday } from './recharge-acts.ts';
import { cyclesOf, type Life, runStep, type StepName } from './renewal-life.ts';
import { bank } from './renewal-payments.ts';
import { expectSoundDebits } from './renewal-rules.ts';
import { answerHeld, askForTransfer, becomeBusiness, credit, declareTds } from './transfer-acts.ts';

const worker = bundleScript(`import { ${workAndDie.name} } from '#server/money-tests/dying-worker.ts';
  ${workAndDie.name}(JSON.parse(process.env.TASK)).then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });`);

/**
 * Starts a process for a step of work, and kills it (-9) before its first statement or request; the next one finds what that one has left, and is killed
 * one later, until one gets through.
 */
async function killUntilThrough({ scope }: World, life: Life, step: StepName): Promise<void> {
  const { portal } = life.money;
  const { customerId } = life.customer;
  const about = { settings: portal.settings, offsetMs: portal.movedClock?.offsetMs() ?? 0, step, customerId };
  for (let lives = 0; ; lives += 1) {
    const task: DyingTask = { ...about, lives };
    const child = spawn(process.execPath, [worker], {
      env: { ...process.env, TASK: JSON.stringify(task) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    await once(child, 'exit');
    expect(await scope.faultsOf(customerId)).toEqual([]);
    await expectSoundDebits(life);
    if (child.signalCode === 'SIGKILL') continue;
    expect(child.exitCode, await said).toBe(0);
    expect(lives).toBeGreaterThan(5);
    return;
  }
}

const statusesOf = async (life: Life) => (await cyclesOf(life)).map(({ status }) => status);

const exactly = { paise: 0, percent: 0 };

const refundsOf = ({ money, customer }: Life) =>
  money.portal.db
    .selectFrom('refunds')
    .select(['amount_paise', 'status'])
    .where('customer_id', '=', customer.customerId)
    .execute();

test('a renewal whose first debit fails is debited and paid once, with a process killed (-9) at each statement and request', async () => {
  const world = await startWorld();
  await play(world, async (life) => {
    const kill = (step: StepName) => killUntilThrough(world, life, step);
    await goBeforeEnd(5).run(life);
    await kill('renewals');
    await bank('insufficient_funds').run(life);
    await goBeforeEnd(4).run(life);
    await kill('renewals');
    await kill('debits');
    await wait(1.1).run(life);
    await kill('orders');
    expect(await statusesOf(life)).toEqual(['PAID', 'PAYMENT_PENDING']);
    await goBeforeEnd(2).run(life);
    await kill('renewals');
    await kill('debits');
    await wait(1.1).run(life);
    await kill('orders');
    expect(await statusesOf(life)).toEqual(['PAID', 'PAID']);
    expect(await refundsOf(life)).toEqual([]);
  });
  expect(await world.money.faults()).toEqual([]);
});

test('a pack is told, debited and added once, with a process killed (-9) at each statement and request', async () => {
  const world = await startWorld();
  const during = async (life: Life) => {
    const kill = (step: StepName) => killUntilThrough(world, life, step);
    const packs = () =>
      life.money.portal.db
        .selectFrom('mandate_debits')
        .innerJoin('cycles', 'cycles.id', 'mandate_debits.cycle_id')
        .select(['mandate_debits.state', 'cycles.status'])
        .where('mandate_debits.customer_id', '=', life.customer.customerId)
        .where('mandate_debits.first_day', 'is', null)
        .execute();
    // On the first day of the notice nothing else is due.
    for (let day = 1; day <= 7; day += 1) {
      await wait(1).run(life);
      await useToday(0.1).run(life);
    }
    await kill('recharges');
    expect(await packs()).toEqual([]);
    await wait(1).run(life);
    await useToday(0.1).run(life);
    await kill('recharges');
    expect(await packs()).toEqual([{ state: 'ASKED', status: 'PAYMENT_PENDING' }]);
    await kill('debits');
    // The last one may only have found that nothing had come of an attempt: the next one sends it.
    await runStep(life, 'debits', 'once');
    expect(await packs()).toEqual([{ state: 'SENT', status: 'PAYMENT_PENDING' }]);
    await wait(1.1).run(life);
    await kill('orders');
    expect(await packs()).toEqual([{ state: 'PAID', status: 'PAID' }]);
    expect(await refundsOf(life)).toEqual([]);
  };
  await play(world, during, 29);
  expect(await world.money.faults()).toEqual([]);
});

test('of a transfer that comes twice, one pays and one is refunded, with a process killed (-9) at each statement and request', async () => {
  const world = await startWorld();
  await play(world, async (life) => {
    await askForTransfer(0).run(life);
    await credit(0, exactly, 'nothing').run(life);
    await killUntilThrough(world, life, 'account');
    expect(await statusesOf(life)).toEqual(['PAID', 'PAID']);
    await credit(0, exactly, 'nothing').run(life);
    await killUntilThrough(world, life, 'account');
    await killUntilThrough(world, life, 'refunds');
    expect(await refundsOf(life)).toEqual([{ amount_paise: 149_900, status: 'PROCESSED' }]);
  });
  expect(await world.money.faults()).toEqual([]);
});

test('what is due less TDS is held once and pays once, with a process killed (-9) at each statement and request', async () => {
  const world = await startWorld();
  await play(world, async (life) => {
    const less = { paise: 0, percent: 10 };
    await becomeBusiness().run(life);
    await askForTransfer(0).run(life);
    await credit(0, less, 'nothing').run(life);
    await killUntilThrough(world, life, 'account');
    expect(await statusesOf(life)).toEqual(['PAID', 'PAYMENT_PENDING']);
    await answerHeld('settleTransfer').run(life);
    await declareTds(10).run(life);
    await askForTransfer(0).run(life);
    await credit(1, less, 'nothing').run(life);
    await killUntilThrough(world, life, 'account');
    expect(await statusesOf(life)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(await refundsOf(life)).toEqual([
      { amount_paise: 12_700, status: 'PROCESSED' },
      { amount_paise: 12_700, status: 'PROCESSED' },
    ]);
  });
  expect(await world.money.faults()).toEqual([]);
});
