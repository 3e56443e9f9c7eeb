import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { listActivations } from '#shared/contract/activations.ts';
import type { Product } from '#shared/contract/marketplace.ts';
import { readUsage } from '#shared/contract/usage.ts';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { callKey } from '#web/api/use-call.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { type FormValues, bodyFault, fieldKey, firstMissing, requestOf } from '#web/features/reference/api-request.ts';
import { BodyField } from '#web/features/reference/body-field.tsx';
import { isTemporary, useCallKey } from '#web/features/reference/call-key.ts';
import { CallResult } from '#web/features/reference/call-result.tsx';
import { CallSamples } from '#web/features/reference/call-samples.tsx';
import { KeyField } from '#web/features/reference/key-field.tsx';
import type { Operation } from '#web/features/reference/operations.ts';
import { ParameterField } from '#web/features/reference/parameter-field.tsx';
import { NoAnswer, sendCall, type Tried } from '#web/features/reference/send-call.ts';
import { tryTexts as texts } from '#web/features/reference/texts.ts';
import classes from '#web/features/reference/try-call.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';

interface TryCallProps {
  product: Product;
  description: ApiDescription;
  operation: Operation;
  values: FormValues;
  onChange: (values: FormValues) => void;
}

/** The form of a call, with the customer's own key or a temporary test key; the same call as code, and the response. */
export function TryCall({ product, description, operation, values, onChange }: TryCallProps) {
  const queryClient = useQueryClient();
  const { key, canMake, make } = useCallKey(product);
  const [asked, setAsked] = useState(false);
  const [sending, setSending] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const form = useRef<HTMLFormElement>(null);
  const result = useRef<HTMLDivElement>(null);
  // Once it is rendered.
  useEffect(() => {
    if (tried !== undefined) result.current?.scrollIntoView({ block: 'nearest' });
  }, [tried]);
  const request = requestOf(operation, product.baseUrl, values);
  const missing = firstMissing(operation, values);
  const badBody = bodyFault(operation, values);

  async function send(event: FormEvent) {
    event.preventDefault();
    setAsked(true);
    if (sending) return;
    const hasKey = key === '' ? canMake : isWellFormedApiKey(key);
    if (!hasKey || missing !== undefined || badBody !== undefined) {
      // Once the errors are shown at their fields.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    setSending(true);
    try {
      const answer = await sendWithKey();
      if (answer !== null) setTried({ answer });
    } catch (error) {
      setTried({ failure: error instanceof NoAnswer ? error : new NoAnswer(false, error) });
    } finally {
      setSending(false);
    }
    // Usage cached by other pages is now stale.
    for (const call of [readUsage, listActivations]) {
      void queryClient.invalidateQueries({ queryKey: callKey(call), refetchType: 'none' });
    }
  }

  async function sendWithKey() {
    const own = key === '' ? await make() : key;
    if (own === null) return null;
    const answer = await sendCall(request, own, values.files);
    // A temporary key has ended; a refused call changed nothing.
    if (answer.status !== 401 || !isTemporary(own)) return answer;
    const next = await make();
    return next === null ? null : sendCall(request, next, values.files);
  }

  const setParameter = (name: string, value: string) =>
    onChange({ ...values, parameters: { ...values.parameters, [name]: value } });

  return (
    <div className={classes.columns}>
      <form ref={form} className={classes.form} onSubmit={(event) => void send(event)} noValidate>
        <KeyField product={product} asked={asked} canMake={canMake} />
        {operation.parameters.map((parameter) => {
          const name = fieldKey(parameter.in, parameter.name);
          const value = values.parameters[name] ?? '';
          return (
            <ParameterField
              key={name}
              description={description}
              parameter={parameter}
              value={value}
              error={asked && parameter.required && value.trim() === '' ? texts.missing : undefined}
              onChange={(typed) => setParameter(name, typed)}
            />
          );
        })}
        {operation.body === undefined ? null : (
          <BodyField
            description={description}
            content={operation.body}
            values={values}
            asked={asked}
            fault={badBody}
            onChange={onChange}
          />
        )}
        <ActionButton type="submit" running={sending} className={classes.send ?? ''}>
          {sending ? texts.sending : texts.send}
        </ActionButton>
      </form>
      {/* Between both on a phone: the response is beside the button that asked for it. */}
      <div ref={result} className={classes.result}>
        <CallResult productId={product.id} tried={tried} savesAs={request.savesAs} />
      </div>
      <div className={classes.samples}>
        <div className={classes.sticky}>
          <CallSamples request={request} apiKey={isWellFormedApiKey(key) ? key : null} />
        </div>
      </div>
    </div>
  );
}
