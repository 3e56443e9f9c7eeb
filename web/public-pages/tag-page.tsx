import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { documentOfProduct, tagsOf } from '#web/public-pages/documents.ts';
import { missingPage } from '#web/public-pages/missing-page.tsx';
import { OperationRows } from '#web/public-pages/operation-rows.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';

interface OfTag {
  product: PublicProduct;
  document: object;
  tagId: string;
}

/** The operations of one tag of a large API. */
export function tagPage(page: PublicPage, { product, document, tagId }: OfTag): PageContent {
  const tag = tagsOf(document, documentOfProduct(document, product)).find(({ id }) => id === tagId);
  if (tag === undefined) return missingPage(page);
  const { name, operations } = tag;
  return {
    title: `${name} · ${product.name}`,
    description: texts.referenceDescription(`${name}, ${product.name}`, operations.length),
    picture: productPicture(product),
    Main: () => (
      <>
        <a className="link caption" href={publicAddress(`/apis/${product.id}/reference`, page.language)}>
          {texts.referenceOf(product.name)}
        </a>
        <PageHead title={name} />
        <OperationRows product={product} operations={operations} language={page.language} />
      </>
    ),
  };
}
