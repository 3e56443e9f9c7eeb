import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { type Product, listProducts } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { ServiceNotFound } from '#web/features/marketplace/service-not-found.tsx';
import { marketplaceTexts } from '#web/features/marketplace/texts.ts';
import {
  type OperationEntry,
  operationOfCall,
  readOperation,
  readSentRequest,
} from '#web/features/reference/operations.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { OperationView } from '#web/features/reference/operation-view.tsx';
import { ReferenceNav } from '#web/features/reference/reference-nav.tsx';
import { ReferenceOverview } from '#web/features/reference/reference-overview.tsx';
import classes from '#web/features/reference/reference-page.module.css';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { UnknownOperation } from '#web/features/reference/unknown-operation.tsx';
import type { ReadDescription } from '#web/features/reference/read-description.ts';
import { useApiDescription } from '#web/features/reference/use-api-description.ts';
import { WebhookView } from '#web/features/reference/webhook-view.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** The reference of a product: its first page, or one of its endpoints when the address names it. */
export function ReferencePage() {
  const { productId } = useParams();
  const products = useCall(listProducts, {});
  return (
    <>
      {products.data === undefined ? <PageHead title={texts.name} /> : null}
      <Loaded of={products} word={texts.loading} shape={<Shape />} failed={marketplaceTexts.serviceFailed}>
        {(all) => {
          const product = all.find(({ id, aliases }) => id === productId || aliases.includes(productId ?? ''));
          if (product !== undefined) return <OfProduct product={product} />;
          return (
            <>
              <PageHead title={texts.name} />
              <ServiceNotFound />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function OfProduct({ product }: { product: Product }) {
  const read = useApiDescription(product);
  return (
    <>
      {read.data === undefined ? <PageHead title={texts.title(product.name)} /> : null}
      <Loaded of={read} word={texts.loading} shape={<Shape />} failed={texts.failed}>
        {(reference) => <Reference product={product} reference={reference} />}
      </Loaded>
    </>
  );
}

function Reference({ product, reference }: { product: Product; reference: ReadDescription }) {
  const { operationId } = useParams();
  const { description, operations, webhooks } = reference;
  const listed = useMemo(() => [...operations, ...webhooks], [operations, webhooks]);
  const operation = operations.find(({ id }) => id === operationId);
  const webhook = webhooks.find(({ id }) => id === operationId);
  const [search] = useSearchParams();
  const call = search.get('call');
  const called = call === null || operationId !== undefined ? undefined : operationOfCall(operations, call);
  if (called !== undefined)
    return <Navigate to={`/reference/${product.id}/${called.operation.id}?${search}`} replace />;
  return (
    <div className={classes.layout}>
      <ReferenceNav productId={product.id} operations={listed} current={operation ?? webhook} />
      <div className={classes.content}>
        {operationId === undefined ? (
          <ReferenceOverview product={product} reference={reference} />
        ) : webhook !== undefined ? (
          <ReadWebhook key={webhook.id} description={description} entry={webhook} />
        ) : operation === undefined ? (
          <UnknownOperation productId={product.id} />
        ) : (
          <ReadOperation key={operation.id} product={product} description={description} entry={operation} />
        )}
      </div>
    </div>
  );
}

interface ReadOperationProps {
  product: Product;
  description: ApiDescription;
  entry: OperationEntry;
}

/** Reads the operation of the page: a document may have a thousand others. */
function ReadOperation({ product, description, entry }: ReadOperationProps) {
  const operation = useMemo(() => readOperation(description, entry), [description, entry]);
  return <OperationView product={product} description={description} operation={operation} />;
}

function ReadWebhook({ description, entry }: Pick<ReadOperationProps, 'description' | 'entry'>) {
  const request = useMemo(() => readSentRequest(description, entry), [description, entry]);
  return <WebhookView description={description} request={request} />;
}

function Shape() {
  return (
    <div className={classes.layout}>
      <div className={classes.shapeNav}>
        {[180, 140, 160, 120, 150, 130].map((width) => (
          <Skeleton key={width} h={16} w={width} mb={16} />
        ))}
      </div>
      <div>
        <Skeleton h={28} w="50%" />
        <Skeleton h={16} w="80%" mt={12} />
        <Skeleton h={300} mt={32} radius="lg" />
      </div>
    </div>
  );
}
