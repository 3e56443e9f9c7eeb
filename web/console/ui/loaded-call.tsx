import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OperatorInput, OperatorReply, ReadName } from '#shared/contract/operator/calls.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { Loaded } from '#web/ui/states.tsx';

/** Renders the reply to a call. `failed`: the title of its failure; `height`: about that of what will come. */
export function LoadedCall<Name extends ReadName>({
  call,
  input,
  failed,
  height,
  refetchIntervalMs,
  children,
}: {
  call: Name;
  input: OperatorInput<Name>;
  failed: string;
  height: number;
  refetchIntervalMs?: number;
  children: (reply: OperatorReply<Name>) => ReactNode;
}) {
  const reply = useOperatorCall(call, input, { ...(refetchIntervalMs !== undefined && { refetchIntervalMs }) });
  return (
    <Loaded of={reply} word="Loading" failed={failed} shape={<Skeleton height={height} radius="lg" />}>
      {children}
    </Loaded>
  );
}
