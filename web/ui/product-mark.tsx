import type { ReactNode } from 'react';
import classes from '#web/ui/product-mark.module.css';

const drawings: Partial<Record<string, ReactNode>> = {
  'tax-lookup-api': (
    <>
      <circle cx="11.6" cy="11.4" r="2.9" />
      <path d="m13.8 13.7 2 2" />
    </>
  ),
  'invoicing-system': <path d="M9 9h6M9 12.2h6M9 15.4h3" />,
};

/** The mark of a product: brackets, and in them what it deals with. A product that is not known has dots. */
export function ProductMark({
  productId,
  size = 40,
  bare = false,
}: {
  productId: string;
  size?: number;
  bare?: boolean;
}) {
  const drawing = (
    <svg
      width={bare ? size : size * 0.6}
      height={bare ? size : size * 0.6}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M7.5 4H5v16h2.5M16.5 4H19v16h-2.5" />
      {drawings[productId] ?? <path d="M9.5 12h.01M12 12h.01M14.5 12h.01" />}
    </svg>
  );
  if (bare) return drawing;
  return (
    <span className={classes['tile']} style={{ width: size, height: size, borderRadius: size / 4 }}>
      {drawing}
    </span>
  );
}
