import { useState } from 'react';
import type { Product } from '#contract/marketplace.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { exampleValues } from '#web/features/reference/api-request.ts';
import { AnswerSection, BodySection } from '#web/features/reference/content-section.tsx';
import { ErrorTable } from '#web/features/reference/error-table.tsx';
import type { Operation } from '#web/features/reference/operations.ts';
import classes from '#web/features/reference/operation-view.module.css';
import { Prose } from '#web/features/reference/prose.tsx';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { TryCall } from '#web/features/reference/try-call.tsx';
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
  const [values, setValues] = useState(() => exampleValues(operation));
  const address = product.baseUrl.replace(/\/$/, '') + operation.path;
  return (
    <>
      <PageHead title={operation.summary} lead={<Prose text={operation.description} />} />
      <div className={classes.address}>
        <b>{operation.method}</b>
        <code>{address}</code>
        <CopyIcon value={address} />
      </div>
      <Section title={texts.tryIt}>
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
    </>
  );
}
