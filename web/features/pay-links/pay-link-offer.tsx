import { Button } from '@mantine/core';
import { useState } from 'react';
import { makePayLink } from '#shared/contract/pay-links.ts';
import { useAction } from '#web/api/use-call.ts';
import { payLinkOfferTexts as texts } from '#web/features/pay-links/texts.ts';
import classes from '#web/features/payments/purchase-order.module.css';
import { cyclesOf, type Purchase } from '#web/features/payments/purchase.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** A link by which somebody else pays (decision 077). */
export function PayLinkOffer({ activationId, purchase }: { activationId: string; purchase: Purchase }) {
  const [url, setUrl] = useState<string | null>(null);
  const make = useAction(makePayLink, {
    onDone: (reply, { body }) => {
      setUrl(reply.url);
      if (body.endsEarlier) notifyDone(texts.renewed);
    },
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  const asked = (endsEarlier: boolean) => ({
    params: { activationId },
    body: { billingCycleIds: [...cyclesOf(purchase)], endsEarlier },
  });
  const close = () => setUrl(null);
  return (
    <span className={classes.line}>
      <button
        type="button"
        className={classes.change}
        aria-disabled={make.running}
        onClick={() => void make.run(asked(false))}
      >
        {texts.offer}
      </button>
      <Dialog opened={url !== null} onClose={close} title={texts.title}>
        <DialogContent>
          <p className="soft">{texts.lead}</p>
          <p className={`mono ${classes.address}`}>{url}</p>
          <p className="caption dim">{texts.ends}</p>
        </DialogContent>
        <DialogFoot>
          <ActionButton
            call="makePayLink"
            variant="default"
            running={make.running}
            onClick={() => void make.run(asked(true))}
          >
            {texts.renew}
          </ActionButton>
          <Button variant="default" onClick={close}>
            {texts.close}
          </Button>
          <CopyButton primary size="md" value={url ?? ''} label={texts.copy} />
        </DialogFoot>
      </Dialog>
    </span>
  );
}
