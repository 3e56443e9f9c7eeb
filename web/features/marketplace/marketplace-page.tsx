import { Package } from 'lucide-react';
import type { Activation } from '#shared/contract/activations.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { type Product, listProducts } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationCard } from '#web/features/marketplace/activation-card.tsx';
import classes from '#web/features/marketplace/marketplace-page.module.css';
import { MarketplaceShape } from '#web/features/marketplace/marketplace-shape.tsx';
import { ProductCard } from '#web/features/marketplace/product-card.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import grid from '#web/ui/grid.module.css';
import { PageHead } from '#web/ui/page-head.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { Section } from '#web/ui/section.tsx';
import { EmptyState, ErrorState, Loading, StateCard } from '#web/ui/states.tsx';

const usedTodayEveryMs = 15_000;

/** The activations of the customer and the products on offer (product §2.7). */
export function MarketplacePage() {
  usePageTitle(texts.title);
  const products = useCall(listProducts, {});
  const activations = useCall(listActivations, {}, { refetchIntervalMs: usedTodayEveryMs });

  if (products.data !== undefined && activations.data !== undefined) {
    return <Marketplace products={products.data} activations={activations.data.activations} />;
  }
  const failed = [products, activations].filter((each) => each.isError && each.data === undefined);
  if (failed.length === 0) {
    return (
      <Loading word={texts.loading}>
        <MarketplaceShape />
      </Loading>
    );
  }
  return (
    <>
      <PageHead title={texts.title} />
      <StateCard>
        <ErrorState
          title={texts.failed}
          onRetry={() => failed.forEach((each) => void each.refetch())}
          retrying={failed.some((each) => each.isFetching)}
        >
          {failed[0]?.error?.message}
        </ErrorState>
      </StateCard>
    </>
  );
}

function Marketplace({ products, activations }: { products: readonly Product[]; activations: readonly Activation[] }) {
  if (activations.length === 0) {
    return (
      <>
        <PageHead title={texts.ourProducts} lead={texts.ourProductsLead} />
        <Products products={products} level={2} />
        <ol className={classes.steps}>
          {texts.steps.map(({ title, text }) => (
            <li key={title}>
              <b>{title}</b>
              <span>{text}</span>
            </li>
          ))}
        </ol>
      </>
    );
  }
  return (
    <>
      <PageHead title={texts.myActivations} />
      <div className={grid.two}>
        {activations.map((activation) => (
          <ActivationCard key={activation.id} activation={activation} />
        ))}
      </div>
      <Section title={texts.moreForYou} line>
        <Products products={products} level={3} />
      </Section>
    </>
  );
}

function Products({ products, level }: { products: readonly Product[]; level: 2 | 3 }) {
  if (products.length === 0) {
    return (
      <StateCard>
        <EmptyState icon={<Package size={20} />} title={texts.noProducts}>
          {texts.noProductsMore}
        </EmptyState>
      </StateCard>
    );
  }
  return (
    <div className={grid.two}>
      {products.map((product) => (
        <ProductCard key={product.id} product={product} level={level} to={`/marketplace/${product.id}`} />
      ))}
    </div>
  );
}
