import { type PublicPage, publicAddress, publicLanguages } from '#shared/contract/public-pages.ts';
import type { PageWords } from '#web/public-pages/page-content.ts';

/** Of a page, for browsers, search engines and previews of links. */
export function Head({ page, words }: { page: PublicPage; words: PageWords }) {
  const { colours, config, content, fonts, icon, language, path, picture, portalUrl, styles } = page;
  const address = (of: typeof language) => portalUrl + publicAddress(path, of);
  const title = `${words.title} · ${config.providerName}`;
  const isFound = content.kind !== 'missing' && content.kind !== 'unshown' && content.kind !== 'search';
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <meta name="description" content={words.description} />
      {isFound ? (
        <>
          <link rel="canonical" href={address(language)} />
          {publicLanguages.map((each) => (
            <link key={each} rel="alternate" hrefLang={each} href={address(each)} />
          ))}
          <link rel="alternate" hrefLang="x-default" href={address('en')} />
          <link rel="alternate" type="text/markdown" href={`${address(language)}.md`} />
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={config.providerName} />
          <meta property="og:title" content={words.title} />
          <meta property="og:description" content={words.description} />
          <meta property="og:url" content={address(language)} />
          <meta property="og:locale" content={language === 'hi' ? 'hi_IN' : 'en_IN'} />
          {picture === undefined ? null : (
            <>
              <meta property="og:image" content={picture.url} />
              <meta property="og:image:width" content={String(picture.width)} />
              <meta property="og:image:height" content={String(picture.height)} />
              <meta property="og:image:alt" content={picture.alt} />
            </>
          )}
          <meta name="twitter:card" content={picture === undefined ? 'summary' : 'summary_large_image'} />
        </>
      ) : (
        <meta name="robots" content="noindex" />
      )}
      <link rel="icon" href={icon.href} type={icon.type} />
      {styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {fonts[language].map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="" />
      ))}
      {colours === '' ? null : <style dangerouslySetInnerHTML={{ __html: colours }} />}
      {words.data?.map((each) => (
        <script
          key={String(each['@type'])}
          type="application/ld+json"
          // A `<` in a text could close the element.
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ '@context': 'https://schema.org', ...each }).replaceAll('<', String.raw`\u003c`),
          }}
        />
      ))}
    </head>
  );
}
