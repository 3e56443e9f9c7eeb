import { type MarkdownText, type PageValue, withValues } from '#catalog/markdown-text.ts';
import type { Guide } from '#catalog/guides.ts';
import type { PublicGuide, PublicLanguage, PublicText } from '#shared/contract/public-pages.ts';
import type { Portal } from '#server/portal.ts';

type Values = Record<PageValue, string>;

const valuesOf = ({ gatewayUrl, portalUrl, providerName, supportEmail }: Portal['settings']): Values => ({
  gatewayUrl,
  portalUrl,
  providerName,
  supportEmail,
});

/** A Markdown text of the provider in a language, or in English. */
export function pageText(
  { settings }: Pick<Portal, 'settings'>,
  texts: { en: MarkdownText; hi?: MarkdownText },
  language: PublicLanguage,
): PublicText {
  const text = texts[language];
  return text === undefined
    ? { ...withValues(texts.en, valuesOf(settings)), language: 'en' }
    : { ...withValues(text, valuesOf(settings)), language };
}

export const pageGuide = (
  portal: Pick<Portal, 'settings'>,
  { id, product, texts }: Guide,
  language: PublicLanguage,
): PublicGuide => ({ id, product, ...pageText(portal, texts, language) });
