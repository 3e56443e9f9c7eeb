import type { ProductMarkOf } from '#shared/contract/values.ts';
import { initialsOf } from '#shared/domain/product-icon.ts';
import { productIconDrawings } from '#web/ui/product-icons.tsx';
import classes from '#web/ui/product-mark.module.css';

interface ProductMarkProps {
  /** Undefined while it is loading. */
  of: { name: string; mark: ProductMarkOf } | undefined;
  size?: number;
  bare?: boolean;
}

/** The mark of a product: its image, or brackets, and in them its icon or the initials of its name. */
export function ProductMark({ of: product, size = 40, bare = false }: ProductMarkProps) {
  const inside = bare ? size : Math.round(size * 0.6);
  const drawing = drawingOf(product, inside);
  if (bare) return drawing;
  return (
    <span className={classes['tile']} style={{ width: size, height: size, borderRadius: size / 4 }}>
      {drawing}
    </span>
  );
}

function drawingOf(product: ProductMarkProps['of'], size: number) {
  const mark = product?.mark ?? null;
  if (mark !== null && 'image' in mark)
    return <img className={classes['image']} src={mark.image} width={size} height={size} alt="" />;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M7.5 4H5v16h2.5M16.5 4H19v16h-2.5" />
      {mark === null ? (
        <text x="12" y="14.9" textAnchor="middle" fontSize="8" fontWeight="600" fill="currentColor" stroke="none">
          {initialsOf(product?.name ?? '')}
        </text>
      ) : (
        productIconDrawings[mark.icon]
      )}
    </svg>
  );
}
