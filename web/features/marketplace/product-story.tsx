import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PublicProduct } from '#shared/contract/public-pages.ts';
import { Changelog, Deprecations } from '#web/features/marketplace/api-life.tsx';
import classes from '#web/features/marketplace/product-story.module.css';
import { SampleCode } from '#web/features/marketplace/sample-code.tsx';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { Section } from '#web/ui/section.tsx';

/** What a product is, in a few lines. */
export function ProductIntro({ product, children }: { product: PublicProduct; children: ReactNode }) {
  const { name, tagline, description, longDescription } = product;
  return (
    <div className={classes.story}>
      <PageHead title={name} lead={tagline} mark={<ProductMark of={product} size={48} />} />
      <Deprecations of={product} />
      <p className={classes.lead}>
        {description} {longDescription}
      </p>
      {children}
    </div>
  );
}

/** What it answers, what it can do, what for, and what changed in it. */
export function ProductDetails({ product }: { product: PublicProduct }) {
  const { sample, features, useCases: uses } = product;
  return (
    <div className={classes.story}>
      <div>
        <div className={classes.sampleHead}>
          <span className="mono soft">{sample.request}</span>
          <span className="dim">{texts.answer}</span>
        </div>
        <SampleCode label={texts.sample} text={sample.answer} />
      </div>
      <Section title={texts.features}>
        <ul className={classes.features}>
          {features.map(({ title, text }) => (
            <li key={title}>
              <Check size={20} aria-hidden="true" />
              <div>
                <b>{title}</b>
                <span>{text}</span>
              </div>
            </li>
          ))}
        </ul>
      </Section>
      {uses.length > 0 && (
        <Section title={texts.uses}>
          <ul className={classes.uses}>
            {uses.map(({ title, text }) => (
              <li key={title}>
                <b>{title}</b>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Changelog of={product} />
    </div>
  );
}
