import {
  type UseQueryResult,
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Call, CallInput, CallReply } from '#shared/contract/call.ts';
import { call } from '#web/api/client.ts';
import { type CallFailure, Refused, Unreachable } from '#web/api/failures.ts';
import { withPasskey } from '#web/api/passkey-needed.ts';
import { intervalWhenFailed } from '#web/api/query-client.ts';
import { notifyFailure, tellOutcome } from '#web/ui/notify.tsx';

/** The query key of a call's response. Without the input: of all responses of that call. */
export function callKey(definition: Pick<Call, 'name'>, input?: unknown): unknown[] {
  return input === undefined ? [definition.name] : [definition.name, input];
}

/** Reads with a call of the contract, and keeps the reply. */
export function useCall<C extends Call>(
  definition: C,
  input: CallInput<C>,
  options: {
    enabled?: boolean;
    /** The refetch interval; it may depend on the reply. */
    refetchIntervalMs?: number | ((reply: CallReply<C> | undefined) => number | undefined);
    /** While it is read with another input, the reply to the one before stays. */
    keepPrevious?: boolean;
  } = {},
): UseQueryResult<CallReply<C>> {
  const { refetchIntervalMs } = options;
  return useQuery({
    queryKey: callKey(definition, input),
    queryFn: ({ signal }): Promise<CallReply<C>> => call(definition, input, signal),
    enabled: options.enabled ?? true,
    refetchInterval: (query) => {
      const own = typeof refetchIntervalMs === 'function' ? refetchIntervalMs(query.state.data) : refetchIntervalMs;
      const whenFailed = intervalWhenFailed(query);
      return whenFailed === false ? (own ?? false) : Math.min(own ?? whenFailed, whenFailed);
    },
    ...(options.keepPrevious === true && { placeholderData: keepPreviousData }),
  });
}

/** Reads with the same call several times; the replies so far, each with its input. */
export function useCalls<C extends Call>(
  definition: C,
  inputs: readonly CallInput<C>[],
): { input: CallInput<C>; reply: CallReply<C> }[] {
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: callKey(definition, input),
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<CallReply<C>> => call(definition, input, signal),
    })),
    combine: (results) =>
      results.flatMap(({ data }, index) => {
        const input = inputs[index];
        return data === undefined || input === undefined ? [] : [{ input, reply: data }];
      }),
  });
}

export interface Action<C extends Call> {
  /** Does nothing while it is running, so that a double click is one click. Null: it failed, or was running already. */
  run: (input: CallInput<C>) => Promise<CallReply<C> | null>;
  /** From the click until `onDone` or `onFailed`. */
  running: boolean;
  failure: CallFailure | null;
  /** Forgets the failure. */
  reset: () => void;
}

/** How long `onDone` waits for stale responses: the reply, such as a key that is shown once, must not wait for a slow list. */
const reloadWaitMs = 2_000;

/**
 * Changes something with a call of the contract. `changes`: the calls whose cached responses become stale; they are
 * reloaded before `onDone`, unless that takes long. Without `onFailed`, a failure is shown as a notification (product §2.29).
 * Each outcome replaces the notification of the one before; `subject`: also of other calls about the same thing, which it would contradict.
 */
export function useAction<C extends Call>(
  definition: C,
  options: {
    changes?: readonly Pick<Call, 'name'>[];
    onDone?: (reply: CallReply<C>, input: CallInput<C>) => void;
    onFailed?: (failure: CallFailure, input: CallInput<C>) => void;
    subject?: string | undefined;
  } = {},
): Action<C> {
  const subject = options.subject ?? definition.name;
  const queryClient = useQueryClient();
  const busy = useRef(false);
  const [running, setRunning] = useState(false);
  const mutation = useMutation<CallReply<C>, Error, CallInput<C>>({
    mutationKey: callKey(definition),
    mutationFn: (input) => withPasskey(() => call(definition, input)),
  });

  async function run(input: CallInput<C>): Promise<CallReply<C> | null> {
    if (busy.current) return null;
    busy.current = true;
    setRunning(true);
    try {
      const reply = await mutation.mutateAsync(input);
      const reloads = (options.changes ?? []).map((each) => queryClient.invalidateQueries({ queryKey: callKey(each) }));
      await Promise.race([Promise.all(reloads), pause(reloadWaitMs)]);
      tellOutcome(subject, () => options.onDone?.(reply, input));
      return reply;
    } catch (error) {
      const failure = asFailure(error);
      if (failure instanceof Refused && failure.code === 'unauthorized') return null;
      tellOutcome(subject, () => {
        if (options.onFailed === undefined) notifyFailure(failure.message);
        else options.onFailed(failure, input);
      });
      return null;
    } finally {
      busy.current = false;
      setRunning(false);
    }
  }

  return {
    run,
    running,
    failure: mutation.error === null ? null : asFailure(mutation.error),
    reset: mutation.reset,
  };
}

/** Anything else thrown during a call is a bug of this page, and is reported as an unreadable response. */
export function asFailure(error: unknown): CallFailure {
  return error instanceof Refused || error instanceof Unreachable ? error : new Unreachable('unreadable', error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
