import type { PublicProduct } from '#shared/contract/public-pages.ts';
import { Changelog, Deprecations } from '#web/features/marketplace/api-life.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';

/** What changed in a product, and what will stop. */
export function changelogPage(product: PublicProduct): PageContent {
  return {
    title: texts.changelogOf(product.name),
    description: texts.changelogDescription(product.name),
    picture: productPicture(product),
    Main: () => (
      <>
        <PageHead
          title={texts.changelogOf(product.name)}
          lead={texts.changelogDescription(product.name)}
          mark={<ProductMark of={product} size={48} />}
        />
        <Deprecations of={product} />
        <Changelog of={product} />
        {product.changelog.length === 0 ? <p className="soft">{texts.noChanges}</p> : null}
      </>
    ),
  };
}
