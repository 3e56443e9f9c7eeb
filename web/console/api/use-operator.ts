import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallReply } from '#shared/contract/call.ts';
import type { OperatorCallName } from '#shared/contract/operator/calls.ts';
import { readOperatorSession } from '#shared/contract/operator/session.ts';
import { callInSession } from '#web/console/api/operator-call.ts';
import { operatorKey } from '#web/console/api/use-operator-call.ts';

export type OperatorSession = CallReply<typeof readOperatorSession>;

/** Who is signed in, and what the role may do; read again now and then, since an owner may change it. */
export function useOperatorSession(): UseQueryResult<OperatorSession> {
  return useQuery({
    queryKey: operatorKey(readOperatorSession.name, {}),
    queryFn: ({ signal }) => callInSession(readOperatorSession, {}, signal),
    refetchInterval: 60_000,
  });
}

/** The name of a product; of one that is no longer on sale its id. */
export function useProductName(): (id: string) => string {
  const names = useOperatorSession().data?.products ?? {};
  return (id) => names[id] ?? id;
}

/** May the operator make a call? The server asks again at each call; here it decides what is offered. */
export function useMay(): (name: OperatorCallName) => boolean {
  const calls = useOperatorSession().data?.calls ?? [];
  return (name) => calls.includes(name);
}
