import { Headset, ShieldCheck } from 'lucide-react';
import type { Product } from '#contract/marketplace.ts';
import classes from '#web/features/marketplace/product-card.module.css';
import { ProductPicture } from '#web/features/marketplace/product-picture.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { CardArrow, LinkCard } from '#web/ui/link-card.tsx';

/** `level`: of its heading, one below that of its section. */
export function ProductCard({ product, level }: { product: Product; level: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <LinkCard to={`/marketplace/${product.id}`}>
      <ProductPicture productId={product.id} />
      <div className={classes.body}>
        <Heading className={classes.name}>{product.name}</Heading>
        <p>{product.description}</p>
        <div className={classes.foot}>
          <Claims />
          <CardArrow />
        </div>
      </div>
    </LinkCard>
  );
}

/** Claims made for every product (product §1.3). */
export function Claims() {
  return (
    <div className={classes.claims}>
      <span>
        <Headset size={16} aria-hidden="true" />
        {texts.support}
      </span>
      <span>
        <ShieldCheck size={16} aria-hidden="true" />
        {texts.uptime}
      </span>
    </div>
  );
}
