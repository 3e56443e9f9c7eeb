import { ActionIcon, Loader } from '@mantine/core';
import { Info, Moon, Sun } from 'lucide-react';
import { type ReactNode, type RefObject } from 'react';
import { publicAddress } from '#shared/contract/public-pages.ts';
import { portalConfig } from '#web/api/config.ts';
import classes from '#web/features/account/login/login-page.module.css';
import { loginTexts as texts } from '#web/features/account/login/texts.ts';
import { language } from '#web/language/language.ts';
import type { SignInState } from '#web/sign-in/use-google-sign-in.ts';
import { Brand, LegalLinks, brandText, hasLegalLinks } from '#web/shell/brand.tsx';
import { LanguageSwitch } from '#web/shell/language-switch.tsx';
import { shellTexts } from '#web/shell/texts.ts';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { Facts } from '#web/ui/facts.tsx';
import { ErrorState } from '#web/ui/states.tsx';

interface LoginViewProps {
  google: { state: SignInState; renew: () => void };
  isSigningIn: boolean;
  /** The session before has ended by itself. */
  hasEnded: boolean;
  /** Where Google's button is drawn. */
  button?: RefObject<HTMLDivElement | null>;
  /** The preview of the portal. In the browser its code comes after that of the page: the server has drawn it already. */
  picture: ReactNode;
}

/** What the sign-in page shows. The server renders it too (login-render.tsx): nothing here may need a browser. */
export function LoginView({ google, isSigningIn, hasEnded, button, picture }: LoginViewProps) {
  const { isDark, toggle } = useColorSchemeToggle();
  const { login } = portalConfig().brand;
  return (
    <main className={classes.page}>
      <section className={classes.left}>
        <div className={classes.top}>
          <span className={classes.brand}>
            <Brand />
          </span>
          <span className={classes.tools}>
            <LanguageSwitch />
            <ActionIcon aria-label={isDark ? shellTexts.toLight : shellTexts.toDark} onClick={toggle}>
              {isDark ? <Sun size={18} /> : <Moon size={18} />}
            </ActionIcon>
          </span>
        </div>
        <div className={classes.main}>
          <h1>{login.heading === null ? texts.heading : brandText(login.heading)}</h1>
          <p className={classes.lead}>{login.lead === null ? texts.lead : brandText(login.lead)}</p>
          {hasEnded ? (
            <output className={classes.ended}>
              <Info size={18} aria-hidden="true" />
              {texts.ended}
            </output>
          ) : null}
          <h2 className={classes.signIn}>{texts.signUpOrLogin}</h2>
          <div className={classes.slot} aria-busy={google.state === 'preparing' || isSigningIn}>
            <div
              {...(button && { ref: button })}
              className={classes.google}
              data-hidden={google.state !== 'ready' || isSigningIn}
            />
            {google.state === 'preparing' || isSigningIn ? (
              <output className={classes.wait}>
                <Loader aria-hidden="true" />
                {isSigningIn ? texts.signingIn : texts.preparing}
              </output>
            ) : null}
            {google.state === 'unavailable' ? (
              <div className={classes.unavailable}>
                <ErrorState title={texts.unavailable} onRetry={google.renew}>
                  {texts.unavailableHint}
                </ErrorState>
              </div>
            ) : null}
          </div>
          <p className={classes.linked}>{texts.linked}</p>
          {portalConfig().publicPages ? (
            <p className={classes.linked}>
              <a className="link" href={publicAddress('/apis', language())}>
                {texts.apis}
              </a>
            </p>
          ) : null}
          <Facts
            className={classes.features}
            facts={(login.features ?? texts.features).map(({ title, text }) => ({
              key: title,
              label: brandText(title),
              value: brandText(text),
            }))}
          />
        </div>
        <div className={classes.foot}>
          {(login.claims?.map(brandText) ?? [texts.support, texts.uptime]).map((claim) => (
            <span key={claim}>{claim}</span>
          ))}
        </div>
        {hasLegalLinks() ? (
          <div className={classes.legal}>
            <LegalLinks />
          </div>
        ) : null}
      </section>
      {picture}
    </main>
  );
}
