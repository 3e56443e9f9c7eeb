import { Mail } from 'lucide-react';
import type { Activation } from '#shared/contract/activations.ts';
import { publicAddress } from '#shared/contract/public-pages.ts';
import { portalConfig } from '#web/api/config.ts';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { language } from '#web/language/language.ts';
import { useGuidesLink } from '#web/shell/guides-link.ts';
import { shellTexts } from '#web/shell/texts.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { Facts } from '#web/ui/facts.tsx';

/** How to reach the provider, as it was configured; with the id of the activation, if it is about one. */
export function Contact({ activation }: { activation?: Activation }) {
  const { providerName, support, publicPages } = portalConfig();
  const guides = useGuidesLink();
  const subject =
    activation === undefined
      ? ''
      : `?subject=${encodeURIComponent(texts.mailSubject(activation.service.name, activation.id))}`;
  return (
    <section>
      <h2>
        <Mail size={18} aria-hidden="true" />
        {texts.contact(providerName)}
      </h2>
      <Facts
        look="list"
        className={classes.contact}
        facts={[
          {
            key: 'email',
            label: texts.email,
            value: (
              <a className="link" href={`mailto:${support.email}${subject}`}>
                {support.email}
              </a>
            ),
          },
          {
            key: 'phone',
            label: texts.phone,
            value: (
              <a className="link num" href={`tel:${support.phone.replaceAll(' ', '')}`}>
                {support.phone}
              </a>
            ),
          },
          { key: 'hours', label: texts.hours, value: support.hours[language()] },
          ...(guides === undefined
            ? []
            : [
                {
                  key: 'guides',
                  label: shellTexts.guides,
                  value: (
                    <a className="link" {...guides}>
                      {texts.readGuides}
                    </a>
                  ),
                },
              ]),
          ...(publicPages
            ? [
                {
                  key: 'status',
                  label: texts.status,
                  value: (
                    <a className="link" href={publicAddress('/status', language())}>
                      {texts.isApiDown}
                    </a>
                  ),
                },
              ]
            : []),
          ...(activation === undefined
            ? []
            : [
                {
                  key: 'activation',
                  label: texts.activation,
                  value: (
                    <span className={classes.id}>
                      <span className="mono">{activation.id}</span>
                      <CopyIcon value={activation.id} />
                    </span>
                  ),
                },
              ]),
        ]}
      />
    </section>
  );
}
