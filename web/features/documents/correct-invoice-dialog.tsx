import { Alert, Button } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import { type Document, correctInvoice } from '#shared/contract/documents.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import type { CallReply } from '#shared/contract/call.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFacts, DialogFoot } from '#web/ui/dialog.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone } from '#web/ui/notify.tsx';

/** Reissues an invoice for the buyer in the current business profile. `invoice` null: closed. */
export function CorrectInvoiceDialog({ invoice, onClose }: { invoice: Document | null; onClose: () => void }) {
  return (
    <Dialog opened={invoice !== null} onClose={onClose} title={texts.correctTitle}>
      {invoice !== null && <CorrectInvoice invoice={invoice} onClose={onClose} />}
    </Dialog>
  );
}

function whatFollowed({ creditNote, invoice, refundAmount }: CallReply<typeof correctInvoice>): string {
  if (creditNote === null) return texts.revisedMore(invoice.number);
  if (refundAmount === 0) return texts.correctedMore(creditNote.number, invoice.number);
  return texts.correctedRefund(creditNote.number, invoice.number, moneyText(refundAmount));
}

function CorrectInvoice({ invoice, onClose }: { invoice: Document; onClose: () => void }) {
  const profile = useCall(readAccount, {}).data?.profile ?? null;
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const correct = useAction(correctInvoice, {
    changes: billingCalls,
    onDone: (reply) => {
      notifyDone(texts.corrected, whatFollowed(reply));
      onClose();
    },
    onFailed: setFailure,
  });
  const address = profile === null ? texts.none : `${profile.address}, ${profile.city} ${profile.pin}`;
  return (
    <>
      <DialogContent>
        <p className="soft">{texts.correctText(invoice.number)}</p>
        <DialogFacts
          facts={[
            { key: 'name', label: texts.name, value: profile?.legalName ?? texts.none },
            { key: 'gstin', label: texts.gstin, value: <span className="mono">{profile?.gstin ?? texts.none}</span> },
            { key: 'address', label: texts.address, value: address },
          ]}
        />
        <p>
          <Link className="link" to="/account?return=%2Fbilling%3Fview%3Ddocuments">
            {texts.editDetails}
          </Link>
        </p>
        {failure !== null && (
          <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={texts.correctFailed}>
            {failure.message}
          </Alert>
        )}
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.keep}
        </Button>
        <ActionButton
          call="correctInvoice"
          running={correct.running}
          onClick={() => void correct.run({ params: { documentId: invoice.id } })}
        >
          {correct.running ? texts.correcting : texts.confirm}
        </ActionButton>
      </DialogFoot>
    </>
  );
}
