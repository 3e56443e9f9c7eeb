import { CircleAlert } from 'lucide-react';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Profile, readAccount, updateProfile } from '#contract/account.ts';
import { placeOfSupplyCandidates } from '#domain/states.ts';
import { type CallFailure, Refused } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/account/account-page.module.css';
import {
  type ProfileFields,
  faultsOf,
  fieldsOf,
  isAbroad,
  profileOf,
  stateOfTyped,
} from '#web/features/account/profile-fields.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { countries } from '#web/features/account/countries.ts';
import { accountTexts as texts } from '#web/features/account/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { UnsavedGuard } from '#web/ui/unsaved.tsx';

interface ProfileFormProps {
  profile: Profile | null;
  suggestedName: string;
  /** Is there somewhere to go on to? */
  returns: boolean;
  onDone: () => void;
}

const stateChoices = () => [
  { value: '', label: texts.statePlaceholder },
  ...placeOfSupplyCandidates().map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
];

/** Each fault is told when its field was left, or when saving was tried; nothing that was typed is ever lost. */
export function ProfileForm({ profile, suggestedName, returns, onDone }: ProfileFormProps) {
  const [kept, setKept] = useState(() => fieldsOf(profile, suggestedName));
  const [fields, setFields] = useState(kept);
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<Partial<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const save = useAction(updateProfile, { changes: [readAccount], onDone: saved, onFailed });

  const faults = faultsOf(fields);
  const abroad = isAbroad(fields);
  const state = stateOfTyped(fields.gstin);

  function saved(): void {
    // The guard must know that nothing is unsaved before the page is left.
    flushSync(() => setKept(fields));
    onDone();
  }

  function onFailed(failure: CallFailure): void {
    if (failure instanceof Refused) setRefused(faultsByField(failure));
    notifyFailure(failure.message);
  }

  function change(name: FieldName, value: string): void {
    const next: ProfileFields = { ...fields, [name]: value };
    const named = name === 'gstin' ? stateOfTyped(value) : undefined;
    setFields(named === undefined ? next : { ...next, stateCode: named.code });
    setRefused((before) => ({ ...before, [name]: undefined }));
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const first = names.find((name) => faults[name] !== undefined);
    if (first !== undefined) {
      setLeft(new Set(names));
      form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    void save.run({ body: profileOf(fields) });
  }

  const field = (name: FieldName, hint?: ReactNode) => ({
    name,
    value: fields[name],
    ...told((left.has(name) ? faults[name] : undefined) ?? refused[name], hint),
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
    onBlur: () => setLeft((before) => new Set(before).add(name)),
  });

  return (
    <form ref={form} className={classes.form} noValidate onSubmit={submit}>
      <UnsavedGuard isDirty={JSON.stringify(fields) !== JSON.stringify(kept)} />
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
                  <span className={classes.sound}>{texts.gstinSound(state.name)}</span>
                ),
              )}
              className={`${classes.gstin} ${classes.wide}`}
              label={texts.gstin}
              maxLength={15}
              autoComplete="off"
              spellCheck={false}
            />
            <Checkbox
              className={classes.wide ?? ''}
              label={texts.sez}
              description={texts.sezHint}
              checked={fields.sez}
              disabled={fields.gstin.trim() === ''}
              onChange={(event) => setFields({ ...fields, sez: event.currentTarget.checked })}
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
            className={classes.wide ?? ''}
            label={texts.state}
            data={stateChoices()}
            disabled={state !== undefined}
            required
            withAsterisk={false}
          />
        )}
      </div>
      <div className={classes.actions}>
        <ActionButton type="submit" running={save.running}>
          {returns ? texts.saveAndReturn : texts.save}
        </ActionButton>
      </div>
    </form>
  );
}

type FieldName = Exclude<keyof ProfileFields, 'sez'>;

const names: FieldName[] = ['legalName', 'country', 'gstin', 'phone', 'address', 'city', 'pin', 'stateCode'];

/** The server's sentence per field, of the JSON pointers in a refusal. */
function faultsByField({ problem }: Refused): Partial<Record<string, string>> {
  return Object.fromEntries(
    (problem.errors ?? []).map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message]),
  );
}

/** A fault takes the place of the hint. */
function told(fault: string | undefined, hint: ReactNode) {
  if (fault === undefined) return hint === undefined ? {} : { description: hint };
  return {
    error: (
      <span className={classes.fault}>
        <CircleAlert size={15} aria-hidden="true" /> {fault}
      </span>
    ),
  };
}
