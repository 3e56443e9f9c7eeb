import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { ProductCard } from '#web/features/marketplace/product-card.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import grid from '#web/ui/grid.module.css';
import { PageHead } from '#web/ui/page-head.tsx';

/** All products. */
export function apisPage({ config, language, portalUrl }: PublicPage, products: readonly PublicProduct[]): PageContent {
  const addressOf = ({ id }: PublicProduct) => publicAddress(`/apis/${id}`, language);
  const description = texts.apisDescription(config.providerName, products.map(({ name }) => name).join(', '));
  return {
    title: texts.apis,
    description,
    data: [
      {
        '@type': 'ItemList',
        itemListElement: products.map((product, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: product.name,
          url: portalUrl + addressOf(product),
        })),
      },
    ],
    Main: () => (
      <>
        <PageHead title={texts.apis} lead={texts.apisLead} />
        <div className={grid.two}>
          {products.map((product) => (
            <ProductCard
              key={product.id}
              product={product}
              level={2}
              to={addressOf(product)}
              price={productPicture(product).line}
            />
          ))}
        </div>
      </>
    ),
  };
}
