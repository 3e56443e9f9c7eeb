import { Badge, Button } from '@mantine/core';
import { Check } from 'lucide-react';
import type { Plan } from '#shared/contract/marketplace.ts';
import {
  type PictureWords,
  type PublicPage,
  type PublicProduct,
  publicAddress,
} from '#shared/contract/public-pages.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { categoryTitle, operationLines, quotaText } from '#web/features/cycles/plan-text.ts';
import classes from '#web/public-pages/plan-offers.module.css';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { daysText } from '#web/ui/cycle-days.ts';
import { moneyText, priceText } from '#web/ui/money-text.ts';

/** The page of the portal where a product is activated, with a plan chosen: the sign-in leads on to it. */
export function placeToActivate({ id }: PublicProduct, plan?: Plan): string {
  return `/marketplace/${id}${plan === undefined ? '' : `?plan=${encodeURIComponent(plan.id)}`}`;
}

/** A product with its plans in the words of schema.org; the price is what a customer pays. */
export function productData({ config, language, portalUrl }: PublicPage, product: PublicProduct) {
  const url = `${portalUrl}${publicAddress(`/apis/${product.id}`, language)}`;
  return {
    '@type': 'Product',
    name: product.name,
    description: product.description,
    url,
    brand: { '@type': 'Brand', name: config.providerName },
    offers: product.plans.map(({ id, name, total }) => ({
      '@type': 'Offer',
      name,
      sku: id,
      price: total.toFixed(2),
      priceCurrency: 'INR',
      availability: 'https://schema.org/InStock',
      url: `${url}#plan-${id}`,
    })),
  };
}

/** The plans of a product by category, each with its price before and after GST and what it includes. */
export function PlanOffers({ product }: { product: PublicProduct }) {
  const categories = [...groupBy(product.plans, ({ category }) => category).values()];
  return (
    <section className={classes.offers} id="plans" aria-label={texts.plans}>
      {categories.map((plans) => (
        <div key={plans[0]?.category}>
          <h2>{categoryTitle(plans)}</h2>
          <ul className={classes.plans}>
            {plans.map((plan) => (
              <PlanOffer key={plan.id} product={product} plan={plan} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function PlanOffer({ product, plan }: { product: PublicProduct; plan: Plan }) {
  const { id, name, badge, description, total, taxableValue, gst, maxDays, benefits } = plan;
  return (
    <li className={classes.plan} id={`plan-${id}`}>
      <h3 className={classes.name}>
        {name}
        {badge === undefined ? null : (
          <Badge component="span" color="brand">
            {badge}
          </Badge>
        )}
      </h3>
      <p className="soft">{description}</p>
      <p className={classes.price}>
        <b className="num">{priceText(total)}</b> <span>{texts.forDays(daysText(maxDays))}</span>
      </p>
      <p className={`${classes.tax} caption num`}>
        {total === 0 ? texts.nothingToPay : texts.priceParts(moneyText(taxableValue), moneyText(gst))}
      </p>
      <ul className={classes.benefits}>
        {benefits.map(({ key, display }) => (
          <li key={key}>
            <Check size={16} aria-hidden="true" />
            {display}
          </li>
        ))}
        {benefits.length > 0 ? null : <li>{quotaText(plan, maxDays)}</li>}
        {operationLines(plan).map((line) => (
          <li key={line}>
            <Check size={16} aria-hidden="true" />
            {line}
          </li>
        ))}
      </ul>
      <Button
        component="a"
        href={placeToActivate(product, plan)}
        variant={total === 0 ? 'default' : 'filled'}
        fullWidth
        aria-label={texts.startPlanOf(name, product.name)}
      >
        {total === 0 ? texts.startFree : texts.activate(priceText(total))}
      </Button>
    </li>
  );
}

/** A product on the picture of its pages: what it costs at least. */
export function productPicture({ name, plans }: PublicProduct): PictureWords {
  const prices = plans.map(({ total }) => total).filter((total) => total > 0);
  const isFree = prices.length < plans.length;
  const from = prices.length === 0 ? [] : [texts.fromLine(moneyText(Math.min(...prices)))];
  return { title: name, line: [...(isFree ? [texts.freeLine] : []), ...from].join(' · ') };
}
