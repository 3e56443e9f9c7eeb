import { Button } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { type PublicGuide, type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { Claims } from '#web/features/marketplace/product-card.tsx';
import { ProductDetails, ProductIntro } from '#web/features/marketplace/product-story.tsx';
import classes from '#web/public-pages/api-page.module.css';
import { GuideList } from '#web/public-pages/guide-list.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { PlanOffers, placeToActivate, productData, productPicture } from '#web/public-pages/plan-offers.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { Section } from '#web/ui/section.tsx';

/** A product: its story, its plans with their prices, and questions. */
export function apiPage(
  page: PublicPage,
  { product, hasReference, guides }: { product: PublicProduct; hasReference: boolean; guides: readonly PublicGuide[] },
): PageContent {
  return {
    title: product.name,
    description: product.description,
    picture: productPicture(product),
    data: [productData(page, product), ...questionData(product)],
    Main: () => (
      <>
        <ProductIntro product={product}>
          <div className={classes.actions}>
            <Button component="a" href={placeToActivate(product)} size="lg">
              {texts.getKey}
            </Button>
            {hasReference ? (
              <Button
                component="a"
                href={publicAddress(`/apis/${product.id}/reference`, page.language)}
                size="lg"
                variant="default"
              >
                {texts.reference}
              </Button>
            ) : null}
            <Button component="a" href="#plans" size="lg" variant="default">
              {texts.seePlans}
            </Button>
          </div>
        </ProductIntro>
        <PlanOffers product={product} />
        <ProductDetails product={product} />
        {guides.length === 0 ? null : (
          <Section title={texts.guides}>
            <GuideList guides={guides} language={page.language} level={3} />
          </Section>
        )}
        <Questions product={product} />
        <div className={classes.more}>
          <Claims of={product} />
          {product.changelog.length === 0 ? null : (
            <a className="link" href={publicAddress(`/apis/${product.id}/changelog`, page.language)}>
              {texts.changelog}
              <ArrowRight size={15} aria-hidden="true" />
            </a>
          )}
          <a className="link" href={product.documentationUrl}>
            {texts.openApi}
            <ArrowRight size={15} aria-hidden="true" />
          </a>
        </div>
      </>
    ),
  };
}

function questionData({ faq }: PublicProduct) {
  if (faq.length === 0) return [];
  const mainEntity = faq.map(({ title, text }) => ({
    '@type': 'Question',
    name: title,
    acceptedAnswer: { '@type': 'Answer', text },
  }));
  return [{ '@type': 'FAQPage', mainEntity }];
}

function Questions({ product: { faq } }: { product: PublicProduct }) {
  if (faq.length === 0) return null;
  return (
    <section className={classes.questions}>
      <h2>{texts.questions}</h2>
      {faq.map(({ title, text }) => (
        <details key={title}>
          <summary>{title}</summary>
          <p>{text}</p>
        </details>
      ))}
    </section>
  );
}
