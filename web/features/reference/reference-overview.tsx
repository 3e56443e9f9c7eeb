import { Button } from '@mantine/core';
import { ChevronRight, Download } from 'lucide-react';
import { useState } from 'react';
import type { Product } from '#shared/contract/marketplace.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { keyHeader } from '#web/features/reference/samples/sample-call.ts';
import { Deprecations } from '#web/features/marketplace/api-life.tsx';
import { Counting } from '#web/features/reference/counting-section.tsx';
import { type OperationEntry, byTag, readOperation } from '#web/features/reference/operations.ts';
import { OperationRow } from '#web/features/reference/operation-row.tsx';
import { PartOfList } from '#web/features/reference/part-of-list.tsx';
import { postmanCollection } from '#web/features/reference/postman-collection.ts';
import { Prose } from '#web/features/reference/prose.tsx';
import { shownOperations } from '#web/features/reference/reference-nav.tsx';
import { QuickStart } from '#web/features/reference/quick-start.tsx';
import classes from '#web/features/reference/reference-overview.module.css';
import rowClasses from '#web/features/reference/rows.module.css';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import type { ReadDescription } from '#web/features/reference/read-description.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { saveBlob } from '#web/ui/save-file.ts';
import { Section } from '#web/ui/section.tsx';

interface ReferenceOverviewProps {
  product: Product;
  reference: ReadDescription;
}

/** The first page of a reference: getting started, address and key, every endpoint, and what counts. */
export function ReferenceOverview({ product, reference }: ReferenceOverviewProps) {
  const { description, operations, webhooks, given } = reference;
  const savePostman = () =>
    save(
      JSON.stringify(
        postmanCollection(
          description,
          operations.map((each) => readOperation(description, each)),
          product.baseUrl,
        ),
        null,
        2,
      ),
      `${product.id}.postman_collection.json`,
    );
  return (
    <>
      <PageHead title={texts.title(product.name)} mark={<ProductMark of={product} size={48} />} />
      <Deprecations of={product} />
      <Prose text={description.info.description ?? ''} className={classes.about ?? ''} />
      <div className={classes.files}>
        <Button
          variant="default"
          size="sm"
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => save(JSON.stringify(given, null, 2), `${product.id}.openapi.json`)}
        >
          {texts.save.openapi}
        </Button>
        <Button variant="default" size="sm" leftSection={<Download size={16} aria-hidden />} onClick={savePostman}>
          {texts.save.postman}
        </Button>
      </div>
      <QuickStart product={product} description={description} operations={operations} />
      <Section title={texts.endpoints}>
        <Facts
          look="list"
          className={classes.facts}
          facts={[
            {
              key: 'address',
              label: texts.address,
              value: (
                <span className={classes.address}>
                  <span className="mono">{product.baseUrl}</span>
                  <CopyIcon value={product.baseUrl} />
                </span>
              ),
            },
            { key: 'header', label: texts.header, value: <span className="mono">{texts.headerMore(keyHeader)}</span> },
          ]}
        />
        {byTag(operations).map(({ tag, operations: members }) => (
          <OverviewGroup
            key={tag}
            tag={tag}
            folds={operations.length > shownOperations}
            productId={product.id}
            operations={members}
          />
        ))}
      </Section>
      {webhooks.length === 0 ? null : (
        <Section title={texts.webhooks}>
          <p className={rowClasses.lead}>{texts.webhooksMore}</p>
          <PartOfList items={webhooks}>
            {(some) =>
              some.map((each) => (
                <OperationRow key={each.id} to={`/reference/${product.id}/${each.id}`} operation={each} />
              ))
            }
          </PartOfList>
        </Section>
      )}
      <Counting />
    </>
  );
}

interface OverviewGroupProps {
  tag: string;
  folds: boolean;
  productId: string;
  operations: readonly OperationEntry[];
}

/** The operations of a tag. Those of a long list are rendered when the tag is opened. */
function OverviewGroup({ tag, folds, productId, operations }: OverviewGroupProps) {
  const [opened, setOpened] = useState(!folds);
  return (
    <div className={classes.group}>
      {folds ? (
        <h3>
          <button type="button" className={classes.fold} aria-expanded={opened} onClick={() => setOpened(!opened)}>
            <ChevronRight size={16} aria-hidden />
            {tag} <span className="dim">{formatNumber(operations.length)}</span>
          </button>
        </h3>
      ) : (
        <h3>{tag}</h3>
      )}
      {opened ? (
        <PartOfList items={operations}>
          {(some) =>
            some.map((each) => (
              <OperationRow key={each.id} to={`/reference/${productId}/${each.id}`} operation={each} />
            ))
          }
        </PartOfList>
      ) : null}
    </div>
  );
}

function save(content: string, name: string): void {
  saveBlob(new Blob([content], { type: 'application/json' }), name);
}
