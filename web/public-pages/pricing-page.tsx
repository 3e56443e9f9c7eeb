import { ScrollArea } from '@mantine/core';
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
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': texts.pricesOf(product.name) }}>
      <table className={classes.prices}>
        <thead>
          <tr>
            <th scope="col">{texts.plan}</th>
            <th scope="col">{texts.period}</th>
            <th scope="col">{texts.youPay}</th>
            <th scope="col">{texts.beforeGst}</th>
            <th scope="col">{texts.gst}</th>
            <th scope="col">{texts.perDay}</th>
            <th scope="col">{texts.perMonth}</th>
            <th scope="col">{texts.perSecond}</th>
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
              <td>{daysText(plan.maxDays)}</td>
              <td className="num">
                <b>{priceText(plan.total)}</b>
              </td>
              <td className="num">{moneyText(plan.taxableValue)}</td>
              <td className="num">{moneyText(plan.gst)}</td>
              <td className="num">{formatNumber(plan.dailyQuota)}</td>
              <td className="num">{formatNumber(plan.monthlyQuota)}</td>
              <td className="num">{formatNumber(plan.rps)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
