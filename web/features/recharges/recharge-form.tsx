import { Button, Radio, TextInput } from '@mantine/core';
import { setRecharge } from '#shared/contract/recharges.ts';
import { readRenewal, type Renewal } from '#shared/contract/renewals.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { autoRechargeTexts as texts } from '#web/features/recharges/texts.ts';
import choice from '#web/features/cycles/plan-choice.module.css';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

type Recharge = NonNullable<Renewal['recharge']>;
type Wanted = { packId: string; monthlyCeiling: string };

const rupeesOf = (text: string): number => Number(text.replaceAll(/[\s,₹]/g, '') || Number.NaN);

interface RechargeFormProps {
  activationId: string;
  recharge: Recharge;
  onClose: () => void;
}

/** The consent to debits of a pack, in words: which one, when, and at most how much in a month. */
export function RechargeForm({ activationId, recharge: { packs, agreed }, onClose }: RechargeFormProps) {
  const packOf = (id: string) => packs.find((pack) => pack.id === id);
  const first = packOf(agreed?.packId ?? '') ?? packs[0];
  const contractForm = useContractForm(setRecharge, {
    initialValues: {
      packId: first?.id ?? '',
      // Two packs in a month, unless something else was agreed to.
      monthlyCeiling: String(agreed?.monthlyCeiling ?? Math.ceil((first?.total ?? 0) * 2)),
    },
    input: ({ packId, monthlyCeiling }: Wanted) => ({
      params: { activationId },
      body: { packId, monthlyCeiling: rupeesOf(monthlyCeiling) },
    }),
    wording: (field) => (field === 'monthlyCeiling' ? texts.ceilingFault : undefined),
    faults: ({ packId, monthlyCeiling }): { monthlyCeiling?: string } =>
      rupeesOf(monthlyCeiling) < (packOf(packId)?.total ?? 0) ? { monthlyCeiling: texts.ceilingTooLow } : {},
    changes: [readRenewal],
    onDone: () => {
      onClose();
      notifyDone(texts.saved);
    },
    onFailed: (failure, isPlaced) => isPlaced || notifyFailure(texts.notSaved, failure.message),
  });
  const { form, field, running } = contractForm;
  const chosen = packOf(form.values.packId);
  const ceiling = rupeesOf(form.values.monthlyCeiling);
  return (
    <ContractForm of={contractForm}>
      <DialogContent>
        <Radio.Group {...form.getInputProps('packId')} aria-label={texts.packs}>
          {packs.map(({ id, name, units, total }) => (
            <Radio.Card
              key={id}
              value={id}
              className={choice.plan}
              aria-label={`${name}, ${texts.units(formatNumber(units))}, ${moneyText(total)}`}
            >
              <Radio.Indicator size="xs" className={choice.dot} />
              <span>
                <span className={choice.name}>{name}</span>
                <span className={`${choice.quotas} caption num`}>{texts.units(formatNumber(units))}</span>
              </span>
              <span className={`${choice.price} num`}>{moneyText(total)}</span>
            </Radio.Card>
          ))}
        </Radio.Group>
        <TextInput {...field('monthlyCeiling', texts.ceilingMore)} label={texts.ceiling} inputMode="decimal" mt={16} />
        {chosen !== undefined && ceiling >= chosen.total && (
          <p className="soft">{texts.consent(chosen.name, moneyText(chosen.total), moneyText(ceiling))}</p>
        )}
        <p className="soft">{texts.consentMore}</p>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call="setRecharge" type="submit" running={running}>
          {running ? texts.saving : texts.agree}
        </ActionButton>
      </DialogFoot>
    </ContractForm>
  );
}
