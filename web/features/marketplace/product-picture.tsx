import type { ReactNode } from 'react';
import type { PublicProduct } from '#shared/contract/public-pages.ts';
import classes from '#web/features/marketplace/product-picture.module.css';
import { ProductMark } from '#web/ui/product-mark.tsx';

/** A product illustrated, as its catalogue says. A picture: the same content is in the text beside it. */
export function ProductPicture({ product }: { product: PublicProduct }) {
  return (
    <div className={classes.picture} aria-hidden="true">
      {contentOf(product)}
    </div>
  );
}

function contentOf(product: PublicProduct): ReactNode {
  const { picture } = product;
  if (picture === null) return <ProductMark of={product} size={56} />;
  if ('image' in picture) return <img className={classes.image} src={picture.image} alt="" />;
  if ('parts' in picture) {
    return (
      <div className={classes.parts}>
        {picture.parts.map(({ text, label }) => (
          <span key={`${text} ${label ?? ''}`} className={classes.part} data-mute={label === null}>
            <b>{text}</b>
            <span>{label}</span>
          </span>
        ))}
      </div>
    );
  }
  return (
    <div className={classes.amounts}>
      {picture.lines.map(({ label, value }) => (
        <div key={label} className={classes.line}>
          <span className="dim">{label}</span>
          <span className="num">{value}</span>
        </div>
      ))}
      <div className={classes.total}>
        <span>{picture.total.label}</span>
        <b className="num">{picture.total.value}</b>
      </div>
    </div>
  );
}
