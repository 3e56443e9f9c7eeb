import { Alert } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { PayLinkBill, PayLinkState } from '#shared/contract/pay-links.ts';
import { portalConfig } from '#web/api/config.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { PayBill } from '#web/pay/pay-bill.tsx';
import classes from '#web/pay/pay-page.module.css';
import { payLinkTexts as texts } from '#web/pay/texts.ts';
import { type NotPaid, type PaidHere, usePayLink } from '#web/pay/use-pay-link.ts';
import { hasLegalLinks, LegalLinks } from '#web/shell/brand.tsx';
import { ColorSchemeIcon } from '#web/shell/color-scheme-icon.tsx';
import { VisitorTop } from '#web/shell/visitor-top.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { usePageTitle } from '#web/ui/page-title.ts';

/** The page of a pay link (decision 077). What it is for stands behind the `#`, which browsers send to nobody. */
export function PayPage() {
  useLanguage();
  usePageTitle(texts.title);
  const link = useSyncExternalStore(onHashChange, () => location.hash.slice(1));
  return (
    <main className={classes.page}>
      <VisitorTop>
        <ColorSchemeIcon />
      </VisitorTop>
      <div className={classes.main}>
        {link === '' ? <Said {...texts.states.missing} /> : <OfLink key={link} link={link} />}
        <p className={classes.foot}>{texts.questions(portalConfig().support.email)}</p>
        {hasLegalLinks() ? <LegalLinks /> : null}
      </div>
    </main>
  );
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function OfLink({ link }: { link: string }) {
  const { shown, step, notPaid, paidHere, read, pay } = usePayLink(link);
  if (paidHere !== null) return <PaidHereSaid paid={paidHere} />;
  if (shown === undefined) return <output className="soft">{texts.loading}</output>;
  if (shown === 'missing') return <Said {...texts.states.missing} />;
  if (shown === 'failed')
    return (
      <Said title={texts.failed}>
        <ActionButton variant="default" running={false} onClick={() => void read()}>
          {texts.tryAgain}
        </ActionButton>
      </Said>
    );
  const { state, bill } = shown;
  if (bill === null) return <Said {...texts.states[isPayable(state) ? 'UNAVAILABLE' : state]} />;
  if (state === 'OPEN')
    return (
      <Asked bill={bill}>
        <PayBill key={bill.amount} link={link} bill={bill} step={step} onPay={(email) => void pay(bill, email)} />
        {notPaid === null ? null : (
          <Alert color="yellow" role="alert" title={texts.notPaid}>
            {notPaidText(notPaid)}
          </Alert>
        )}
      </Asked>
    );
  if (state === 'DEBITED') {
    const { title, text } = texts.states.DEBITED;
    return <Said title={title} text={text(bill.customerName)} />;
  }
  return <Said {...texts.states[state]} />;
}

/** It is to be paid, or being paid: its bill says what. */
const isPayable = (state: PayLinkState): state is 'OPEN' | 'CONFIRMING' | 'DEBITED' =>
  state === 'OPEN' || state === 'CONFIRMING' || state === 'DEBITED';

function Asked({ bill, children }: { bill: PayLinkBill; children: ReactNode }) {
  return (
    <>
      <h1>{texts.pay(moneyText(bill.amount))}</h1>
      <p className={classes.lead}>{texts.lead(bill.customerName, bill.seller.name)}</p>
      <div className={classes.pays}>{children}</div>
    </>
  );
}

/** What stands in the place of a bill. */
function Said({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <output>
      <h1>{title}</h1>
      {text === undefined ? null : <p className={classes.lead}>{text}</p>}
      {children}
    </output>
  );
}

function PaidHereSaid({ paid: { bill, email, paymentId, is } }: { paid: PaidHere }) {
  if (is === 'refunded') return <Said {...texts.states.REFUNDED} />;
  if (is === 'confirming') return <Said {...texts.states.CONFIRMING} />;
  const { title, text, mailed, reference } = texts.states.paidHere;
  const papers = email === '' ? '' : ` ${mailed(email)}`;
  return (
    <Said title={title} text={text(moneyText(bill.amount), bill.customerName) + papers}>
      <p className="caption dim">{reference(paymentId)}</p>
    </Said>
  );
}

function notPaidText(notPaid: NotPaid): string {
  return notPaid.kind === 'attempt' ? texts.attempt(notPaid.reason) : texts[notPaid.kind];
}
