import type { ReactNode } from 'react';
import type { ProductIcon } from '#shared/domain/product-icon.ts';

/** The icons that a catalogue may name, drawn within brackets on 24 × 24. */
export const productIconDrawings: Record<ProductIcon, ReactNode> = {
  search: (
    <>
      <circle cx="11.6" cy="11.4" r="2.9" />
      <path d="m13.8 13.7 2 2" />
    </>
  ),
  document: <path d="M9 9h6M9 12.2h6M9 15.4h3" />,
  chart: <path d="M9.2 15.5v-2.6M12 15.5V8.5M14.8 15.5v-4.6" />,
  pin: (
    <>
      <path d="M12 16c2-2.2 3-3.7 3-5a3 3 0 0 0-6 0c0 1.3 1 2.8 3 5z" />
      <path d="M12 11h.01" />
    </>
  ),
  message: <path d="M8.8 8.8h6.4v4.6h-3l-2 1.9v-1.9H8.8z" />,
  check: <path d="m9 12.3 2.1 2.1 4-4.6" />,
  cloud: <path d="M10.2 14.7a2 2 0 0 1-.2-4 2.5 2.5 0 0 1 4.7.6 1.7 1.7 0 0 1-.1 3.4z" />,
  rupee: <path d="M9.5 8.5h5M9.5 10.8h5M9.5 8.5h1.4c3.2 0 3.2 4.5 0 4.5H9.5l3.7 3" />,
  person: (
    <>
      <circle cx="12" cy="10" r="1.7" />
      <path d="M9.1 15.6c.3-1.9 1.4-2.8 2.9-2.8s2.6.9 2.9 2.8" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="3.6" />
      <path d="M12 10v2l1.4 1" />
    </>
  ),
  bolt: <path d="m12.7 8-3.1 4.5h2.3l-.7 3.5 3.2-4.5h-2.3z" />,
  key: (
    <>
      <circle cx="10.3" cy="13.7" r="1.7" />
      <path d="m11.5 12.5 3.5-3.5M13.7 10.3l1.3 1.3" />
    </>
  ),
  globe: (
    <>
      <circle cx="12" cy="12" r="3.7" />
      <path d="M8.3 12h7.4M12 8.3c1.7 2.3 1.7 5.1 0 7.4-1.7-2.3-1.7-5.1 0-7.4" />
    </>
  ),
  code: <path d="M10.5 9.8 8.4 12l2.1 2.2M13.5 9.8l2.1 2.2-2.1 2.2" />,
  truck: (
    <>
      <path d="M8.4 9.5h4.2v4H8.4zM12.6 11h1.8l1.3 1.3v1.2h-3.1" />
      <path d="M10 15.3h.01M14.3 15.3h.01" />
    </>
  ),
  image: (
    <>
      <path d="M8.6 9h6.8v6H8.6z" />
      <path d="m9 14.5 2-2.3 1.3 1.3 1.2-1.2 1.7 1.9" />
    </>
  ),
};
