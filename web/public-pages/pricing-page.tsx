import type { ReactNode } from 'react';
import { type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { placeToActivate, productData } from '#web/public-pages/plan-offers.tsx';
import classes from '#web/public-pages/pricing-page.module.css';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { daysText } from '#web/ui/cycle-days.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { moneyText, priceText } from '#web/ui/money-text.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';

/** The plans of all products side by side. */
export function pricingPage(page: PublicPage, products: readonly PublicProduct[]): PageContent {
  return {
    title: texts.pricing,
    description: texts.pricingDescription(page.config.providerName),
    data: products.map((product) => productData(page, product)),
    Main: () => (
      <>
        <PageHead title={texts.pricing} lead={texts.pricingLead} />
        {products.map((product) => (
          <Section
            key={product.id}
            title={product.name}
            end={
              <a className="link caption" href={publicAddress(`/apis/${product.id}`, page.language)}>
                {texts.aboutApi(product.name)}
              </a>
            }
          >
            <PriceTable product={product} />
          </Section>
        ))}
      </>
    ),
  };
}

function PriceTable({ product }: { product: PublicProduct }) {
  return (
    <table className={classes.prices} aria-label={texts.pricesOf(product.name)}>
      <thead>
        <tr>
          {[texts.plan, ...columns.map(({ header }) => header())].map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {product.plans.map((plan) => (
          <tr key={plan.id}>
            <th scope="row">
              <a className="link" href={placeToActivate(product, plan)}>
                {plan.name}
              </a>
            </th>
            {columns.map(({ header, of }) => (
              <td key={header()} className="num" data-label={header()}>
                {of(plan)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const columns: readonly { header: () => string; of: (plan: PublicProduct['plans'][number]) => ReactNode }[] = [
  { header: () => texts.period, of: ({ maxDays }) => daysText(maxDays) },
  { header: () => texts.youPay, of: ({ total }) => <b>{priceText(total)}</b> },
  { header: () => texts.beforeGst, of: ({ taxableValue }) => moneyText(taxableValue) },
  { header: () => texts.gst, of: ({ gst }) => moneyText(gst) },
  { header: () => texts.perDay, of: ({ dailyQuota }) => formatNumber(dailyQuota) },
  { header: () => texts.inPeriod, of: ({ monthlyQuota }) => formatNumber(monthlyQuota) },
  { header: () => texts.perSecond, of: ({ rps }) => formatNumber(rps) },
];
