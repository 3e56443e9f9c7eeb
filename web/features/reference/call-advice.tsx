import { Alert, Button } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { listActivations } from '#shared/contract/activations.ts';
import type { GatewayCode } from '#shared/domain/metering.ts';
import { useCall } from '#web/api/use-call.ts';
import type { CallOutcome } from '#web/features/reference/call-outcome.ts';
import classes from '#web/features/reference/call-result.module.css';
import { retryText } from '#web/features/reference/retry-text.ts';
import { tryTexts as texts } from '#web/features/reference/texts.ts';

interface CallAdviceProps {
  productId: string;
  status: number;
  outcome: CallOutcome;
  /** When the response came, epoch milliseconds. */
  receivedAtMs: number;
}

/** Why a call failed, and what to do about it. */
export function CallAdvice({ productId, status, outcome, receivedAtMs }: CallAdviceProps) {
  const { message, faults, code, retryAfterSeconds } = outcome;
  const activations = useCall(listActivations, {}).data?.activations;
  const activation = activations?.find(({ service }) => service.id === productId);
  const fix = status >= 500 ? texts.fixServer : code === undefined ? undefined : fixOf(code, status);
  const wait = retryAfterSeconds === undefined ? undefined : retryText(retryAfterSeconds, receivedAtMs);
  const action = activation && code !== undefined ? actionOf(status, activation.id) : undefined;
  return (
    <Alert color={status >= 500 ? 'red' : 'yellow'} icon={<CircleAlert size={18} />} className={classes.advice ?? ''}>
      <b>{message ?? status}</b>
      {faults.length < 2 ? null : (
        <ul>
          {faults.map(({ where, message: fault }) => (
            <li key={`${where} ${fault}`}>
              <code>{where}</code> {fault}
            </li>
          ))}
        </ul>
      )}
      {fix === undefined && wait === undefined ? null : <p>{[fix, wait].filter(Boolean).join(' ')}</p>}
      {action === undefined ? null : (
        <Button component={Link} to={action.to} variant="default" size="sm">
          {action.name}
        </Button>
      )}
    </Alert>
  );
}

/** What to do after the gateway has refused a call. */
function fixOf(code: GatewayCode, status: number): string | undefined {
  // The message says from where the key was used, and where its list is.
  if (code === 'address-not-allowed') return undefined;
  const fixes = new Map([
    [401, texts.fixKey],
    [402, texts.fixPlan],
    [403, texts.fixOtherApi],
    [429, texts.fixQuota],
  ]);
  return fixes.get(status);
}

function actionOf(status: number, activationId: string): { to: string; name: string } | undefined {
  if (status === 401 || status === 403) return { to: `/api/${activationId}?tab=keys`, name: texts.toKeys };
  if (status === 402 || status === 429) return { to: `/activations/${activationId}/billing`, name: texts.toPlans };
  return undefined;
}
