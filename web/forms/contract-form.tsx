import type { ReactNode } from 'react';
import { UnsavedGuard } from '#web/forms/unsaved-guard.tsx';
import type { ContractFormState } from '#web/forms/use-contract-form.tsx';

interface ContractFormProps<Values> {
  of: ContractFormState<Values>;
  className?: string | undefined;
  /** Would leaving lose something? Without this, when a value differs from what it was at first. */
  isDirty?: boolean;
  /** What was typed is given up. */
  onLeave?: () => void;
  children: ReactNode;
}

/** The form of a call of the contract, guarded against leaving it with unsaved input. */
export function ContractForm<Values>({ of, className, isDirty, onLeave, children }: ContractFormProps<Values>) {
  return (
    <form id={of.id} className={className} noValidate onSubmit={of.submit}>
      <UnsavedGuard isDirty={isDirty ?? of.form.isDirty()} {...(onLeave && { onLeave })} />
      {children}
    </form>
  );
}
