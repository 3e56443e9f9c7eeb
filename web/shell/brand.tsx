import { portalConfig } from '#web/api/config.ts';
import { language } from '#web/language/language.ts';
import classes from '#web/shell/brand.module.css';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { BrandMark } from '#web/ui/brand-mark.tsx';

/** The provider's logo and name beside PORTAL; the shipped brand is its mark and PORTAL alone. */
export function Brand() {
  const { brand, providerName } = portalConfig();
  const { logo, showsName } = brand;
  return (
    <>
      {logo === null ? (
        <BrandMark />
      ) : (
        <>
          <img className={classes['light']} src={logo.light} alt={showsName ? '' : providerName} />
          <img className={classes['dark']} src={logo.dark} alt={showsName ? '' : providerName} />
        </>
      )}
      {showsName ? <span className={classes['name']}>{providerName}</span> : null}
      <span>{texts.brand}</span>
    </>
  );
}

/** A text of the brand, in the language of the page if the brand has it. */
export function brandText(english: string): string {
  const { hindi } = portalConfig().brand;
  return language() === 'hi' && Object.hasOwn(hindi, english) ? (hindi[english] ?? english) : english;
}

const names = ['terms', 'privacy', 'refunds', 'contact'] as const;

/** Are there pages of the provider to link to? */
export function hasLegalLinks(): boolean {
  const { links } = portalConfig().brand;
  return names.some((name) => links[name] !== null);
}

/** The provider's terms, privacy policy, refund policy and contact, which Google and Razorpay ask for. */
export function LegalLinks() {
  const { links } = portalConfig().brand;
  return (
    <nav className={classes['links']} aria-label={texts.legal}>
      {names.map((name) => {
        const address = links[name];
        return address === null ? null : (
          <a
            key={name}
            href={address.startsWith('/') && language() === 'hi' ? `/hi${address}` : address}
            {...(address.startsWith('http') ? { target: '_blank', rel: 'noreferrer' } : {})}
          >
            {texts.legalLinks[name]}
          </a>
        );
      })}
    </nav>
  );
}
