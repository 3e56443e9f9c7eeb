import type { requestLogCalls } from '#shared/contract/operator/request-log.ts';
import { problemName } from '#shared/domain/call-problem.ts';
import { callOutcomes } from '#shared/domain/metering.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { readRequests } from './request-log.ts';

export const requestLogHandlers: Handlers<typeof requestLogCalls> = {
  readRequests: {
    read: async (source, { activationId, ...asked }) => {
      const activation = await source.db
        .selectFrom('activations')
        .select('customer_id')
        .where('id', '=', activationId.trim())
        .executeTakeFirst();
      if (!activation)
        throw new OperatorRefusal(
          `There is no activation ${activationId}. Find it with: octroi customers show`,
          'not_found',
        );
      const { customer_id: customerId } = activation;
      const { requests, ...page } = await readRequests(source, { customerId }, activationId.trim(), asked);
      return { customerId, requests: requests.map((request) => ({ ...request, why: whyOf(request) })), ...page };
    },
  },
};

type Logged = Awaited<ReturnType<typeof readRequests>>['requests'][number];

/** The outcome in words, and the problem with its numbers. */
function whyOf({ status, reason, problem }: Logged): string | null {
  if (status < 400) return null;
  const facts = Object.entries(problem?.facts ?? {}).map(([name, value]) => `${name} ${value}`);
  return [callOutcomes[reason], ...(problem ? [problemName(problem), ...facts] : [])].join(', ');
}
