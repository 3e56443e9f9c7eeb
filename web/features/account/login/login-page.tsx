import { ActionIcon, Loader } from '@mantine/core';
import { Info, Moon, Sun } from 'lucide-react';
import { useRef } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { signIn } from '#shared/contract/account.ts';
import { beginSession, useSession } from '#web/session/session.ts';
import { portalConfig } from '#web/api/config.ts';
import { useAction } from '#web/api/use-call.ts';
import { claimsBeside } from '#web/features/account/login/identity-claims.ts';
import { LoginPicture } from '#web/features/account/login/login-picture.tsx';
import classes from '#web/features/account/login/login-page.module.css';
import { loginTexts as texts } from '#web/features/account/login/texts.ts';
import { useGoogleSignIn } from '#web/sign-in/use-google-sign-in.ts';
import { Brand, LegalLinks, brandText, hasLegalLinks } from '#web/shell/brand.tsx';
import { pathAfterLogin } from '#web/shell/safe-path.ts';
import { LanguageSwitch } from '#web/shell/language-switch.tsx';
import { shellTexts } from '#web/shell/texts.ts';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { Facts } from '#web/ui/facts.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { usePageTitle } from '#web/ui/page-head.tsx';
import { ErrorState } from '#web/ui/states.tsx';

/** Sign-up and sign-in are one: a Google account that is new here becomes a customer. */
export function LoginPage() {
  usePageTitle(texts.title);
  const { token, endedBy } = useSession();
  const [search] = useSearchParams();
  const { isDark, toggle } = useColorSchemeToggle();
  const button = useRef<HTMLDivElement>(null);
  const { login } = portalConfig().brand;

  const signingIn = useAction(signIn, {
    onDone: ({ accessToken }) => beginSession(accessToken),
    onFailed: () => {
      notifyFailure(texts.failed);
      google.renew();
    },
  });
  const google = useGoogleSignIn(button, isDark, (identityToken) => {
    void signingIn.run({ body: { ...claimsBeside(identityToken), googleIdToken: identityToken } });
  });

  if (token !== null) return <Navigate to={pathAfterLogin(search.get('redirect'))} replace />;
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
          {endedBy === 'expired' || endedBy === 'elsewhere' ? (
            <output className={classes.ended}>
              <Info size={18} aria-hidden="true" />
              {texts.ended}
            </output>
          ) : null}
          <h2 className={classes.signIn}>{texts.signUpOrLogin}</h2>
          <div className={classes.slot} aria-busy={google.state === 'preparing' || signingIn.running}>
            <div ref={button} className={classes.google} data-hidden={google.state !== 'ready' || signingIn.running} />
            {google.state === 'preparing' || signingIn.running ? (
              <output className={classes.wait}>
                <Loader aria-hidden="true" />
                {signingIn.running ? texts.signingIn : texts.preparing}
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
      <LoginPicture />
    </main>
  );
}
