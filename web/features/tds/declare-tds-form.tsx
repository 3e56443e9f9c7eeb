import { Button, FileButton, Input, NativeSelect, TextInput } from '@mantine/core';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { declareTds, type Tds } from '#shared/contract/tds.ts';
import { letterTypes } from '#shared/domain/tax-claim.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { readLetter } from '#web/features/tax-claims/letter-file.ts';
import classes from '#web/features/tds/tds.module.css';
import { tdsTexts as texts } from '#web/features/tds/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

interface DeclareTdsFormProps {
  cycleId: string;
  /** The invoice's number. */
  invoice: string;
  tds: Tds;
  onClose: () => void;
}

type Declared = {
  amount: string;
  tan: string;
  quarter: string;
  /** In base64, and the name of its file. */
  certificate: string;
  name: string;
};

const fieldOfRefusal = (code: RefusalCode) =>
  code === 'tds_too_much'
    ? ('amount' as const)
    : code === 'tds_wrong_quarter'
      ? ('quarter' as const)
      : code === 'letter_unreadable'
        ? ('certificate' as const)
        : undefined;

/** Declares TDS with its certificate. */
export function DeclareTdsForm({ cycleId, invoice, tds, onClose }: DeclareTdsFormProps) {
  const most = moneyText(tds.maxAmount);
  const contractForm = useContractForm(declareTds, {
    initialValues: {
      amount: tds.isWithheld ? String(tds.maxAmount) : '',
      tan: tds.claim?.tan ?? '',
      quarter: tds.claim?.quarter ?? tds.quarters[0] ?? '',
      certificate: '',
      name: '',
    },
    input: ({ amount, tan, quarter, certificate, name }: Declared) => ({
      params: { billingCycleId: cycleId },
      body: {
        amount: Number(amount.replaceAll(/[\s,₹]/g, '') || Number.NaN),
        tan: tan.trim().toUpperCase(),
        quarter,
        certificate,
        name,
      },
    }),
    fieldOf: { name: 'certificate' },
    wording: (field) =>
      field === 'amount'
        ? texts.amountFault
        : field === 'tan'
          ? texts.tanFault
          : field === 'certificate'
            ? texts.certificateFault
            : undefined,
    fieldOfRefusal,
    changes: billingCalls,
    onDone: () => {
      onClose();
      notifyDone(texts.declared, texts.declaredMore);
    },
    onFailed: (failure, isPlaced) => isPlaced || notifyFailure(texts.declareFailed, failure.message),
  });
  const { form, field, running } = contractForm;
  const { name } = form.values;

  async function choose(file: File | null): Promise<void> {
    if (file === null) return;
    const chosen = await readLetter(file);
    if (chosen.ok) {
      form.setValues({ certificate: chosen.letter, name: chosen.name });
      form.clearFieldError('certificate');
    } else form.setFieldError('certificate', texts[chosen.fault]);
  }

  const certificate = field('certificate', texts.certificateHint);
  return (
    <ContractForm of={contractForm}>
      <DialogContent>
        <div className={classes.fields}>
          <p className="soft">{tds.isWithheld ? texts.leadWithheld(invoice) : texts.lead(invoice)}</p>
          <TextInput
            {...field('amount', tds.isWithheld ? texts.amountWithheld(most) : texts.amountHint(most))}
            data-autofocus
            label={texts.amount}
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
          />
          <TextInput
            {...field('tan', texts.tanHint)}
            label={texts.tan}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={10}
          />
          <NativeSelect {...field('quarter')} label={texts.quarter} data={tds.quarters} />
          <Input.Wrapper
            label={texts.certificate}
            description={certificate.description}
            error={certificate.error}
            data-path="certificate"
          >
            <div className={classes.file}>
              <FileButton accept={letterTypes.join(',')} onChange={(file) => void choose(file)}>
                {(button) => (
                  <Button {...button} variant="default" size="xs">
                    {name === '' ? texts.choose : texts.chooseOther}
                  </Button>
                )}
              </FileButton>
              {name === '' ? null : <span>{name}</span>}
            </div>
          </Input.Wrapper>
        </div>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call="declareTds" type="submit" running={running}>
          {running ? texts.declaring : texts.declare}
        </ActionButton>
      </DialogFoot>
    </ContractForm>
  );
}
