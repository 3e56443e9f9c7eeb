import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Radio } from 'lucide-react';
import { useEffect } from 'react';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { callKey } from '#web/api/use-call.ts';
import classes from '#web/features/api-keys/first-call.module.css';
import { firstCallTexts as texts } from '#web/features/api-keys/texts.ts';
import { hasFailed, outcomeText } from '#web/features/request-log/problem-text.ts';
import { useRequests } from '#web/features/request-log/use-requests.ts';

/** Listens for the first call with a new key, and says when it has come. Its place is there from the start. */
export function FirstCall({ activationId, keyId }: { activationId: string; keyId: string }) {
  const queryClient = useQueryClient();
  const { requests } = useRequests(activationId, { keyId, limit: 1 }, true);
  const call = requests.data?.requests[0];
  const isReceived = call !== undefined;
  useEffect(() => {
    if (isReceived) void queryClient.invalidateQueries({ queryKey: callKey(listApiKeys) });
  }, [isReceived, queryClient]);
  const state = call === undefined ? 'waiting' : hasFailed(call) ? 'failed' : 'received';
  const Icon = { waiting: Radio, failed: CircleAlert, received: CircleCheck }[state];
  return (
    <output className={classes.state} data-state={state}>
      <Icon size={18} aria-hidden />
      <span>
        {call === undefined
          ? texts.waiting
          : state === 'received'
            ? texts.received(formatNumber(call.latencyMs))
            : texts.failed(String(call.status), outcomeText(call))}
      </span>
    </output>
  );
}
