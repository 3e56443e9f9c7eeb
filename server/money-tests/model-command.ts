import type { AsyncCommand } from 'fast-check';
import { z } from 'zod';
import type { Model } from './money-model.ts';
import type { Money, TestCustomer } from './test-money.ts';

/** The system under test: a customer of a running portal. */
export interface Real {
  money: Money;
  customer: TestCustomer;
  firstDay: string;
  /** Only businesses deduct tax at source. */
  isBusiness: boolean;
}

type Command = AsyncCommand<Model, Real>;

export const command = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({ check, run, toString: () => name });

export const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index % Math.max(1, items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

/** A refusal. */
export const problem = z.object({ code: z.string() });
