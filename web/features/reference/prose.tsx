import { Markdown, type MarkdownToJSX } from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';
import { linkOf, markdownOf } from '#web/features/reference/markdown-text.ts';
import classes from '#web/features/reference/prose.module.css';

/** Descriptions are Markdown of other people: no HTML of theirs, no pictures, and links to web and mail addresses only. */
export const proseOptions: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  disableAutoLink: false,
  overrides: {
    a: ({ href, children }: { href?: unknown; children?: ReactNode }) => {
      const target = linkOf(href);
      if (target === undefined) return <span>{children}</span>;
      return (
        <a className="link" href={target} target="_blank" rel="noreferrer">
          {children}
        </a>
      );
    },
    img: ({ alt }: { alt?: string }) => <span>{alt}</span>,
    input: ({ checked }: { checked?: boolean }) => <span>{checked === true ? '☑' : '☐'}</span>,
    code: ({ children }: { children?: ReactNode }) => <code className={classes.code}>{children}</code>,
    // The page has its own headings above.
    ...Object.fromEntries(
      ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [
        name,
        ({ children }: { children?: ReactNode }) => <h3 className={classes.heading}>{children}</h3>,
      ]),
    ),
  },
};
const block: MarkdownToJSX.Options = { ...proseOptions, forceBlock: true };
const inline: MarkdownToJSX.Options = { ...proseOptions, forceInline: true, wrapper: null };

/** A description as OpenAPI documents write it, in Markdown. */
export function Prose({ text, className = '' }: { text: string; className?: string }) {
  return (
    <div className={`${classes.prose} ${className}`}>
      <Markdown options={block}>{markdownOf(text)}</Markdown>
    </div>
  );
}

/** The same inside a line, which defines no links: many definitions there take the parser minutes. */
export function InlineProse({ text }: { text: string }) {
  return <Markdown options={inline}>{markdownOf(text).replaceAll(']:', String.raw`]\:`)}</Markdown>;
}
