import { Headset, ShieldCheck } from 'lucide-react';
import type { Product } from '#shared/contract/marketplace.ts';
import classes from '#web/features/marketplace/product-card.module.css';
import { ProductPicture } from '#web/features/marketplace/product-picture.tsx';
import { CardArrow, LinkCard } from '#web/ui/link-card.tsx';

/** `level`: of its heading, one below that of its section. */
export function ProductCard({ product, level }: { product: Product; level: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <LinkCard to={`/marketplace/${product.id}`}>
      <ProductPicture product={product} />
      <div className={classes.body}>
        <Heading className={classes.name}>{product.name}</Heading>
        <p>{product.description}</p>
        <div className={classes.foot}>
          <Claims of={product} />
          <CardArrow />
        </div>
      </div>
    </LinkCard>
  );
}

/** What the provider claims of a product (product §1.3). */
export function Claims({ of: { claims } }: { of: Product }) {
  return (
    <div className={classes.claims}>
      {claims.support === null ? null : (
        <span>
          <Headset size={16} aria-hidden="true" />
          {claims.support}
        </span>
      )}
      {claims.uptime === null ? null : (
        <span>
          <ShieldCheck size={16} aria-hidden="true" />
          {claims.uptime}
        </span>
      )}
    </div>
  );
}
