import { ScrollArea } from '@mantine/core';
import { useContext } from 'react';
import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { exampleValues, requestOf } from '#web/features/reference/api-request.ts';
import { CallbackSection } from '#web/features/reference/callback-section.tsx';
import sampleClasses from '#web/features/reference/call-samples.module.css';
import { AnswerSection, BodySection } from '#web/features/reference/content-section.tsx';
import { ErrorTable } from '#web/features/reference/error-table.tsx';
import { Shortened } from '#web/features/reference/example-code.tsx';
import { FieldList } from '#web/features/reference/field-list.tsx';
import classes from '#web/features/reference/operation-view.module.css';
import {
  type Operation,
  type OperationEntry,
  byTag,
  readOperation,
  readSentRequest,
} from '#web/features/reference/operations.ts';
import { Prose } from '#web/features/reference/prose.tsx';
import { sampleLanguages } from '#web/features/reference/samples/sample.ts';
import { fieldOfParameter } from '#web/features/reference/schema-fields.ts';
import { sampleTexts } from '#web/features/reference/texts.ts';
import { unitsText } from '#web/features/reference/units-text.ts';
import { WebhookView } from '#web/features/reference/webhook-view.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { documentOfProduct } from '#web/public-pages/documents.ts';
import { missingPage } from '#web/public-pages/missing-page.tsx';
import { OperationNav, OperationNeighbours } from '#web/public-pages/operation-nav.tsx';
import pageClasses from '#web/public-pages/operation-page.module.css';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';
import { StaticPage } from '#web/ui/static-page.ts';

/** Always the same, so that a page has one text and one ETag however often it is made. */
const sampleRequestKey = '0b5cfa9c-5d6f-4f3f-9f0a-1c2d3e4f5a6b';

interface OfOperation {
  product: PublicProduct;
  document: object;
  operationId: string;
}

/** One operation: parameters, samples, responses, errors, and what counts. */
export function operationPage(page: PublicPage, { product, document, operationId }: OfOperation): PageContent {
  const { description, operations, webhooks } = documentOfProduct(document, product);
  const isThis = ({ id }: OperationEntry) => id === operationId;
  const entry = operations.find(isThis);
  const webhook = webhooks.find(isThis);
  const shown = entry ?? webhook;
  if (shown === undefined) return missingPage(page);
  const listed = byTag(operations).flatMap(({ operations: members }) => members);
  const beside = { product, operations: [...listed, ...webhooks], current: shown, language: page.language };
  return {
    title: `${shown.summary} · ${product.name}`,
    description: texts.operationDescription(shown.summary, product.name),
    picture: productPicture(product),
    Main: () => (
      <>
        <a className="link caption" href={publicAddress(`/apis/${product.id}/reference`, page.language)}>
          {texts.referenceOf(product.name)}
        </a>
        <div className={pageClasses.layout}>
          <OperationNav {...beside} />
          <div>
            {entry === undefined ? (
              <WebhookView description={description} request={readSentRequest(description, shown)} />
            ) : (
              <PublicOperation
                product={product}
                description={description}
                operation={readOperation(description, entry)}
              />
            )}
            <LeftOutFields product={product} />
            <OperationNeighbours {...beside} />
          </div>
        </div>
      </>
    ),
  };
}

/** Rendered last, when it is known whether all fields are on the page. */
function LeftOutFields({ product }: { product: PublicProduct }) {
  if (useContext(StaticPage)?.fields.isOver !== true) return null;
  return (
    <p>
      {texts.moreFields}{' '}
      <a className="link" href={product.documentationUrl}>
        {texts.openApi}
      </a>
    </p>
  );
}

interface PublicOperationProps {
  product: PublicProduct;
  description: ApiDescription;
  operation: Operation;
}

function PublicOperation({ product, description, operation }: PublicOperationProps) {
  const { method, path, parameters } = operation;
  const cost = unitsText(operation);
  return (
    <>
      <PageHead title={operation.summary} lead={<Prose text={operation.description} />} />
      <div className={classes.address}>
        <b>{method}</b>
        <code>{product.baseUrl.replace(/\/$/, '') + path}</code>
        {cost === undefined ? null : <span className="caption dim">{cost}</span>}
      </div>
      <div className={pageClasses.operation}>
        <div className={pageClasses.text}>
          {parameters.length === 0 ? null : (
            <Section title={texts.parameters}>
              <FieldList
                label={texts.parameters}
                fields={parameters.map((each) => fieldOfParameter(description, each))}
                isSent
              />
            </Section>
          )}
          <BodySection description={description} operation={operation} />
        </div>
        <div className={pageClasses.samples}>
          <Samples product={product} operation={operation} />
        </div>
        <div className={pageClasses.text}>
          <AnswerSection description={description} operation={operation} />
          <ErrorTable operation={operation} />
          <CallbackSection description={description} operation={operation} />
        </div>
      </div>
    </>
  );
}

/** The call as a program in each language; one is open at a time. */
function Samples({ product, operation }: { product: PublicProduct; operation: Operation }) {
  const { body } = operation;
  const [sent] = body === undefined || body.parts.length > 0 ? [] : body.examples();
  const request = { ...requestOf(operation, product.baseUrl, exampleValues(operation, sampleRequestKey)), key: null };
  return (
    <Section title={texts.samples}>
      <p className="soft">{texts.sampleKey}</p>
      <Shortened example={sent} />
      {sampleLanguages.map(({ id, name, write }, index) => (
        <details key={id} className={pageClasses.sample} name="sample" open={index === 0}>
          <summary>{name}</summary>
          <ScrollArea
            data-code
            type="auto"
            viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': sampleTexts.code(name) }}
          >
            <pre className={sampleClasses.code}>{write(request)}</pre>
          </ScrollArea>
        </details>
      ))}
    </Section>
  );
}
