import { Alert, Button } from '@mantine/core';
import { ArrowRight, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { type Product, listProducts } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivateNow } from '#web/features/marketplace/activate-now.tsx';
import { PlanPanel } from '#web/features/marketplace/plan-panel.tsx';
import { Claims } from '#web/features/marketplace/product-card.tsx';
import classes from '#web/features/marketplace/product-page.module.css';
import { ProductShape } from '#web/features/marketplace/product-shape.tsx';
import { ProductDetails, ProductIntro } from '#web/features/marketplace/product-story.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { useActivate } from '#web/features/marketplace/use-activate.ts';
import { useActivationOf } from '#web/features/marketplace/use-activation-of.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { Loaded, Unknown } from '#web/ui/states.tsx';

/** A product's story and its plans, one of which can be activated here (product §2.11). */
export function ProductPage() {
  const { productId } = useParams();
  const products = useCall(listProducts, {});
  return (
    <Loaded of={products} word={texts.loading} shape={<ProductShape />} failed={texts.serviceFailed}>
      {(all) => {
        const product = all.find(({ id, aliases }) => id === productId || aliases.includes(productId ?? ''));
        // An unknown id leads back (product §2.12).
        return product === undefined ? <UnknownService /> : <KnownProduct product={product} />;
      }}
    </Loaded>
  );
}

function UnknownService() {
  useEffect(() => notifyFailure(texts.serviceNotFound, texts.serviceNotFoundMore), []);
  return <Navigate to="/marketplace" replace />;
}

function KnownProduct({ product }: { product: Product }) {
  const { checking: isUnknown, activation: found } = useActivationOf(product);
  const activate = useActivate(product);
  const checking = isUnknown || activate.checking;
  // While it is being activated here, the reply that says so is not news.
  const activation = activate.running === null ? found : undefined;
  return (
    <div className={classes.columns}>
      <div className={classes.intro}>
        <ProductIntro product={product}>
          <ActivateNow product={product} activate={activate} checking={checking} activated={activation !== undefined} />
          {/* What follows waits until it is known whether the banner comes. */}
          {isUnknown ? <Unknown /> : null}
          {activation === undefined ? null : <AlreadyActivated id={activation.id} />}
        </ProductIntro>
      </div>
      {/* Before the details: on a phone it follows the description. */}
      <aside className={classes.plans} aria-label={texts.plans}>
        <PlanPanel product={product} activate={activate} checking={checking} activation={activation} />
        <div className={classes.more}>
          <Claims of={product} />
          <Link className="link caption" to={`/reference/${product.id}`}>
            {texts.documentation}
            <ArrowRight size={15} aria-hidden="true" />
          </Link>
        </div>
      </aside>
      <div className={classes.details}>
        <ProductDetails product={product} />
      </div>
    </div>
  );
}

function AlreadyActivated({ id }: { id: string }) {
  return (
    <Alert className={classes.banner ?? ''} color="yellow" icon={<TriangleAlert size={18} />}>
      <div className={classes.bannerBody}>
        <div>
          <div className={classes.bannerTitle}>{texts.alreadyActivated}</div>
          {texts.alreadyActivatedMore(id)}
        </div>
        <Button component={Link} to={`/activations/${id}`} variant="default" size="sm">
          {texts.openActivation}
        </Button>
      </div>
    </Alert>
  );
}
