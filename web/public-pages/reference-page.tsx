import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { Deprecations } from '#web/features/marketplace/api-life.tsx';
import { OperationRow } from '#web/features/reference/operation-row.tsx';
import { type OperationEntry, byTag } from '#web/features/reference/operations.ts';
import { Prose } from '#web/features/reference/prose.tsx';
import { Counting } from '#web/features/reference/counting-section.tsx';
import { referenceTexts } from '#web/features/reference/texts.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { documentOfProduct } from '#web/public-pages/documents.ts';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { Section } from '#web/ui/section.tsx';

/** Every operation of an API, and what counts. */
export function referencePage(
  { language }: PublicPage,
  { product, document }: { product: PublicProduct; document: object },
): PageContent {
  const { description, operations, webhooks } = documentOfProduct(document, product);
  const rows = (entries: readonly OperationEntry[]) =>
    entries.map((each) => (
      <OperationRow
        key={each.id}
        to={publicAddress(`/apis/${product.id}/reference/${each.id}`, language)}
        operation={each}
      />
    ));
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
        {byTag(operations).map(({ tag, operations: members }) => (
          <Section key={tag} title={tag}>
            {rows(members)}
          </Section>
        ))}
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
