import { readAccounts } from '#tests/audit/books/accounts.ts';
import type { Books } from '#tests/audit/books/books.ts';
import { readLedger } from '#tests/audit/books/ledger.ts';
import { readPacks } from '#tests/audit/books/renewals.ts';
import { readPortal } from '#tests/audit/books/portal.ts';
import { readReturns } from '#tests/audit/books/gstr1.ts';
import { readSettlements } from '#tests/audit/books/settlements.ts';
import { readStandin } from '#tests/audit/books/standin.ts';
import { openStage, type Scenario, settle, type Stage } from '#tests/audit/steps/stage.ts';
import { type DatabaseServer, startServer } from '#tests/audit/world/server.ts';
import { startWorld } from '#tests/audit/world/world.ts';
import { type Column, type Difference, figuresOf, reconcile } from './reconcile.ts';

/** How one scenario ended. */
export interface Outcome {
  name: string;
  group: string;
  title: string;
  seconds: number;
  /** Missing when the scenario could not be played to its end. */
  figures?: Record<'expected' | Column, string>;
  differences: Difference[];
  failure?: string;
}

/** Plays scenarios, some of them at the same time, each in a world of its own; results are in the order of the scenarios. */
export async function runAll(
  scenarios: readonly Scenario[],
  atOnce: number,
  tell: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const shared = await startServer();
  const outcomes = new Map<Scenario, Outcome>();
  const left = scenarios.values();
  const work = async (): Promise<void> => {
    for (const scenario of left) {
      const outcome = await runOne(scenario, shared);
      outcomes.set(scenario, outcome);
      tell(outcome);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await shared.remove();
  }
  return scenarios.flatMap((scenario) => outcomes.get(scenario) ?? []);
}

async function runOne(scenario: Scenario, shared: DatabaseServer): Promise<Outcome> {
  const began = Date.now();
  const { name, group, title } = scenario;
  const about = () => ({ name, group, title, seconds: Math.round((Date.now() - began) / 100) / 10 });
  const server = scenario.ownServer === true ? await startServer() : shared;
  try {
    const { figures, differences } = await play(scenario, server);
    return { ...about(), figures, differences };
  } catch (error) {
    return {
      ...about(),
      differences: [],
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  } finally {
    if (server !== shared) await server.remove();
  }
}

async function play(scenario: Scenario, server: DatabaseServer) {
  const world = await startWorld(server, { ...scenario, name: `audit_${scenario.name.replaceAll('-', '_')}` });
  try {
    const stage = await openStage(world, scenario.buyer);
    for (const step of scenario.steps) {
      try {
        await step.act(stage);
      } catch (error) {
        throw new Error(`${step.name}: ${error instanceof Error ? error.message : String(error)}\n${world.log()}`, {
          cause: error,
        });
      }
    }
    await settle(stage);
    const books = await readBooks(stage, scenario.expected.renewals !== undefined);
    const differences = reconcile(scenario.expected, books);
    return { figures: figuresOf(scenario.expected, books), differences };
  } finally {
    await world.stop();
  }
}

/** All books about a customer's story. */
export async function readBooks({ world, customer }: Stage, withPacks = false): Promise<Books> {
  const books = {
    portal: await readPortal(customer),
    ledger: await readLedger(world),
    standin: await readStandin(world),
    returns: await readReturns(world),
    // Last, because time passes.
    settlements: await readSettlements(world),
    accounts: await readAccounts(world),
  };
  if (!withPacks) return books;
  const { faults, ...packs } = await readPacks(world);
  return { ...books, accounts: { ...books.accounts, ...packs, faults: [...books.accounts.faults, ...faults] } };
}
