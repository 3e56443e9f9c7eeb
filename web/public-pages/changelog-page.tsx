import { History } from 'lucide-react';
import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { Changelog, Deprecations } from '#web/features/marketplace/api-life.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';

/** What changed in a product, and what will stop. */
export function changelogPage({ language }: PublicPage, product: PublicProduct): PageContent {
  return {
    title: texts.changelogOf(product.name),
    description: texts.changelogDescription(product.name),
    picture: productPicture(product),
    Main: () => (
      <>
        <a className="link caption" href={publicAddress(`/apis/${product.id}`, language)}>
          {texts.aboutApi(product.name)}
        </a>
        <PageHead
          title={texts.changelogOf(product.name)}
          lead={texts.changelogDescription(product.name)}
          mark={<ProductMark of={product} size={48} />}
        />
        <Deprecations of={product} />
        <Changelog of={product} />
        {product.changelog.length === 0 ? (
          <StateCard>
            <EmptyState icon={<History size={20} />} title={texts.noChanges}>
              {texts.noChangesMore}
            </EmptyState>
          </StateCard>
        ) : null}
      </>
    ),
  };
}
