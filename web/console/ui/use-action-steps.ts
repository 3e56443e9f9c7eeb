import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { actAsOperator, isUnsure, type Outcome, previewAsOperator } from '#web/console/api/operator-call.ts';
import { proveWithPasskey } from '#web/console/api/passkeys.ts';
import { rereadAll } from '#web/console/api/use-operator-call.ts';
import type { Action } from '#web/console/ui/action.ts';
import { compareFacts, factsOf, sameFacts } from '#web/console/ui/reply-facts.ts';
import { Refused } from '#web/api/failures.ts';

/** An action from its preview to its outcome. `values`: what is entered; `isSettled`: nobody is typing. */
export function useActionSteps(action: Action, values: Readonly<Record<string, string>>, isSettled: boolean) {
  const queryClient = useQueryClient();
  const [running, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { input: inputSchema, reply: replySchema } = operatorCalls[action.call];
  const input = action.input((field) => values[field] ?? '');
  const entered = inputSchema.safeParse(input);
  const isEntered = (action.fields ?? []).every(
    ({ name, kind, isOptional }) => kind === 'tick' || isOptional === true || values[name],
  );

  const preview = useQuery({
    queryKey: ['preview', action.call, input],
    queryFn: async ({ signal }) => factsOf(replySchema, await previewAsOperator(action.call, input, signal)),
    enabled: isSettled && isEntered && entered.success && outcome === null && !running,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: false,
  });

  async function run(work: () => Promise<void>): Promise<void> {
    setRunning(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    } finally {
      setRunning(false);
    }
  }
  const needsPasskey = failure instanceof Refused && failure.problem.code === 'passkey_required';

  const perform = (reason: string) =>
    run(async () => {
      if (needsPasskey) await proveWithPasskey();
      // What is tried again because its response was lost may have changed what it would do by itself.
      if (!isUnsure(action.call, input)) {
        const { data: now, error } = await preview.refetch();
        if (error !== null) return;
        if (!sameFacts(preview.data ?? [], now ?? []))
          throw new Error('What it would do has changed since you looked. Nothing is done yet: look at it again.');
      }
      try {
        setOutcome(await actAsOperator(action.call, input, reason));
      } finally {
        // Also after a failure: the response alone may be lost.
        void rereadAll(queryClient);
      }
    });

  return {
    preview,
    /** Why the input is none, when all is entered. */
    fault: isEntered && !entered.success ? (entered.error.issues[0]?.message ?? null) : null,
    perform,
    running,
    failure: failure instanceof Error && !needsPasskey ? failure : null,
    needsPasskey,
    /** The last try of this may have been done: its response was lost. */
    mayBeDone: isUnsure(action.call, input),
    outcome,
    done:
      outcome !== null && 'done' in outcome ? compareFacts(preview.data ?? [], factsOf(replySchema, outcome.done)) : [],
  };
}
