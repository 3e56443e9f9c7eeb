import type { ReactNode } from 'react';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import classes from '#web/features/marketplace/product-picture.module.css';
import { moneyText } from '#web/ui/money-text.ts';
import { ProductMark } from '#web/ui/product-mark.tsx';

/** The parts of a GSTIN (CGST Rules 2017, rule 10). */
const gstin = () => [
  { text: '27', says: texts.picture.state },
  { text: 'AAPFU0939F', says: 'PAN' },
  { text: '1', says: texts.picture.entity },
  { text: 'Z', says: '' },
  { text: 'V', says: texts.picture.check },
];

/** A supply inside one State at 18 %: half of the tax each. */
const invoice = { taxable: 24_500, cgst: 2_205, sgst: 2_205, total: 28_910 };

const pictures: Partial<Record<string, () => ReactNode>> = {
  'tax-lookup-api': () => (
    <div className={classes.gstin}>
      {gstin().map(({ text, says }) => (
        <span key={text} className={classes.part} data-mute={says === ''}>
          <b>{text}</b>
          <span>{says}</span>
        </span>
      ))}
    </div>
  ),
  'invoicing-system': () => (
    <div className={classes.invoice}>
      <Line name={texts.taxableValue} rupees={invoice.taxable} />
      <Line name="CGST 9%" rupees={invoice.cgst} />
      <Line name="SGST 9%" rupees={invoice.sgst} />
      <div className={classes.total}>
        <span>{texts.picture.total}</span>
        <b className="num">{moneyText(invoice.total)}</b>
      </div>
    </div>
  ),
};

function Line({ name, rupees }: { name: string; rupees: number }) {
  return (
    <div className={classes.line}>
      <span className="dim">{name}</span>
      <span className="num">{moneyText(rupees)}</span>
    </div>
  );
}

/** A product illustrated with sample figures. A picture: the same content is in the text beside it. */
export function ProductPicture({ productId }: { productId: string }) {
  return (
    <div className={classes.picture} aria-hidden="true">
      {pictures[productId]?.() ?? <ProductMark productId={productId} size={56} />}
    </div>
  );
}
