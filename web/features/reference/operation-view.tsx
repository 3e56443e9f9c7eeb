import { Alert } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Product } from '#shared/contract/marketplace.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { exampleValues, fieldKey, type FormValues } from '#web/features/reference/api-request.ts';
import { CallbackSection } from '#web/features/reference/callback-section.tsx';
import { AnswerSection, BodySection } from '#web/features/reference/content-section.tsx';
import { ErrorTable } from '#web/features/reference/error-table.tsx';
import { type Operation, operationOfCall } from '#web/features/reference/operations.ts';
import classes from '#web/features/reference/operation-view.module.css';
import { Prose } from '#web/features/reference/prose.tsx';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { TryCall } from '#web/features/reference/try-call.tsx';
import { unitsText } from '#web/features/reference/units-text.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';

interface OperationViewProps {
  product: Product;
  description: ApiDescription;
  operation: Operation;
}

/** One endpoint: its description, a form that calls it, and its request and response fields. */
export function OperationView({ product, description, operation }: OperationViewProps) {
  const [search] = useSearchParams();
  const [values, setValues] = useState(() => valuesOfCall(operation, search.get('call')));
  const cost = unitsText(operation);
  const address = product.baseUrl.replace(/\/$/, '') + operation.path;
  return (
    <>
      <PageHead title={operation.summary} lead={<Prose text={operation.description} />} />
      <div className={classes.address}>
        <b>{operation.method}</b>
        <code>{address}</code>
        <CopyIcon value={address} />
        {cost !== undefined && <span className="caption dim">{cost}</span>}
      </div>
      <Section title={texts.tryIt}>
        {search.get('mode') === 'test' && (
          <Alert className={classes.sandbox ?? ''} icon={<FlaskConical size={18} />}>
            {texts.sandboxHint}
          </Alert>
        )}
        <TryCall
          product={product}
          description={description}
          operation={operation}
          values={values}
          onChange={setValues}
        />
      </Section>
      <BodySection description={description} operation={operation} />
      <AnswerSection description={description} operation={operation} />
      <ErrorTable operation={operation} />
      <CallbackSection description={description} operation={operation} />
    </>
  );
}

/** The examples of the document, and what a call from the request log says of itself. */
function valuesOfCall(operation: Operation, call: string | null): FormValues {
  const values = exampleValues(operation);
  const called = call === null ? undefined : operationOfCall([operation], call);
  const own = Object.entries(called?.parameters ?? {}).map(([name, value]) => [fieldKey('path', name), value]);
  return { ...values, parameters: { ...values.parameters, ...Object.fromEntries(own) } };
}
