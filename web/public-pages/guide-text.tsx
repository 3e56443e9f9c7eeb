import { Markdown, type MarkdownToJSX } from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';
import { type PublicLanguage, type PublicText, publicAddress } from '#shared/contract/public-pages.ts';
import { linkOf, markdownOf } from '#web/features/reference/markdown-text.ts';
import { proseOptions } from '#web/features/reference/prose.tsx';
import proseClasses from '#web/features/reference/prose.module.css';
import { localeOf } from '#web/language/language.ts';
import classes from '#web/public-pages/guide-text.module.css';

/** A page's own `id`, which a heading can't have. */
const taken = 'content';

/** Letters and digits of any script, as in the links of GitHub's headings. */
function headingId(text: string): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
  return id === '' || id === taken ? `${taken}-1` : id;
}

/** Links lead to the web, to other pages of the portal, or to a place on this one; the file of another guide stands for its page. */
function targetOf(href: unknown, language: PublicLanguage): string | undefined {
  if (typeof href !== 'string') return undefined;
  const [, guide, place = ''] = /^([a-z0-9-]+)(?:\.hi)?\.md(#.*)?$/.exec(href) ?? [];
  if (guide !== undefined) return publicAddress(`/docs/${guide}`, language) + place;
  return /^(?:#|\/(?![/\\]))/.test(href) ? href : linkOf(href);
}

const optionsIn = (language: PublicLanguage): MarkdownToJSX.Options => ({
  ...proseOptions,
  forceBlock: true,
  wrapper: null,
  slugify: headingId,
  overrides: {
    ...proseOptions.overrides,
    // The title of the page is the only one of the first level.
    ...Object.fromEntries(
      (['h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const).map((Heading, index) => [
        `h${index + 1}`,
        ({ id, children }: { id?: string; children?: ReactNode }) => <Heading id={id}>{children}</Heading>,
      ]),
    ),
    pre: ({ children }: { children?: ReactNode }) => (
      <div data-code>
        <pre>{children}</pre>
      </div>
    ),
    a: ({ href, children }: { href?: unknown; children?: ReactNode }) => {
      const target = targetOf(href, language);
      return target === undefined ? (
        <span>{children}</span>
      ) : (
        <a className="link" href={target}>
          {children}
        </a>
      );
    },
  },
});
const options = { en: optionsIn('en'), hi: optionsIn('hi') };

/** A text of the provider: Markdown without HTML of its own. `language`: of the page, which may have no translation of it. */
export function GuideText({ text, language }: { text: PublicText; language: PublicLanguage }) {
  return (
    <div
      className={`${proseClasses.prose} ${classes.text}`}
      {...(text.language === language ? {} : { lang: localeOf(text.language) })}
    >
      <Markdown options={options[language]}>{markdownOf(text.body)}</Markdown>
    </div>
  );
}

/** Its first paragraph. */
export function GuideLead({ text, language }: { text: PublicText; language: PublicLanguage }) {
  return <Markdown options={options[language]}>{markdownOf(text.lead)}</Markdown>;
}
