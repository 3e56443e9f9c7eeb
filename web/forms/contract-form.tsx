import type { ReactNode } from 'react';
import type { ContractFormState } from '#web/forms/use-contract-form.tsx';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { uiTexts } from '#web/ui/texts.ts';

interface ContractFormProps<Values> {
  of: ContractFormState<Values>;
  className?: string | undefined;
  /** Whether leaving would lose input. By default, when a value differs from its initial one. */
  isDirty?: boolean;
  /** Called when the customer discards the input. */
  onLeave?: () => void;
  children: ReactNode;
}

/** The `<form>` of `useContractForm`. Asks before the page is left with unsaved input. */
export function ContractForm<Values>({ of, className, isDirty, onLeave, children }: ContractFormProps<Values>) {
  return (
    <form id={of.id} className={className} noValidate onSubmit={of.submit}>
      <LeaveGuard on={isDirty ?? of.form.isDirty()} question={uiTexts.unsaved} {...(onLeave && { onLeave })} />
      {children}
    </form>
  );
}
