import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openStage, type Scenario, settle, type Stage } from '#tests/audit/steps/stage.ts';
import { buy, razorpayIs, refundAtRazorpay } from '#tests/audit/steps/steps.ts';
import { buildPrograms } from '#tests/audit/world/programs.ts';
import { startServer } from '#tests/audit/world/server.ts';
import { startWorld } from '#tests/audit/world/world.ts';
import { columns, reconcile } from './reconcile.ts';
import { readBooks } from './run.ts';
import { singleSales } from './scenarios/single-sales.ts';

const anything = z.unknown();
/** Changes the database behind the back of its triggers, as somebody with access to it could. */
const tamper = ({ world }: Stage, statement: string) =>
  world.rows(anything, `do $$ begin set local session_replication_role = replica; ${statement}; end $$`);

const sale = singleSales.find(({ name }) => name === 'sale-consumer-same-state');

test('in a running portal, a change of each book is a difference in its column', { timeout: 600_000 }, async () => {
  if (sale === undefined) throw new Error('the scenario is gone');
  const scenario: Scenario = sale;
  await buildPrograms();
  const server = await startServer();
  onTestFinished(() => server.remove());
  const world = await startWorld(server, { name: 'audit_planted', from: scenario.from });
  onTestFinished(() => world.stop());
  const stage = await openStage(world, scenario.buyer);
  await buy('growth').act(stage);
  await settle(stage);
  const differing = async () => {
    const differences = reconcile(scenario.expected, await readBooks(stage));
    const found = new Set(differences.map(({ column }) => column));
    return columns.filter((column) => found.has(column));
  };
  expect(await differing()).toEqual([]);

  // The portal's answer alone: a status in the history of the customer.
  await tamper(stage, `update cycles set status = 'DEACTIVATED'`);
  expect(await differing()).toContain('portal');
  await tamper(stage, `update cycles set status = 'PAID' where price_paise > 0`);
  await tamper(stage, `update cycles set status = 'DEACTIVATED' where price_paise = 0`);
  expect(await differing()).toEqual([]);

  await tamper(stage, `update ledger_lines set amount_paise = amount_paise + sign(amount_paise)`);
  expect(await differing()).toEqual(expect.arrayContaining(['ledger', 'standin', 'settlements', 'accounts']));
  await tamper(stage, `update ledger_lines set amount_paise = amount_paise - sign(amount_paise)`);

  // A paisa moves from one tax to the other; portal and return read the same row.
  await tamper(
    stage,
    `update documents set cgst_paise = cgst_paise + 1, sgst_paise = sgst_paise - 1,
      content = jsonb_set(jsonb_set(content, '{split,cgstPaise}', to_jsonb(cgst_paise + 1)), '{split,sgstPaise}', to_jsonb(sgst_paise - 1))`,
  );
  expect(await differing()).toEqual(expect.arrayContaining(['portal', 'gstr1']));
  await tamper(
    stage,
    `update documents set cgst_paise = cgst_paise - 1, sgst_paise = sgst_paise + 1,
      content = jsonb_set(jsonb_set(content, '{split,cgstPaise}', to_jsonb(cgst_paise - 1)), '{split,sgstPaise}', to_jsonb(sgst_paise + 1))`,
  );
  expect(await differing()).toEqual([]);

  // Razorpay moves money that the portal has not heard of.
  await razorpayIs({ webhooks: { enabled: false } }).act(stage);
  await refundAtRazorpay(1).act(stage);
  expect(await differing()).toContain('standin');
});
