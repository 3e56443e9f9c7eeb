import { Button } from '@mantine/core';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import type { Product } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { useActivationOf } from '#web/features/marketplace/use-activation-of.ts';
import { exampleValues, requestOf } from '#web/features/reference/api-request.ts';
import { CallSamples } from '#web/features/reference/call-samples.tsx';
import { useRememberedKey } from '#web/features/reference/key-memory.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { type OperationEntry, readOperation } from '#web/features/reference/operations.ts';
import classes from '#web/features/reference/quick-start.module.css';
import { overviewTexts as texts } from '#web/features/reference/texts.ts';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { Section } from '#web/ui/section.tsx';

interface QuickStartProps {
  product: Product;
  description: ApiDescription;
  operations: readonly OperationEntry[];
}

/**
 * The steps to the first response in the customer's own program: finished ones are ticked, the next one has the button.
 */
export function QuickStart({ product, description, operations }: QuickStartProps) {
  const { checking, activation } = useActivationOf(product);
  const keys = useCall(
    listApiKeys,
    { params: { activationId: activation?.id ?? '' } },
    { enabled: activation !== undefined },
  );
  const [typed] = useRememberedKey(product.id);
  const hasKey = keys.data?.some(({ isRevoked }) => !isRevoked) ?? false;
  const [entry] = operations;
  if (entry === undefined) return null;
  const first = readOperation(description, entry);
  const { activate, key, call, program } = texts.steps;
  const request = requestOf(first, product.baseUrl, exampleValues(first));
  const next = checking ? undefined : activation === undefined ? 'activate' : hasKey ? 'call' : 'key';
  const keysPath = activation === undefined ? `/marketplace/${product.id}` : `/api/${activation.id}?tab=keys`;
  return (
    <Section title={texts.quickStart}>
      <p className={classes.lead}>{texts.quickStartMore}</p>
      <ol className={classes.steps}>
        <Step number={1} {...activate} done={activation !== undefined}>
          {activation === undefined ? (
            <StepLink to={`/marketplace/${product.id}`} name={activate.action} next={next === 'activate'} />
          ) : (
            <StepLink to={`/activations/${activation.id}`} name={activate.open} next={false} />
          )}
        </Step>
        <Step number={2} {...key} done={hasKey}>
          <StepLink to={keysPath} name={hasKey ? key.open : key.action} next={next === 'key'} />
        </Step>
        <Step number={3} {...call}>
          <StepLink to={`/reference/${product.id}/${first.id}`} name={call.action} next={next === 'call'} />
        </Step>
        <Step number={4} {...program}>
          <CallSamples request={request} apiKey={isWellFormedApiKey(typed) ? typed : null} />
        </Step>
      </ol>
    </Section>
  );
}

interface StepProps {
  number: number;
  title: string;
  text: string;
  done?: boolean;
  children: ReactNode;
}

function Step({ number, title, text, done = false, children }: StepProps) {
  return (
    <li data-done={done}>
      <span className={classes.mark}>{done ? <Check size={14} aria-hidden /> : number}</span>
      <div>
        <b>{title}</b> {done ? <span className="dim caption">{texts.done}</span> : <p>{text}</p>}
        <div className={classes.action}>{children}</div>
      </div>
    </li>
  );
}

function StepLink({ to, name, next }: { to: string; name: string; next: boolean }) {
  return (
    <Button component={Link} to={to} size="sm" variant={next ? 'filled' : 'default'}>
      {name}
    </Button>
  );
}
