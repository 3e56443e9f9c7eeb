import { expect } from 'vitest';
import { z } from 'zod';
import { switchPlan } from '#shared/contract/cycles.ts';
import { command, problem } from './model-command.ts';
import {
  added,
  deactivated,
  areDaysFree,
  type Model,
  type ModelCycle,
  type ModelPlan,
  plans,
  removed,
  running,
} from './money-model.ts';

/** An earlier switch of the same plan that was not paid. */
function earlierOf(model: Model, replaced: ModelCycle): ModelCycle | undefined {
  return model.cycles.find((each) => each.replaces === replaced && each.status === 'PAYMENT_PENDING');
}

function whyNotSwitched(model: Model, plan: ModelPlan): string | undefined {
  const replaced = running(model);
  if (!replaced) return 'no_plan_running';
  const isGratis = plans[plan].paise === 0;
  if (isGratis && replaced.plan === plan) return 'plan_runs_already';
  if (plan === 'trial' && model.isTrialUsed) return 'trial_used';
  if (!areDaysFree(model, model.today, plans[plan].days, replaced)) return 'prepaid_in_the_way';
  const earlier = earlierOf(model, replaced);
  const isUnderWay = model.payments.some(
    ({ order, knownState }) => knownState === 'created' && earlier !== undefined && order.cycles.includes(earlier),
  );
  return isUnderWay ? 'payment_under_way' : undefined;
}

const reply = z.object({ billingCycleId: z.string(), status: z.enum(['success', 'pending']) });

/** Another plan in place of the running one: a free one at once, another when it is paid. */
export const switchTo = (plan: ModelPlan) =>
  command(
    `switch to ${plan}`,
    (model) => model.activationId !== undefined,
    async (model, { money, customer }) => {
      const refused = whyNotSwitched(model, plan);
      const params = { activationId: model.activationId ?? '', planId: plan };
      const response = await money.send(switchPlan, { params }, customer.token);
      if (refused !== undefined) {
        expect(problem.parse(response.body).code).toBe(refused);
        return;
      }
      const { billingCycleId, status } = reply.parse(response.body);
      const replaced = running(model);
      if (!replaced) throw new Error('no plan is running');
      const earlier = earlierOf(model, replaced);
      if (earlier) removed(earlier);
      const isGratis = plans[plan].paise === 0;
      expect(status).toBe(isGratis ? 'success' : 'pending');
      if (isGratis) deactivated(model, replaced);
      added(model, billingCycleId, plan, model.today);
      const made = model.cycles.at(-1);
      if (made) made.replaces = replaced;
    },
  );
