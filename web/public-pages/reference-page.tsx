import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { Deprecations } from '#web/features/marketplace/api-life.tsx';
import { type OperationEntry, byTag } from '#web/features/reference/operations.ts';
import { Prose } from '#web/features/reference/prose.tsx';
import { Counting } from '#web/features/reference/counting-section.tsx';
import { referenceTexts } from '#web/features/reference/texts.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { documentOfProduct, tagsOf } from '#web/public-pages/documents.ts';
import { OperationRows } from '#web/public-pages/operation-rows.tsx';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import classes from '#web/public-pages/reference-page.module.css';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { Section } from '#web/ui/section.tsx';

/** Every operation of an API, or its tags when they are many, and what counts. */
export function referencePage(
  { language }: PublicPage,
  { product, document }: { product: PublicProduct; document: object },
): PageContent {
  const read = documentOfProduct(document, product);
  const { description, operations, webhooks } = read;
  const rows = (entries: readonly OperationEntry[]) => (
    <OperationRows product={product} operations={entries} language={language} />
  );
  const tags = tagsOf(document, read);
  return {
    title: texts.referenceOf(product.name),
    description: texts.referenceDescription(product.name, operations.length),
    picture: productPicture(product),
    Main: () => (
      <>
        <PageHead title={texts.referenceOf(product.name)} mark={<ProductMark of={product} size={48} />} />
        <Deprecations of={product} />
        <Prose text={description.info.description ?? ''} />
        <p>
          <a className="link" href={product.documentationUrl}>
            {texts.openApi}
          </a>
        </p>
        {tags.length > 0 ? (
          <Section title={referenceTexts.endpoints}>
            <ul className={classes.tags}>
              {tags.map(({ id, name, operations: members }) => (
                <li key={id}>
                  <a className="link" href={publicAddress(`/apis/${product.id}/tags/${id}`, language)}>
                    {name}
                  </a>{' '}
                  <span className="dim">{formatNumber(members.length)}</span>
                </li>
              ))}
            </ul>
          </Section>
        ) : (
          byTag(operations).map(({ tag, operations: members }) => (
            <Section key={tag} title={tag}>
              {rows(members)}
            </Section>
          ))
        )}
        {webhooks.length === 0 ? null : (
          <Section title={referenceTexts.webhooks}>
            <p className="soft">{referenceTexts.webhooksMore}</p>
            {rows(webhooks)}
          </Section>
        )}
        <Counting />
      </>
    ),
  };
}
