import { Headset, ShieldCheck } from 'lucide-react';
import type { PublicProduct } from '#shared/contract/public-pages.ts';
import classes from '#web/features/marketplace/product-card.module.css';
import { ProductPicture } from '#web/features/marketplace/product-picture.tsx';
import { CardArrow, LinkCard } from '#web/ui/link-card.tsx';

interface ProductCardProps {
  product: PublicProduct;
  /** Of its heading, one below that of its section. */
  level: 2 | 3;
  to: string;
  /** What it costs at least. */
  price?: string;
}

export function ProductCard({ product, level, to, price }: ProductCardProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <LinkCard to={to}>
      <ProductPicture product={product} />
      <div className={classes.body}>
        <Heading className={classes.name}>{product.name}</Heading>
        <p>{product.description}</p>
        {price === undefined ? null : <p className={`${classes.price} num`}>{price}</p>}
        <div className={classes.foot}>
          <Claims of={product} />
          <CardArrow />
        </div>
      </div>
    </LinkCard>
  );
}

/** What the provider claims of a product (product §1.3). */
export function Claims({ of: { claims } }: { of: Pick<PublicProduct, 'claims'> }) {
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
