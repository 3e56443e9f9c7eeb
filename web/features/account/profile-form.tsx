import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type Profile, readAccount, updateProfile } from '#shared/contract/account.ts';
import { readTaxClaim } from '#shared/contract/tax-claims.ts';
import { placeOfSupplyCandidates } from '#shared/domain/states.ts';
import classes from '#web/features/account/account-page.module.css';
import { countries } from '#web/features/account/countries.ts';
import {
  type ProfileFields,
  faultsBeyondSchema,
  fieldsOf,
  isAbroad,
  profileOf,
  stateOfTyped,
} from '#web/features/account/profile-fields.ts';
import { accountTexts as texts } from '#web/features/account/texts.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { useLanguage } from '#web/language/use-language.ts';
import { stateName } from '#web/states/state-name.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DayInput } from '#web/forms/day-input.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';

interface ProfileFormProps {
  profile: Profile | null;
  suggestedName: string;
  /** Is there somewhere to go on to? */
  returns: boolean;
  onDone: () => void;
}

const stateChoices = () => [
  { value: '', label: texts.statePlaceholder },
  ...placeOfSupplyCandidates().map((state) => ({ value: state.code, label: `${stateName(state)} (${state.code})` })),
];

/** The business profile. Fields are validated when they lose focus, and all of them on saving. */
export function ProfileForm({ profile, suggestedName, returns, onDone }: ProfileFormProps) {
  const contractForm = useContractForm(updateProfile, {
    initialValues: fieldsOf(profile, suggestedName),
    input: (fields: ProfileFields) => ({ body: profileOf(fields) }),
    faults: faultsBeyondSchema,
    validatesOnBlur: true,
    changes: [readAccount, readTaxClaim],
    onDone,
    onFailed: (failure, isPlaced) => {
      if (!isPlaced) notifyFailure(failure.message);
    },
  });
  const { form, field, running } = contractForm;
  const abroad = isAbroad(form.values);
  const state = stateOfTyped(form.values.gstin);

  function changeCountry(country: string): void {
    form.setFieldValue('country', country);
    // Their rules depend on the country.
    for (const name of ['gstin', 'pin', 'stateCode'] as const) form.clearFieldError(name);
  }

  function changeGstin(gstin: string): void {
    form.setFieldValue('gstin', gstin);
    const named = stateOfTyped(gstin);
    if (named !== undefined) changeState(named.code);
  }

  function changeState(code: string): void {
    form.setFieldValue('stateCode', code);
    // It may fit the PIN now.
    form.clearFieldError('pin');
  }

  return (
    <ContractForm of={contractForm} className={classes.form}>
      <div className={classes.fields}>
        <TextInput
          {...field('legalName', texts.legalNameHint)}
          className={classes.wide ?? ''}
          label={texts.legalName}
          autoComplete="organization"
          required
          withAsterisk={false}
        />
        <NativeSelect
          {...field('country', abroad ? texts.countryHint : undefined)}
          onChange={(event) => changeCountry(event.currentTarget.value)}
          label={texts.country}
          data={countries(useLanguage()).map(({ code, name }) => ({ value: code, label: name }))}
          autoComplete="country"
        />
        <TextInput
          {...field('phone', texts.phoneHint)}
          label={texts.phone}
          type="tel"
          autoComplete="tel"
          required
          withAsterisk={false}
        />
        {!abroad && (
          <>
            <TextInput
              {...field(
                'gstin',
                state === undefined ? (
                  texts.gstinHint
                ) : (
                  <span className={classes.valid}>{texts.gstinSound(stateName(state))}</span>
                ),
              )}
              onChange={(event) => changeGstin(event.currentTarget.value)}
              className={`${classes.gstin} ${classes.wide}`}
              label={texts.gstin}
              maxLength={15}
              autoComplete="off"
              spellCheck={false}
            />
            <Checkbox
              {...form.getInputProps('sez', { type: 'checkbox' })}
              className={classes.wide ?? ''}
              label={texts.sez}
              description={texts.sezHint}
              disabled={form.values.gstin.trim() === ''}
            />
          </>
        )}
        <TextInput
          {...field('address')}
          className={classes.wide ?? ''}
          label={texts.address}
          autoComplete="street-address"
          required
          withAsterisk={false}
        />
        <TextInput {...field('city')} label={texts.city} autoComplete="address-level2" required withAsterisk={false} />
        <TextInput
          {...field('pin')}
          label={abroad ? texts.postalCode : texts.pin}
          inputMode={abroad ? 'text' : 'numeric'}
          maxLength={abroad ? 12 : 6}
          autoComplete="postal-code"
          required
          withAsterisk={false}
        />
        {!abroad && (
          <NativeSelect
            {...field('stateCode', state === undefined ? undefined : texts.stateFromGstin)}
            onChange={(event) => changeState(event.currentTarget.value)}
            className={classes.wide ?? ''}
            label={texts.state}
            data={stateChoices()}
            disabled={state !== undefined}
            required
            withAsterisk={false}
          />
        )}
        <TextInput
          {...field('purchaseOrder', texts.purchaseOrderHint)}
          label={texts.purchaseOrder}
          maxLength={16}
          autoComplete="off"
          spellCheck={false}
        />
        <DayInput {...field('purchaseOrderDate')} label={texts.purchaseOrderDate} clearable />
      </div>
      <div className={classes.actions}>
        <ActionButton call="updateProfile" type="submit" running={running}>
          {returns ? texts.saveAndReturn : texts.save}
        </ActionButton>
      </div>
    </ContractForm>
  );
}
