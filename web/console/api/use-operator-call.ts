import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { OperatorInput, OperatorReply, ReadName } from '#shared/contract/operator/calls.ts';
import { readAsOperator } from '#web/console/api/operator-call.ts';

/** The first part of the key of every reply to an operator. */
const ofOperators = 'operator';

/** The key of a reply. */
export const operatorKey = (name: string, input: unknown) => [ofOperators, name, input];

/** Reads with a call of operators, and keeps the reply: `useOperatorCall('readCustomer', { customerId })`. */
export function useOperatorCall<Name extends ReadName>(
  name: Name,
  input: OperatorInput<Name>,
  options: { enabled?: boolean; refetchIntervalMs?: number } = {},
): UseQueryResult<OperatorReply<Name>> {
  return useQuery({
    queryKey: operatorKey(name, input),
    queryFn: ({ signal }): Promise<OperatorReply<Name>> => readAsOperator(name, input, signal),
    enabled: options.enabled ?? true,
    ...(options.refetchIntervalMs !== undefined && { refetchInterval: options.refetchIntervalMs }),
  });
}

/** An action may have changed any reply: what is on screen is read again. */
export const rereadAll = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: [ofOperators] });
