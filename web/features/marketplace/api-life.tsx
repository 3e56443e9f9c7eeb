import { Alert } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { Product } from '#shared/contract/marketplace.ts';
import classes from '#web/features/marketplace/product-story.module.css';
import { apiLifeTexts as texts } from '#web/features/marketplace/texts.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { Section } from '#web/ui/section.tsx';

/** What of a product is deprecated, what to use instead, and until when it works. */
export function Deprecations({ of: { name, deprecations } }: { of: Pick<Product, 'name' | 'deprecations'> }) {
  return deprecations.map(({ of, since, sunset, note, link }) => (
    <Alert
      key={`${of} ${since}`}
      className={classes.deprecation ?? ''}
      color="yellow"
      icon={<TriangleAlert size={18} />}
      title={texts.deprecated(of === 'product' ? name : of)}
    >
      <p>
        {sunset === null ? texts.since(dayText(since)) : texts.until(dayText(since), dayText(sunset))} {note}
      </p>
      {link !== null && (
        <a className="link" href={link}>
          {texts.more}
        </a>
      )}
    </Alert>
  ));
}

/** What changed in a product, newest first. */
export function Changelog({ of: { changelog } }: { of: Pick<Product, 'changelog'> }) {
  if (changelog.length === 0) return null;
  return (
    <Section title={texts.changelog}>
      <ul className={classes.changelog}>
        {changelog.map(({ on, text }) => (
          <li key={`${on} ${text}`}>
            <time className="soft" dateTime={on}>
              {dayText(on)}
            </time>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
